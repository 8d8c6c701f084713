"""Duplicate matches: to open one, and its page before, during and after its games."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods

from accounts import mail_limits, outbox
from accounts.addresses import confirmed_address
from accounts.guests import user_or_guest
from accounts.languages import language_of
from accounts.models import User
from games.forms.once import OnceForm
from games.forms.tables import InviteForm, MatchForm, NewMatchForm
from games.http import PlayerRequest, SiteRequest, needs_talent, no_store, nonce_of, wants_partial
from games.models import Channel, DuplicateMatch, Kind
from games.queries.deals.duplicates import access_match, view_match
from games.queries.mail_links import stop_url, url_for_reader
from games.queries.people.names import similar_names
from games.services.errors import Conflict, Refused, TooOften
from games.services.tables import duplicates
from games.titles.registry import Title, has_talent, title_named, title_with
from games.titles.talents import Talent
from games.views.invitations import UnknownName, person_named


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
@needs_talent(Talent.DUPLICATE)
def new(request: PlayerRequest) -> HttpResponse:
    """Open a duplicate match of a title, by default of the first one that has such matches."""
    sent = request.POST if request.method == "POST" else None
    form = NewMatchForm(_title_named((request.GET if sent is None else sent).get("title", "")), sent)
    if not form.is_valid():
        return render(
            request, "games/new_duplicate.html", {"form": form}, status=400 if form.is_bound else 200
        )
    try:
        match = duplicates.open_match(request.user, **form.cleaned_data, nonce=nonce_of(request))
    except Refused as refused:
        form.add_error(None, refused.message)
        form.renew()
        return render(request, "games/new_duplicate.html", {"form": form}, status=refused.status)
    return redirect(match)


def _title_named(key: str) -> Title:
    """Return the title of this key, or the first one without a key. Raises Http404 if it has no matches."""
    if not key:
        return title_with(Talent.DUPLICATE)
    if not has_talent(key, Talent.DUPLICATE):
        raise Http404
    return title_named(key)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def duplicate(request: SiteRequest, key: str) -> HttpResponse:
    """Show a duplicate match; on POST, enter, leave, start or close it, or invite somebody.

    A visitor enters as a guest.
    """
    match = access_match(key)
    if request.method != "POST":
        return _show(request, match)
    form = MatchForm(title_named(match.deal.title), request.POST)
    if not form.is_valid():
        raise BadRequest("not a way to change a match")
    user = _user_of(request, match, form)
    if user is None:
        return redirect_to_login(match.get_absolute_url())
    try:
        _change(request, match, user, form)
    except UnknownName as unknown:
        return _show(request, access_match(key), unknown, similar_names(form.cleaned_data["who"]))
    except Refused as refused:
        return _show(request, access_match(key), refused)
    return redirect("games:home") if form.cleaned_data["do"] == "close" else redirect(match)


def _user_of(request: SiteRequest, match: DuplicateMatch, form: MatchForm) -> User | None:
    """Return the user; for a visitor who enters, a new guest, or None if they need an account."""
    if isinstance(request.user, User):
        return request.user
    once = OnceForm(request.POST)
    is_guest = form.cleaned_data["do"] == "enter" and not match.changes_ratings
    if not is_guest or "log_in" in request.POST or not once.is_valid():
        return None
    return user_or_guest(request, once.cleaned_data["request_id"])


def _change(request: SiteRequest, match: DuplicateMatch, user: User, form: MatchForm) -> None:
    match form.cleaned_data["do"]:
        case "enter":
            duplicates.enter(match.key, user, nonce_of(request), team=form.cleaned_data["team"])
        case "invite":
            _invite(request, match, user, form.cleaned_data["who"])
        case "leave":
            duplicates.leave(match.key, user)
        case "start":
            duplicates.start(match.key, user, form.cleaned_data["level"])
        case "close":
            duplicates.close(match.key, user)


def _invite(request: SiteRequest, match: DuplicateMatch, opener: User, who: str) -> None:
    """Invite the player of this name, and say so. Raises Refused."""
    if opener.is_guest:
        raise Conflict(_("As a guest, you can invite people only by link. Sign up to invite them by name."))
    if not who:
        raise Refused(_("Please enter a name."))
    person = person_named(request, who)
    if wait := mail_limits.wait_for_invitation(request, person.username):
        raise TooOften(
            _("Too many invitations for now. You can send the link instead."), timedelta(seconds=wait)
        )
    duplicates.invite(match.key, opener, person, partial(_owe_mail, opener, person))
    messages.success(request, _("Invitation sent to %(name)s.") % {"name": person.username})


def _owe_mail(opener: User, person: User, match: DuplicateMatch) -> None:
    """Store an email that invites a person, if their address is confirmed."""
    address = confirmed_address(person)
    if address is None:
        return
    with override(language_of(person) or settings.LANGUAGE_CODE):
        title = title_named(match.deal.title)
        values = {
            "name": opener.username,
            "user": person,
            "match": match,
            "title": title,
            "words": title.pages.deal_words,
            "match_url": url_for_reader(match.get_absolute_url(), person),
            "unsubscribe_url": stop_url(person, Kind.INVITATION, Channel.MAIL),
            "settings_url": settings.SITE_URL + reverse("games:notifications"),
        }
        subject = " ".join(render_to_string("mail/match_invitation_subject.txt", values).split())
        text, html = (
            render_to_string(f"mail/match_invitation.{form}", {**values, "subject": subject})
            for form in ("txt", "html")
        )
    outbox.owe(address, subject, text, html, values["unsubscribe_url"])


def _show(
    request: SiteRequest,
    match: DuplicateMatch,
    refused: Refused | None = None,
    similar: Sequence[str] = (),
) -> HttpResponse:
    title = title_named(match.deal.title)
    context = {
        "match": match,
        "view": view_match(match, request.user),
        "is_opener": match.opened_by_id is not None and match.opened_by_id == request.user.pk,
        "title": title,
        "words": title.pages.deal_words,
        "bots_form": MatchForm(title),
        "once_form": OnceForm(),
        "share_url": request.build_absolute_uri(match.get_absolute_url()),
        "commitment": match.deal.commitment,
        "error": refused.message if refused else "",
        "invite_form": InviteForm(request.POST if refused else None),
        "similar": similar,
    }
    template = "games/_match.html" if wants_partial(request) else "games/duplicate.html"
    return render(request, template, context, status=refused.status if refused else 200)
