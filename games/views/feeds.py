"""Feeds of one person at secret addresses: turns as Atom, and deadlines as a calendar."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_POST, require_safe

from accounts import security_log
from accounts.languages import language_of
from accounts.models import SecurityEvent, User
from games.http import PlayerRequest, SiteRequest, no_store
from games.queries.feeds import atom_of, calendar_of, reader_of_feed

# A program keeps its copy and asks whether it has changed. Feeds show no position.
kept_by_reader = cache_control(private=True, no_cache=True)


@require_safe
@conditional_page
@kept_by_reader
def turns(request: SiteRequest, token: str) -> HttpResponse:
    """Send the turns of a person as Atom."""
    user = _reader(token)
    with override(language_of(user) or settings.LANGUAGE_CODE):
        return HttpResponse(atom_of(user), content_type="application/atom+xml; charset=utf-8")


@require_safe
@conditional_page
@kept_by_reader
def deadlines(request: SiteRequest, token: str) -> HttpResponse:
    """Send the deadlines of a person's turns as a calendar."""
    user = _reader(token)
    with override(language_of(user) or settings.LANGUAGE_CODE):
        return HttpResponse(calendar_of(user), content_type="text/calendar; charset=utf-8")


@require_POST
@login_required
@no_store
def renew(request: PlayerRequest) -> HttpResponse:
    """Give the user's feeds new addresses."""
    is_first = not request.user.feed_number
    request.user.renew_feeds()
    kind = SecurityEvent.Kind.FEEDS_MADE if is_first else SecurityEvent.Kind.FEEDS_RENEWED
    security_log.note(request, request.user, kind)
    if is_first:
        messages.success(request, _("Your feeds have addresses now."))
    else:
        messages.success(request, _("Your feeds have new addresses. The old ones do not work any more."))
    return redirect(reverse("games:notifications") + "#feeds")


def _reader(token: str) -> User:
    user = reader_of_feed(token)
    if user is None:
        raise Http404
    return user
