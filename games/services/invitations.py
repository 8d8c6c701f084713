"""Invitations to a table, by name and by email address: a seat is kept for each person who is invited.

Nothing that the opener sees depends on whether somebody has an account with the address.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import outbox
from accounts.addresses import owner_of
from accounts.models import User
from games.models import (
    NO_INVITATION,
    ClosedAddress,
    Game,
    Seat,
    SeatQuerySet,
    apart_from,
    digest_of,
    is_closed,
    ratings_of,
)
from games.services import notifications
from games.services.errors import Conflict, Gone, NotSeated
from games.services.play import lock_game
from games.services.tables import count_change, decline, end_by_address, join, leave, may_invite

# Owes the email for a table to somebody who has no account.
OweMail = Callable[[Game], None]


def invite(key: str, opener: User, person: User) -> Game:
    """Keep a seat of the table `key` for a person, and return the table; do nothing if one is kept already.

    A person who has declined by reply is asked once more. Raises Gone, NotSeated, and Conflict if the person
    sits there or has declined, the table is for other ratings, or no seat is free.
    """
    with transaction.atomic():
        game = _lock_own_table(key, opener)
        if game.seats.filter(user=person).exists():
            raise Conflict(_("%(name)s has a seat at this table already.") % {"name": person.username})
        if not may_invite(opener, person):
            raise Conflict(_("You can't invite %(name)s.") % {"name": person.username})
        _check_rating(game, person)
        by_name = game.seats.free().filter(invited=person, invited_address="")
        if not by_name.kept().exists():
            end_by_address(game, person)
            _keep_seat(game, person, declined=_declined_seat(by_name, person.username))
            notifications.owe_invitation(game, person)
        return game


def invite_address(key: str, opener: User, address: str, owe_mail: OweMail) -> Game:
    """Keep a seat of the table `key` for the person with an email address, and return the table.

    Do nothing if one is kept already. The account that has confirmed the address gets a notification, unless
    it is at the table or invited to it, or keeps apart from the opener. Without such an account, `owe_mail`
    is called, unless its owner wants no invitations, or an account with it keeps apart from the opener.

    A person who has declined by reply is asked once more. Raises Gone, NotSeated, and Conflict if they have
    declined, or no seat is free.
    """
    address = address.lower()
    with transaction.atomic():
        game = _lock_own_table(key, opener)
        by_address = game.seats.free().filter(invited_address=address)
        if by_address.kept().exists():
            return game
        declined = _declined_seat(by_address, address)
        person = owner_of(address)
        is_told = _is_told(game, opener, person, address)
        # The opener sees the same in each case.
        _keep_seat(game, person if is_told else None, address, declined)
        if is_told and person is not None:
            notifications.owe_invitation(game, person)
        elif is_told:
            owe_mail(game)
        return game


def _is_told(game: Game, opener: User, person: User | None, address: str) -> bool:
    """Return whether the owner of an address learns of an invitation; `person` is who has confirmed it."""
    if person is not None:
        others = game.seats.exclude(invited_address=address)
        is_there = others.filter(Q(user=person) | Q(invited=person)).exists()
        return not is_there and may_invite(opener, person)
    # Nobody has confirmed it, or emails to it came back. Its owner may have blocked the opener.
    addresses = EmailAddress.objects.filter(email=address, user__in=apart_from(opener.pk))
    return not addresses.exists() and not is_closed(address)


def withdraw(key: str, opener: User, number: int) -> Game:
    """Keep the seat `number` of the table `key` for nobody any more. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game = _lock_own_table(key, opener)
        kept = game.seats.kept().filter(number=number)
        people = list(kept.exclude(invited=None).values_list("invited", flat=True))
        if kept.update(**NO_INVITATION):
            count_change(game, *people)
        return game


def accept_by_mail(game: Game, user: User, address: str) -> None:
    """Seat a person who accepts by email. They see no page, so they do not count as present.

    `address` is the one to which the invitation was sent; empty if `user` was invited by name. Raises Gone
    and Conflict.
    """
    with transaction.atomic():
        join(game.key, user, address)
        game.seats.filter(user=user).update(seen_at=None)


