"""Removal of people: guests who do not visit any more, and accounts that were deleted."""

import uuid
from contextlib import suppress
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts import deletion, guests, outbox
from accounts.addresses import prover_of
from accounts.models import AccountMail, User
from games.models import Game, Report, Seat, SeatQuerySet
from games.services import tables
from games.services.errors import Refused
from games.services.play import play
from games.services.tables.departures import leave_what_waits
from games.services.talk.moderation import letters
from games.titles.actions import Resign
from games.titles.rules import UnknownRules

# Until the next try to remove an account whose game could not be left.
RETRY = timedelta(hours=1)


def remove_guests() -> None:
    """Remove the guests whose last visit is more than 30 days ago.

    A guest whose game cannot be left now stays until the next call.
    """
    for guest in list(guests.abandoned()):
        _leave_games(guest)
        with transaction.atomic():
            locked = guests.abandoned().select_for_update().filter(pk=guest.pk).first()
            if locked is not None and not _unfinished_seats(locked).exists():
                _close_reports(locked)
                locked.delete()


def remove_account(user_id: int) -> None:
    """Remove an account that was deleted, and its private data; do nothing if none is due.

    If a game cannot be left now, the account stays deactivated, and the sweep tries again later.
    """
    user = deletion.begin(user_id)
    if user is None:
        return
    _leave_games(user)
    with transaction.atomic():
        # Locked, so that a request that began before the deletion seats nobody who does not exist.
        user = User.objects.select_for_update().filter(pk=user_id, is_active=False).first()
        if user is None:
            return
        if _unfinished_seats(user).exists():
            user.removal_due_at = timezone.now() + RETRY
            user.save(update_fields=["removal_due_at"])
            return
        stored = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
        # Others may have confirmed an address that this account has only added.
        for address in {address for address in (user.email, *stored) if prover_of(address) in (None, user)}:
            AccountMail.objects.filter(address=address.lower()).delete()
            outbox.forget(address)
        _close_reports(user)
        user.delete()


def _close_reports(user: User) -> None:
    """Keep the reports about a person with the name, and tell reporters that there is nothing to decide."""
    about = Report.objects.filter(subject=user)
    for report in about.open().select_related("reporter"):
        letters.tell_of_decision(report)
    about.open().update(decided_at=timezone.now(), outcome=Report.Outcome.REMOVED)
    about.update(subject_name=user.username)


def _leave_games(user: User) -> None:
    """Let a person leave their tables, resign their running games, and decline what is kept for them.

    Their seats in finished games stay, without a name.
    """
    tables.decline_all(user)
    leave_what_waits(user)
    for seat in _unfinished_seats(user).select_related("game"):
        with suppress(Refused, UnknownRules):
            play(seat.game.key, user, Resign(0), seat.game.version + 1, uuid.uuid4())


def _unfinished_seats(user: User) -> SeatQuerySet:
    """Return the seats of a person for which others would wait."""
    return Seat.objects.filter(user=user, has_left=False).exclude(game__status=Game.Status.OVER)
