"""Hand over a seat: its player offers it, somebody takes it, and the others can object for a day."""

from contextlib import suppress

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import OBJECTION_TIME, Game, Seat, SeatOffer
from games.services import after_commit, notifications, uptime
from games.services.errors import Conflict, Gone, NotSeated, Refused
from games.services.play import lock_game
from games.services.seat_changes import hand_to_person
from games.services.tables import (
    check_may_sit,
    check_measures,
    check_rating,
    check_reliability,
    count_change,
    lock_people,
    lock_person,
)
from games.titles.registry import has_hands


def offer(key: str, user: User, *, is_public: bool) -> Game:
    """Offer the seat of `user` to a friend with the link, or to everybody; do nothing if it is offered.

    The clock runs on, and `user` plays on until the seat changes hands. Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        if game.duplicate:
            raise Conflict(_("Seats of a duplicate match don't change hands. If you must stop, resign."))
        offers = game.seat_offers.filter(seat=seat.number)
        if offers.running().exists():
            return game
        check_measures(user, is_public=is_public)
        if is_public and not game.is_public:
            raise Conflict(_("This game is not listed, so you can offer your seat only by link."))
        objected = offers.filter(outcome=SeatOffer.Outcome.OBJECTED, offered_by=user)
        if objected.filter(settled_at__gt=timezone.now() - OBJECTION_TIME).exists():
            raise Conflict(_("Another player objected. You can offer your seat again after a day."))
        offered = SeatOffer.objects.create(game=game, seat=seat.number, is_public=is_public, offered_by=user)
        if offered.has_objection_time:
            notifications.owe_seat_offer(offered)
        _show_change(offered)
        return game


def withdraw(key: str, user: User) -> Game:
    """Withdraw the offer of the seat of `user`; do nothing without one. Raises Gone, NotSeated, Conflict."""
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        for offered in game.seat_offers.running().filter(seat=seat.number):
            _settle(offered, SeatOffer.Outcome.WITHDRAWN)
        return game


def object_to(key: str, user: User, offer_id: int) -> Game:
    """Object to the offer of another player's seat, which ends it; do nothing if it is settled.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        offered = game.seat_offers.running().filter(pk=offer_id).first()
        if offered is None:
            return game
        if not offered.has_objection_time or offered.seat == seat.number:
            raise Conflict(_("You can't object to this offer."))
        _settle(offered, SeatOffer.Outcome.OBJECTED)
        return game


def take(offer_key: str, user: User) -> Game:
    """Take an offered seat for `user`; do nothing if they have taken it before.

    They get it after a day, or immediately if nobody can object. Raises Gone, Suspended and Conflict.
    """
    with transaction.atomic():
        user = lock_person(user)
        game, offered = _lock_offer(key=offer_key)
        if offered.taker_id == user.pk:
            return game
        if offered.settled_at is not None or offered.taken_at is not None or not game.is_running:
            raise Conflict(_("This seat is not free any more. You can watch the game."))
        if game.seats.filter(user=user).exists():
            raise Conflict(_("You have a seat in this game already."))
        if (
            has_hands(game.title)
            and game.seat_changes.filter(former=user).exclude(seat=offered.seat).exists()
        ):
            raise Conflict(_("You can't take this seat, because you have seen another hand of this game."))
        given_up = game.seat_offers.filter(seat=offered.seat, taker=user, outcome=SeatOffer.Outcome.LAPSED)
        if given_up.filter(settled_at__gt=timezone.now() - OBJECTION_TIME).exists():
            raise Conflict(_("You have given this seat up. You can take it again after a day."))
        # Strangers find a listed game, also with a link to the seat.
        check_may_sit(user, game.seats.values_list("user", flat=True), is_public=game.is_public)
        check_rating(game, user)
        check_reliability(game, user)
        offered.taker, offered.taken_at = user, timezone.now()
        offered.save(update_fields=["taker", "taken_at"])
        notifications.owe_seat_offer(offered)
        if offered.has_objection_time:
            _show_change(offered)
        else:
            _carry_out(game, offered)
        return game