def decline_address(key: str, address: str) -> Game:
    """Free the seat that is kept for an email address at a table; do nothing if none is. Raises Gone.

    The opener sees that it was declined.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if game.seats.kept_for_address(address).update(has_declined=True):
            count_change(game)
        return game


def decline_by_mail(seat: Seat) -> None:
    """Free the seat that is kept for a person who declines by email. Raises Gone."""
    with transaction.atomic():
        if seat.invited is not None:
            decline(seat.game.key, seat.invited)
        else:
            decline_address(seat.game.key, seat.invited_address)
        Seat.objects.filter(pk=seat.pk).update(has_declined_by_reply=True)


def give_back(seat: Seat, invited: User, address: str, invited_at: datetime) -> None:
    """Free the seat of a person who has accepted an invitation and declines it now, before the game starts.

    The seat is as if they had declined first: `address` and `invited_at` are those of their invitation.
    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = leave(seat.game.key, invited)
        columns = {"invited": invited, "invited_address": address, "invited_at": invited_at}
        declined = {"has_declined": True, "has_declined_by_reply": True}
        game.seats.free().filter(pk=seat.pk).update(**columns, **declined)


def keep_for_owner(address: str, owner: User) -> None:
    """Keep the seats that are kept for an email address for the user who has confirmed it now."""
    kept = Seat.objects.kept_for_address(address).filter(invited=None)
    kept = kept.exclude(game__opened_by__in=apart_from(owner.pk))
    kept = kept.exclude(game__seats__user=owner).exclude(game__seats__invited=owner)
    for key in list(kept.values_list("game__key", flat=True)):
        with suppress(Gone), transaction.atomic():
            game = lock_game(key=key)
            game.seats.kept_for_address(address).filter(invited=None).update(invited=owner)
            count_change(game)


def close_address(address: str) -> None:
    """Store that no more invitations are sent to an email address, and nothing else about it."""
    ClosedAddress.objects.get_or_create(digest=digest_of(address))
    outbox.forget(address)


def open_address(address: str) -> None:
    """Allow invitations to an email address again."""
    ClosedAddress.objects.filter(digest=digest_of(address)).delete()


def _lock_own_table(key: str, opener: User) -> Game:
    game = lock_game(key=key)
    if opener.pk != game.opened_by_id:
        raise NotSeated(_("Only the person who opened this table can invite people."))
    if not game.is_open:
        raise Conflict(_("You can't invite anybody, because the game has started."))
    return game


def _check_rating(game: Game, person: User) -> None:
    """Raise Conflict if a person could not accept because of their rating."""
    own = ratings_of([person.pk], game.title)[person.pk]
    if person.is_guest and game.needs_account:
        raise Conflict(
            _("Players at this table need a rating. %(name)s is a guest and has none.")
            % {"name": person.username}
        )
    if not game.admits(own):
        raise Conflict(
            _("The rating of %(name)s, %(own)d, is outside the range of your table.")
            % {"name": person.username, "own": own.number}
        )


def _declined_seat(seats: SeatQuerySet, name: str) -> Seat | None:
    """Return the one of the seats to which a person was invited that they have declined; None without one.

    Raises Conflict if they may not be asked once more, so that nobody is asked again and again.
    """
    seat = seats.filter(has_declined=True).order_by("-was_asked_again").first()
    if seat is not None and (seat.was_asked_again or not seat.has_declined_by_reply):
        raise Conflict(_("%(name)s has declined a seat at this table.") % {"name": name})
    return seat


def _keep_seat(game: Game, person: User | None, address: str = "", declined: Seat | None = None) -> None:
    """Keep the seat that the person has declined, or else the first one that is free for anybody.

    Raises Conflict if there is none.
    """
    seat = declined or game.seats.free_for_anybody().order_by("number").first()
    if seat is None:
        raise Conflict(
            _(
                "Every seat is taken or kept for somebody. "
                "To invite somebody else, withdraw an invitation first."
            )
        )
    seat.end_invitation()
    seat.invited, seat.invited_address, seat.invited_at = person, address, timezone.now()
    seat.was_asked_again = declined is not None
    seat.save(update_fields=list(NO_INVITATION))
    count_change(game)
