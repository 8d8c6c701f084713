"""Invitations to tables: the opener sends them, and links in emails answer them without a log-in.

An answer for the person whom the token of a link names needs no cookies either, as for the links that play a
move. But a seat for the viewer, whoever that is, needs the check against forged requests.

Visitors who want a seat and log in first: the log-in seats them, without asking again. The press of a button
stores this wish in the session. Then only a log-in or sign-up that returns to the table fulfils it, so
opening a link never seats anybody.
"""

import time
from datetime import timedelta
from functools import partial

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from accounts import mail_limits, outbox
from accounts.addresses import confirmed_address, main_address
from accounts.guests import name_guest, user_or_guest
from accounts.models import User
from games.forms.once import OnceForm
from games.forms.tables import InviteForm
from games.http import SiteRequest, no_store, nonce_of, seat_of
from games.models import Game, SeatQuerySet, is_closed
from games.queries.access import access_game, access_person
from games.queries.mail_links import (
    Invitation,
    invitation_of,
    invitation_reply_address,
    invitation_url,
    stop_invitations_url,
    url_for_reader,
)
from games.queries.people.names import similar_names
from games.queries.summaries import summary
from games.services import invitations, tables
from games.services.errors import Conflict, Refused, TooOften
from games.titles.registry import title_named
from games.views.game.show import show_refusal, show_refused_invitation, table_context

WISH = "wants_seat"  # in the session: the game's key, the time, the address of the invitation, the nonce
# Somebody who has left the log-in and returns later may not want the seat any more.
WISH_LASTS = 60 * 60  # seconds


@no_store
def invite(request: SiteRequest, key: str) -> HttpResponse:
    """Keep a seat for a player or the owner of an email address, and tell them."""
    game = access_game(request.user, key)
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect(game)
    if not isinstance(request.user, User):
        return redirect_to_login(game.get_absolute_url())
    form = InviteForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused(" ".join(form.errors.pop("who").as_data()[0].messages))
        invite_to(game, request, request.user, form.cleaned_data["who"])
    except UnknownName as unknown:
        form.similar = similar_names(form.cleaned_data["who"])
        return show_refused_invitation(request, game, form, unknown)
    except Refused as refused:
        return show_refused_invitation(request, game, form, refused)
    return redirect(game)


class UnknownName(Conflict):
    """Nobody here has the name that the opener has typed."""


def invite_to(game: Game, request: SiteRequest, opener: User, who: str) -> None:
    """Invite a player by name, or somebody by email address, and say so. Raises Refused."""
    if opener.is_guest:
        raise Conflict(
            _("As a guest, you can invite people only by link. Sign up to invite them by name or email.")
        )
    is_address = "@" in who
    if is_address and confirmed_address(opener) is None:
        raise Conflict(_("Please confirm your own email address before you invite people by email."))
    person = None if is_address else person_named(request, who)
    if person == opener or who.lower() == main_address(opener):
        raise Conflict(_("You have a seat at this table already."))
    if wait := mail_limits.wait_for_invitation(request, who):
        raise TooOften(
            _("Too many invitations for now. You can send the link instead."), timedelta(seconds=wait)
        )
    if person is None:
        write = partial(owe_mail, opener=opener, address=who.lower())
        invitations.invite_address(game.key, opener, who, write)
    else:
        invitations.invite(game.key, opener, person)
    sent = _("Invitation sent to %(name)s.") % {"name": person.username if person else who}
    messages.success(request, sent)


def person_named(request: SiteRequest, name: str) -> User:
    """Return the active user with this name. Raises UnknownName."""
    try:
        return access_person(request.user, name)
    except Http404:
        raise UnknownName(_("Nobody here has the name %(name)s.") % {"name": name}) from None


def owe_mail(game: Game, opener: User, address: str) -> None:
    """Store an email that invites the owner of an address, for whom a seat is kept."""
    stop_url = stop_invitations_url(game, address)
    reply_to = invitation_reply_address(game.seats.kept_for_address(address).get())
    values = {
        "name": opener.username,
        "summary": summary(game, AnonymousUser()),
        "pages": title_named(game.title).pages,
        "invitation_url": invitation_url(game, address),
        "stop_url": stop_url,
        "reply_to": reply_to,
    }
    subject = " ".join(render_to_string("mail/invite_address_subject.txt", values).split())
    text, html = (
        render_to_string(f"mail/invite_address.{form}", {**values, "subject": subject})
        for form in ("txt", "html")
    )
    outbox.owe(address, subject, text, html, stop_url, reply_to=reply_to)


@no_store
def withdraw(request: SiteRequest, key: str, seat: int) -> HttpResponse:
    """Keep a seat for nobody any more."""
    game = access_game(request.user, key)
    if request.method == "POST" and isinstance(request.user, User):
        try:
            invitations.withdraw(key, request.user, seat)
        except Refused as refused:
            return show_refusal(request, game, refused)
    return redirect(game)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def invitation(request: SiteRequest, token: str) -> HttpResponse:
    """Show the invitation of an email, or accept it on POST. Its link works without a log-in.

    GET changes nothing, because malware scanners follow the links in emails.
    """
    invited, game = _load(request, token)
    if invited.user is not None and invited.user == request.user:
        return redirect(game)  # The page of the table has the same answers.
    if request.method == "POST":
        return (_accept if invited.user else _accept_as_viewer)(request, game, invited)
    if invited.user is not None and game.seats.filter(user=invited.user).exists():
        return redirect(url_for_reader(game.get_absolute_url(), invited.user))
    if not _is_open(game, invited):
        return render(request, "games/invitation_over.html", {"game": game}, status=410)
    seat = _kept_seats(game, invited).get()
    context = table_context(request, game, seat.number) | {
        "has_declined": seat.has_declined,
        "seat_url": request.path,
        "decline_url": reverse("games:decline_invitation", args=[token]),
        "stop_url": "" if invited.user else reverse("games:stop_invitations", args=[token]),
        "invited": invited.user,
        "needs_cookies": invited.user is None and not request.COOKIES,
        "can_reply": bool(settings.REPLY_ADDRESS),
    }
    return render(request, "games/invitation.html", context)


