"""Take-backs: of the last action of a player among bots, or of one on which the players have agreed."""

import uuid
from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Viewer
from games.log.replay import action_to_take_back, public_log, secret_log
from games.models import Action, Game, Seat, allows_take_backs, needs_agreement
from games.services import notifications
from games.services.errors import Conflict
from games.services.play import (
    REUSED,
    Played,
    check_plays_own_seat,
    load_seats,
    lock_game,
    queue_follow_ups,
    seat_of,
    store_step,
)
from games.titles.actions import TakeBack
from games.titles.registry import title_named


def take_back(key: str, user: Viewer, number: int, request_id: uuid.UUID) -> Played:
    """Take back action `number`, the last one of `user` in the game `key`, with all that bots did after it.

    If other people play too, they vote on it instead. The log keeps everything, and gets a `TakeBack`. The
    game does not count for the results any more, as after a hint. A second call with the same request id
    returns the same value and stores nothing.

    Raises Gone, NotSeated, and Conflict: this is not their last action, something was revealed since then,
    nothing can be taken back in this game, or others have to agree.
    """
    seat = seat_of(user, key)
    with transaction.atomic():
        game = lock_game(key=key)
        earlier = Action.objects.filter(game=game, request_id=request_id).first()
        if earlier is not None:
            done, to = earlier.payload.get("do"), earlier.payload.get("to")
            if (earlier.made_by_id, done, to) != (seat.user_id, "take_back", number - 1):
                raise Conflict(REUSED)
            return Played(earlier.number)
        seats = load_seats(game)
        if needs_agreement(seats.values()):
            raise Conflict(_("Other people play too. Please ask them whether you can take this back."))
        check_take_back(game, seats, seat.number, number)
        _take_back(game, seats, seats[seat.number], number, request_id, answered=seat.user_id)
        return Played(game.version)


def check_take_back(game: Game, seats: Mapping[int, Seat], seat: int, number: int | None) -> None:
    """Raise Conflict if a seat cannot take back action `number` now. Call this with the game locked."""
    if not game.is_running or not allows_take_backs(game, seats.values()):
        raise Conflict(
            _("Nothing can be taken back in rated games, in matches, or while a bot plays for a person.")
        )
    check_plays_own_seat(seats[seat])
    if number is None or number != action_to_take_back(game, public_log(game, seat=seat), seat):
        raise Conflict(_("This can't be taken back any more. This is the board now."))


def take_back_for(game: Game, seat: int, number: int) -> None:
    """Take back action `number` of a seat, on which the players have agreed, in the caller's transaction.

    The caller holds the lock on the game's row. Raises Conflict.
    """
    seats = load_seats(game)
    check_take_back(game, seats, seat, number)
    _take_back(game, seats, seats[seat], number, uuid.uuid4(), answered=None)


def _take_back(
    game: Game,
    seats: Mapping[int, Seat],
    seat: Seat,
    number: int,
    request_id: uuid.UUID,
    *,
    answered: int | None,
) -> None:
    """Append a legal take-back. The user `answered` sees the board after it, so they are owed nothing."""
    if game.is_without_hints:
        game.is_without_hints = False
        game.save(update_fields=["is_without_hints"])
    before = {seat.number for seat in seats.values() if seat.is_awaited}
    position = secret_log(game).at(number - 1)
    step = title_named(game.title).rules.step_back(TakeBack(seat.number, number - 1), position)
    store_step(game, seats, step, seat.user_id, request_id)
    for other in sorted(before - position.awaited):
        notifications.withdraw_turn(game, seats[other].user_id)
    begun = {one for one in position.awaited - before if seats[one].user_id != answered}
    queue_follow_ups(game, seats, begun, answered=answered)
