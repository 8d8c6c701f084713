"""Links in emails: they stop emails or play a move without logging in, or know whom the email was for."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from games.models import Channel, Game, Kind, Seat, seats_of
from games.queries.marks import mark_of_turn, marks_of_person, marks_of_turn, read_user, sign_user
from games.replies import (
    Purpose,
    Turn,
    fingerprint,
    is_fingerprint_of,
    read_token,
    reply_address,
    turn_token,
)
from games.titles.registry import title_named

# Links that stop emails never expire, because people also unsubscribe through old emails. So the salt never
# changes.
_STOP = "accounts.mail_links.unsubscribe"
# Signed, so that nobody can look up the names of users. It logs nobody in.
_READER = "accounts.mail_links.reader"
READER = "for"
MOVE = "move"
# People answer an invitation without logging in, as long as a seat is kept for them.
_invitation_signer = Signer(salt="games.mail_links.invitation")


@dataclass(frozen=True)
class Invitation:
    """Who is invited to which table: a user, or the person with an email address."""

    key: str
    user: User | None
    address: str


class Subscription(NamedTuple):
    """What a link stops: one kind, or every kind if that is empty, for one user on one channel."""

    user: User
    kind: str
    channel: str


def stop_url(user: User, kind: str, channel: str) -> str:
    """Return the absolute URL that stops a kind of notification, or every kind if `kind` is empty.

    It serves a page for people and accepts the one-click POST of RFC 8058 from mail programs.
    """
    return settings.SITE_URL + reverse("games:unsubscribe", args=[sign_user(_STOP, user, kind, channel)])


def subscription_of(token: str) -> Subscription | None:
    """Return what a link stops, or None if its token is not valid or its user is deleted.

    The tokens in old emails have only the user; these emails were about turns.
    """
    found = read_user(_STOP, token)
    if found is None:
        return None
    user, values = found
    kind, channel = (*values, Kind.TURN, Channel.MAIL)[:2]
    return Subscription(user, kind, channel)


def url_for_reader(path: str, user: User) -> str:
    """Return the absolute URL of a page in an email to `user`; the page can find out whom it was for."""
    return f"{settings.SITE_URL}{path}?{urlencode({READER: sign_user(_READER, user)})}"


@dataclass(frozen=True)
class MailTurn:
    """What a signed turn allows: one action of `user` on `seat` in `game`, as number `number` of its log."""

    game: Game
    user: User
    seat: int
    number: int

    @property
    def as_signed(self) -> Turn:
        """The turn as tokens have it."""
        return Turn(self.user.pk, self.game.pk, self.seat, self.number)

    @cached_property
    def mark(self) -> str:
        """The mark that its tokens cover."""
        return mark_of_turn(self.user, self.game, self.number)


def turn_of_player(game: Game, user: User) -> MailTurn:
    """Return the turn of a player of a game, as it is now."""
    seat = next(seat.number for seat in seats_of(game) if seat.is_of(user))
    return MailTurn(game, user, seat, game.version + 1)


def opponents_of(game: Game, user: User) -> list[str]:
    """Return the names of those against whom a player plays, in the order of the seats: no partners.

    For somebody without a seat, or if all are partners, they are those of all others.
    """
    seats = seats_of(game)
    sides = title_named(game.title).rules.sides(len(seats))
    own = {sides[seat.number] for seat in seats if seat.is_of(user)}
    against = [seat.name for seat in seats if sides[seat.number] not in own]
    return against or [seat.name for seat in seats if not seat.is_of(user)]


def reply_address_for(turn: MailTurn) -> str:
    """Return the address to which the player of a turn can reply with a move; empty if they can't."""
    if not (settings.REPLY_ADDRESS and turn.user.plays_by_reply):
        return ""
    return reply_address(settings.REPLY_ADDRESS, turn.as_signed, mark=turn.mark)


def person_reply_address(user: User) -> str:
    """Return where `user` replies to emails that belong to no turn; empty if they don't play by reply."""
    if not (settings.REPLY_ADDRESS and user.plays_by_reply):
        return ""
    return reply_address(settings.REPLY_ADDRESS, Turn(user.pk, 0, 0, 0), Purpose.PERSON, user.mark)


def person_of(token: str) -> User | None:
    """Return the active user of a token for replies that belong to no turn; None if it is no such token."""
    person = read_token(Purpose.PERSON, token, marks_of_person)
    return User.objects.filter(pk=person.user, is_active=True).first() if person else None


def move_url(turn: MailTurn, notation: str) -> str:
    """Return the absolute URL of the page on which a person confirms a move without logging in."""
    path = reverse("games:mail_move", args=[turn_token(Purpose.MOVE, turn.as_signed, turn.mark)])
    return f"{settings.SITE_URL}{path}?{urlencode({MOVE: notation})}"


def turn_of(purpose: Purpose, token: str) -> MailTurn | None:
    """Return what a signed turn allows; None if it is not signed or its player is not active."""
    turn = read_token(purpose, token, marks_of_turn)
    if turn is None:
        return None
    seats = Seat.objects.filter(game=turn.game, number=turn.seat, user=turn.user, user__is_active=True)
    seat = seats.select_related("game__deal", "user").first()
    if seat is None or seat.user is None:
        return None
    return MailTurn(seat.game, seat.user, turn.seat, turn.number)