def give_up(offer_key: str, user: User) -> Game:
    """Offer a seat again that `user` has taken and does not get yet; do nothing if they did so before.

    The new offer has another key, and `user` can't take it on the same day: the others get an email each time
    that somebody takes a seat. Raises Gone and Conflict.
    """
    with transaction.atomic():
        game, offered = _lock_offer(key=offer_key)
        if offered.taker_id != user.pk:
            raise Conflict(_("You have not taken this seat."))
        if offered.outcome == SeatOffer.Outcome.DONE:
            raise Conflict(_("The seat is yours now. You can hand it over or resign."))
        if offered.settled_at is not None:
            return game
        _settle(offered, SeatOffer.Outcome.LAPSED)
        again = SeatOffer.objects.create(
            game=game, seat=offered.seat, is_public=offered.is_public, offered_by=offered.offered_by
        )
        notifications.owe_seat_offer(again)
        _show_change(again)
        return game


def leave_public_offers(user: User) -> None:
    """Withdraw the seat that a person offers to everybody, and give up those in games for everybody."""
    offers = SeatOffer.objects.running().filter(game__is_public=True).select_related("game")
    for offered in offers.filter(is_public=True, offered_by=user, taken_at=None):
        with suppress(Refused):  # Somebody may have taken it in the meantime.
            withdraw(offered.game.key, user)
    _give_up_all(user, offers.filter(taker=user))


def keep_apart(user: User, person: User) -> None:
    """Let each of two people give up the seats that they have taken in games of the other."""
    for taker, other in ((user, person), (person, user)):
        _give_up_all(taker, SeatOffer.objects.running().filter(taker=taker, game__seats__user=other))


def _give_up_all(taker: User, offers: QuerySet[SeatOffer]) -> None:
    for offered in offers.order_by("game_id"):
        with suppress(Refused):
            give_up(offered.key, taker)


def undisputed_ids() -> list[int]:
    """Return the ids of the offers to which nobody has objected in time, at most 1000."""
    until = uptime.acts_until()
    if until is None:
        return []
    offers = SeatOffer.objects.undisputed(until).order_by("taken_at")
    return list(offers.values_list("pk", flat=True)[:1000])


def finish(offer_id: int) -> None:
    """Give an offered seat to its taker when the time to object is over; do nothing in every other case."""
    until = uptime.acts_until()
    if until is None:
        return
    with transaction.atomic():
        lock_people(SeatOffer.objects.filter(pk=offer_id).values_list("taker", flat=True))
        try:
            game, offered = _lock_offer(pk=offer_id)
        except Gone:
            return
        if SeatOffer.objects.undisputed(until).filter(pk=offered.pk).exists():
            _carry_out(game, offered)


def _lock_offer(**lookup: object) -> tuple[Game, SeatOffer]:
    """Return the game of an offer, with its row locked, and the offer as it is then. Raises Gone."""
    game_id = SeatOffer.objects.filter(**lookup).values_list("game", flat=True).first()
    if game_id is None:
        raise Gone
    game = lock_game(pk=game_id)
    offered = game.seat_offers.select_related("taker").get(**lookup)
    offered.game = game
    return game, offered


def _seat_of(game: Game, user: User) -> Seat:
    """Return the seat of a person who plays in a running game with others. Raises NotSeated and Conflict."""
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotSeated(_("You have no seat in this game, so you can only watch it."))
    if not game.is_running or game.is_solo or seat.has_left:
        raise Conflict(_("Seats change hands only in running games with others."))
    return seat


def _carry_out(game: Game, offered: SeatOffer) -> None:
    taker = offered.taker
    assert taker is not None, "nobody has taken the seat"
    players = set(game.seats.values_list("user", flat=True))
    try:
        # As when they took it: much can have happened within the day.
        check_may_sit(taker, players, is_public=game.is_public)
    except Refused:
        may_sit = False
    else:
        may_sit = taker.pk not in players
    if not may_sit:
        _settle(offered, SeatOffer.Outcome.LAPSED)
        return
    seat = game.seats.select_related("user").get(number=offered.seat)
    former = hand_to_person(game, seat, taker)
    _settle(offered, SeatOffer.Outcome.DONE)
    after_commit.update_open_pages(game, former.pk)
    if seat.is_awaited:
        notifications.owe_turn_again(game, taker)
    else:
        notifications.owe_new_seat(offered)


def _settle(offered: SeatOffer, outcome: str) -> None:
    offered.settled_at, offered.outcome = timezone.now(), outcome
    offered.save(update_fields=["settled_at", "outcome"])
    _show_change(offered)


def _show_change(offered: SeatOffer) -> None:
    """Update the open pages of the game, and the home pages that list the seat."""
    count_change(offered.game)
    if offered.is_public:
        after_commit.update_home_pages(offered.game)
