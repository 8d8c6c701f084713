"""Blocking people, and letting go of what two of them share that has not started."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Block, DuplicateInvitation, DuplicateMatch, Follow, Game, GameQuerySet, Seat
from games.services import hand_overs, invitations, tables
from games.services.errors import Conflict, Refused
from games.services.tables import duplicates

MOST_BLOCKED = 500


def block(user: User, person: User) -> None:
    """Keep two people apart: in invitations, at tables, in nudges and in chats. Running games go on.

    What they share and has not started ends: `user` leaves tables and matches with the other, or the other
    leaves those of `user`; seats that are kept for one by name at a table of the other are free; seats to
    come in a game of the other are given up. Chats on open pages keep the lines that they show until a
    reload, as after `mute`. Raises Conflict if `user` has blocked too many, or means themselves.
    """
    if user == person:
        raise Conflict(_("You can't block yourself."))
    if Block.objects.filter(user=user).count() >= MOST_BLOCKED:
        raise Conflict(_("You have blocked 500 people already. Please stop blocking somebody first."))
    keep_apart(user, person)


def keep_apart(user: User, person: User) -> None:
    """Store that `user` has blocked another person, as `block` does, however many they have blocked."""
    with transaction.atomic():
        tables.lock_people([user.pk, person.pk])
        Block.objects.get_or_create(user=user, blocked=person)
        Follow.objects.filter(Q(user=user, followed=person) | Q(user=person, followed=user)).delete()
        for one, other in ((user, person), (person, user)):
            _free_kept_seats(opener=one, invited=other)
            DuplicateInvitation.objects.filter(match__opened_by=one, user=other).delete()
        _leave_tables(user, person)
        _leave_matches(user, person)
        hand_overs.keep_apart(user, person)


def unblock(user: User, person: User) -> None:
    """Let two people meet again, as far as `user` is concerned."""
    Block.objects.filter(user=user, blocked=person).delete()


def _free_kept_seats(opener: User, invited: User) -> None:
    kept = Seat.objects.kept_for(invited).filter(game__opened_by=opener).select_related("game")
    for seat in kept.order_by("game_id"):
        with suppress(Refused):
            if seat.invited_address:
                tables.hide_from_owner(seat.game.key, invited)
            else:
                invitations.withdraw(seat.game.key, opener, seat.number)


def _leave_tables(user: User, person: User) -> None:
    for game in _with_both(user, person).open().order_by("pk"):
        with suppress(Refused):
            tables.leave(game.key, person if game.opened_by_id == user.pk else user)


def _leave_matches(user: User, person: User) -> None:
    entered = DuplicateMatch.objects.filter(entries__user=person).values("pk")
    for match in DuplicateMatch.objects.waiting().filter(entries__user=user, pk__in=entered):
        with suppress(Refused):
            duplicates.leave(match.key, person if match.opened_by_id == user.pk else user)


def _with_both(user: User, person: User) -> GameQuerySet:
    return Game.objects.with_seat_of(user).filter(pk__in=Game.objects.with_seat_of(person).values("pk"))
