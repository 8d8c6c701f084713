"""Pages for notifications: which ones a person wants, what was sent to them, and links that stop them."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.addresses import confirmed_address, unconfirmed_address
from accounts.outside import vapid
from games.forms.notifications import AllEmailsForm, NotificationsForm
from games.http import PlayerRequest, SiteRequest, no_store
from games.models import Kind, channels_of, wanted_channels
from games.queries.access import access_game
from games.queries.feeds import feed_urls
from games.queries.mail_links import Subscription, subscription_of
from games.queries.notifications import browsers_of, sent_to, webhook_of
from games.services import calendars
from games.services import notifications as service
from games.services.private.digests import choose_digest_hour


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def notifications(request: PlayerRequest) -> HttpResponse:
    """Show and store which notifications the user wants, and on which channels."""
    user = request.user
    all_emails = AllEmailsForm(request.POST or None)
    if all_emails.is_valid():
        service.choose_channels(user, all_emails.chosen_in(wanted_channels(user)))
        messages.success(request, _("Your settings are saved."))
        return redirect("games:notifications")
    channels = channels_of(user)
    form = NotificationsForm(
        request.POST if request.method == "POST" else None, initial=_stored(request), channels=channels
    )
    if form.is_valid():
        service.choose_channels(user, form.chosen)
        changes = form.changes
        if changes.get("time_zone"):
            calendars.choose_zone(user, changes["time_zone"])
        if "digest_hour" in changes:
            choose_digest_hour(user, changes["digest_hour"])
        # A site without an address for replies does not ask this.
        if changes.get("plays_by_reply", "") != "":
            user.plays_by_reply = changes["plays_by_reply"]
            user.save(update_fields=["plays_by_reply"])
        messages.success(request, _("Your settings are saved."))
        return redirect("games:notifications")
    context = {
        "form": form,
        "all_emails": all_emails,
        "channels": [one.label for one in channels],
        "browsers": browsers_of(user),
        "push_key": vapid.public_key(),
        "webhook": webhook_of(user),
        "confirmed": confirmed_address(user),
        "unconfirmed": unconfirmed_address(user),
        "feeds": feed_urls(user),
    }
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "games/notifications.html", context, status=status)


def _stored(request: PlayerRequest) -> dict[str, Any]:
    user = request.user
    wanted = {kind: sorted(channels) for kind, channels in wanted_channels(user).items()}
    fields = ("digest_hour", "time_zone", "plays_by_reply")
    return {name: getattr(user, name) for name in fields} | wanted


@require_safe
@login_required
@no_store
def sent(request: PlayerRequest) -> HttpResponse:
    """Show the newest notifications to the user: what was sent, when, how, and with what outcome."""
    return render(request, "games/notifications_sent.html", {"shown": sent_to(request.user)})


@require_POST
@login_required
@no_store
def silence(request: PlayerRequest, key: str) -> HttpResponse:
    """Stop the notifications about one game, or send them again."""
    game = access_game(request.user, key)
    is_silent = request.POST.get("is_silent") == "True"
    service.silence(game, request.user, is_silent=is_silent)
    if is_silent:
        messages.success(request, _("You get no more notifications about this game."))
    else:
        messages.success(request, _("You get notifications about this game again."))
    return redirect(game)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def unsubscribe(request: SiteRequest, token: str) -> HttpResponse:
    """Stop what the link in an email stops, on POST from the page's button or a mail program (RFC 8058).

    GET changes nothing, because malware scanners follow the links in emails.
    """
    stops = subscription_of(token)
    if stops is not None and request.method == "POST":
        service.stop(stops.user, stops.kind, stops.channel)
    context = {"stops": stops, "what": _label(stops), "is_stopped": stops is not None and _is_stopped(stops)}
    return render(request, "games/unsubscribe.html", context, status=200 if stops else 404)


def _is_stopped(stops: Subscription) -> bool:
    wanted = wanted_channels(stops.user)
    kinds = [stops.kind] if stops.kind else list(wanted)
    return not any(stops.channel in wanted.get(kind, set()) for kind in kinds)


def _label(stops: Subscription | None) -> str:
    """Return the name of the kind of notification that a link stops; empty if it stops all."""
    return str(Kind(stops.kind).label) if stops and stops.kind else ""