@csrf_exempt
@no_store
def decline(request: SiteRequest, token: str) -> HttpResponse:
    """Decline the invitation of an email."""
    invited, game = _load(request, token)
    if request.method != "POST":
        return redirect("games:invitation", token)
    try:
        if invited.user is None:
            invitations.decline_address(game.key, invited.address)
        else:
            tables.decline(game.key, invited.user)
    except Refused as refused:
        return show_refusal(request, game, refused)
    if not request.COOKIES:
        return redirect("games:invitation", token)  # It says so without a message, which needs a cookie.
    messages.success(request, _("You have declined."))
    return redirect("games:home")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def stop(request: SiteRequest, token: str) -> HttpResponse:
    """Stop all invitations to an email address, on POST from a button or a mail program (RFC 8058).

    The same link allows them again, because a scanner may have pressed the button.
    """
    invited = invitation_of(token)
    if invited is None or invited.user is not None:
        raise Http404
    if request.method == "POST":
        change = invitations.open_address if "again" in request.POST else invitations.close_address
        change(invited.address)
    context = {"address": invited.address, "is_stopped": is_closed(invited.address)}
    return render(request, "games/stop_invitations.html", context)


def _load(request: SiteRequest, token: str) -> tuple[Invitation, Game]:
    """Return the invitation of a link and its table. Raises Http404."""
    invited = invitation_of(token)
    if invited is None:
        raise Http404
    return invited, access_game(request.user, invited.key)


def _is_open(game: Game, invited: Invitation) -> bool:
    """Return whether the person can still take the seat to which they are invited."""
    return game.is_open and _kept_seats(game, invited).exists()


def _kept_seats(game: Game, invited: Invitation) -> SeatQuerySet:
    """Return the free seat to which the person is invited, also if they have declined it."""
    seats = game.seats.free()
    if invited.user is None:
        return seats.filter(invited_address=invited.address)
    return seats.filter(invited=invited.user)


def _accept(request: SiteRequest, game: Game, invited: Invitation) -> HttpResponse:
    """Seat the invited user or, for an address, the viewer: logged in, as a guest, or after a log-in."""
    if not _is_open(game, invited):
        return render(request, "games/invitation_over.html", {"game": game}, status=410)
    user = invited.user or request.user
    if not isinstance(user, User):
        form = OnceForm(request.POST)
        if wants_account(request, game) or not form.is_valid():
            return log_in_and_sit_down(request, game, invited.address)
        user = named_guest(request, form)
    try:
        tables.join(game.key, user, invited.address, nonce=nonce_of(request), number=seat_of(request))
    except Refused as refused:
        return show_refusal(request, game, refused)
    if user != request.user:
        messages.success(request, _("%(name)s has a seat at this table.") % {"name": user.username})
    # For anybody else than the user, this page leads to the log-in, and back to the table.
    return redirect(url_for_reader(game.get_absolute_url(), user))


_accept_as_viewer = csrf_protect(_accept)


def named_guest(request: SiteRequest, form: OnceForm) -> User:
    """Return a new guest for a visitor who takes a seat, with the name that they want if possible."""
    guest = user_or_guest(request, form.cleaned_data["request_id"])
    name = request.POST.get("guest_name", "").strip()
    if not name or not guest.is_guest:
        return guest
    try:
        name_guest(request, guest, name)
    except ValidationError as error:
        made_up = _("For now, you are %(name)s. You can change your name in the settings.")
        messages.warning(request, " ".join([*error.messages, made_up % {"name": guest.username}]))
    return guest


def wants_account(request: SiteRequest, game: Game) -> bool:
    """Return whether a visitor takes a seat with an account: they chose so, or the table has no guests."""
    return game.needs_account or "log_in" in request.POST or "sign_up" in request.POST


def log_in_and_sit_down(request: SiteRequest, game: Game, address: str = "") -> HttpResponse:
    """Store that the visitor wants a seat at a table, and redirect to the page to log in or sign up.

    `address` is the one to which their invitation was sent; empty without one.
    """
    request.session[WISH] = (game.key, time.time(), address, nonce_of(request), seat_of(request))
    page = "account_signup" if "sign_up" in request.POST else "account_login"
    return redirect_to_login(game.get_absolute_url(), resolve_url(page))


@receiver(email_confirmed)
def show_in_lobby(email_address: EmailAddress, **_: object) -> None:
    """List the tables to which somebody has invited an address in the lobby of the user who confirms it."""
    invitations.keep_for_owner(email_address.email, email_address.user)


@receiver(user_logged_in)
def sit_down(request: SiteRequest, user: User, **_: object) -> None:
    """Give the user the seat that they wanted before they logged in, if it is still free."""
    # A session from before an update has no number of a seat.
    key, wished_at, address, nonce, number = [*request.session.pop(WISH, ("", 0.0, "", "")), None][:5]
    returns = request.POST.get("next") == resolve_url("games:game", key) if key else False
    if not returns or time.time() - wished_at > WISH_LASTS:
        return
    try:
        tables.join(key, user, address, nonce=nonce, number=number)
    except Refused as refused:
        messages.warning(request, refused.message)