def invitation_reply_address(seat: Seat) -> str:
    """Return the address to which the person for whom a seat is kept replies yes or no; empty without one."""
    if not settings.REPLY_ADDRESS:
        return ""
    return reply_address(settings.REPLY_ADDRESS, _kept_seat(seat), Purpose.INVITATION)


class InvitedSeat(NamedTuple):
    """The seat of an invitation: free, also if it was declined, or taken by its person since.

    `user` and `address` are who was invited, as the seat has them. `reply_to` is where they answer.
    """

    seat: Seat
    user: User | None
    address: str
    invited_at: datetime
    reply_to: str


def is_invitation(token: str) -> bool:
    """Return whether a token was signed for an invitation."""
    return read_token(Purpose.INVITATION, token) is not None


def needs_link(token: str) -> bool:
    """Return whether an invitation to an address is from before tokens named the address.

    Two people could have the same token, so its reply may be that of somebody else.
    """
    kept = read_token(Purpose.INVITATION, token)
    return kept is not None and kept.user == 0


def invited_seat(token: str) -> InvitedSeat | None:
    """Return the seat of the token of an invitation; None if the invitation is over, or there is none."""
    kept = read_token(Purpose.INVITATION, token)
    if kept is None:
        return None
    reply_to = reply_address(settings.REPLY_ADDRESS, kept, Purpose.INVITATION)
    seats = list(Seat.objects.filter(game=kept.game).select_related("game", "invited", "user"))
    for seat in seats:
        if _is_for(kept, seat):
            since = seat.invited_at or seat.game.opened_at
            return InvitedSeat(seat, seat.invited, seat.invited_address, since, reply_to)
    for seat in seats:
        if seat.user and (person := _person_who_sat_down(kept, seat, seat.user)) is not None:
            since = datetime.fromtimestamp(kept.number, UTC)
            return InvitedSeat(seat, seat.user, "" if isinstance(person, int) else person, since, reply_to)
    return None


def _kept_seat(seat: Seat) -> Turn:
    """Return what the token of an invitation names: its person, and when they were invited to the seat.

    It names the address that the opener typed, whoever has confirmed it since. So the answer of one person is
    never an answer of somebody else, who was invited to the same seat at the same time.
    """
    return Turn(fingerprint(_invited_person(seat)), seat.game_id, seat.number, _invited_at(seat))


def _is_for(kept: Turn, seat: Seat) -> bool:
    """Return whether the token of an invitation is for a seat that nobody has taken."""
    # Its number may have changed since: partners can change places.
    if not seat.is_free:
        return False
    # Who was asked again can still answer the first email.
    if _invited_at(seat) != kept.number and not (seat.was_asked_again and kept.number < _invited_at(seat)):
        return False
    if seat.invited is not None and not seat.invited.is_active:
        return False
    return is_fingerprint_of(kept.user, _invited_person(seat)) or _is_by_id(kept, seat, seat.invited_id)


def _person_who_sat_down(kept: Turn, seat: Seat, user: User) -> int | str | None:
    """Return as whom an invitation named `user`: by id or by address; None if it named somebody else."""
    if _is_by_id(kept, seat, user.pk) or is_fingerprint_of(kept.user, _person(seat, user)):
        return user.pk
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return next((who for who in addresses if is_fingerprint_of(kept.user, _person(seat, who))), None)


def _is_by_id(kept: Turn, seat: Seat, user_id: int | None) -> bool:
    """Return whether a token has the id of a user, as those of the releases before fingerprints."""
    # Superfluous in the next release, when these invitations are over.
    return not seat.game.mark and kept.user != 0 and kept.user == user_id


def _invited_person(seat: Seat) -> str:
    return _person(seat, seat.invited_address or seat.invited)


def _person(seat: Seat, who: str | User | None) -> str:
    """Return what the fingerprint of an invitation is of: an email address or a user, and the table."""
    person = who.lower() if isinstance(who, str) else f"user {who.pk}{who.mark}" if who else "user None"
    return f"{person}{seat.game.mark}"


def _invited_at(seat: Seat) -> int:
    return int((seat.invited_at or seat.game.opened_at).timestamp())


def reader_of(request: HttpRequest) -> User | None:
    """Return the user to whom the email with this link was sent; None without such a link."""
    found = read_user(_READER, request.GET.get(READER, ""))
    return found[0] if found else None


def invitation_token(game: Game, invited: User | str) -> str:
    """Return the token of an invitation for a user or an email address. It is in no page, only in emails."""
    who = {"a": invited} if isinstance(invited, str) else {"u": invited.pk, "m": invited.mark}
    return _invitation_signer.sign_object({"g": game.key} | who)


def invitation_url(game: Game, invited: User | str) -> str:
    """Return the absolute URL of the page on which the invited person accepts or declines."""
    return settings.SITE_URL + reverse("games:invitation", args=[invitation_token(game, invited)])


def stop_invitations_url(game: Game, address: str) -> str:
    """Return the absolute URL that stops all invitations to an email address."""
    return settings.SITE_URL + reverse("games:stop_invitations", args=[invitation_token(game, address)])


def invitation_of(token: str) -> Invitation | None:
    """Return whom a link invites, or None if its token is not valid or its user is not active any more."""
    try:
        values = _invitation_signer.unsign_object(token)
    except BadSignature:
        return None
    if "a" in values:
        return Invitation(values["g"], None, values["a"])
    user = User.objects.filter(pk=values["u"], mark=values.get("m", ""), is_active=True).first()
    return Invitation(values["g"], user, "") if user else None
