"""Plans: a player stores what they want to do when their turn comes.

`services.play` plays a plan in the transaction of the action that begins the turn. Nothing that this module
stores changes any page of anybody else, so it sends no updates.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Viewer
from games.log.replay import public_log
from games.models import MOST_WISHES, Plan, Seat
from games.novaluna.engine import Place, Position, Refill, action_to_json
from games.services.errors import BadPlan, Conflict
from games.services.play import MOVED_ON, check_plays_own_seat, lock_game, seat_of


def change(
    key: str, user: Viewer, wishes: Sequence[Place | Refill], number: int, outlasts_refill: bool
) -> None:
    """Store the plan of `user` for their next turn in the game `key`; without wishes, remove it.

    The wishes are for the seat of `user`; their own `seat` is ignored. `number` is the number of the next
    action on the page that the player has seen: if tiles are revealed after that, the plan is not played,
    unless it `outlasts_refill`. A second call with the same arguments changes nothing.

    Raises Gone, NotSeated, Conflict (the player can't plan now, or `number` is beyond the log) and BadPlan.
    """
    _store(seat_of(user, key), wishes, number, outlasts_refill)


def change_by_mail(seat: Seat, wishes: Sequence[Place | Refill], number: int, outlasts_refill: bool) -> None:
    """Store the plan of a person who plays by email, as `change` does. Raises Conflict and BadPlan.

    The person sees no page, so they do not count as present, which others could notice.
    """
    _store(seat, wishes, number, outlasts_refill)


def _store(seat: Seat, wishes: Sequence[Place | Refill], number: int, outlasts_refill: bool) -> None:
    assert seat.user_id is not None
    actions = [wish._replace(seat=seat.number) for wish in dict.fromkeys(wishes)]
    with transaction.atomic():
        game = lock_game(pk=seat.game_id)
        if not actions:
            Plan.objects.filter(game=game, user=seat.user_id).delete()
            return
        if not game.is_running or game.is_solo:
            raise Conflict(_("You can only make a plan while a game with others is running."))
        if number > game.version + 1:
            raise Conflict(MOVED_ON)
        check_plays_own_seat(game, seat.user_id)
        log = public_log(game)
        _check(actions, log.position, seat)
        Plan.objects.update_or_create(
            game=game,
            user_id=seat.user_id,
            defaults={
                "wishes": [action_to_json(action) for action in actions],
                "revealed_count": log.at(number - 1).revealed_count,
                "outlasts_refill": outlasts_refill,
            },
        )


def _check(actions: Sequence[Place | Refill], position: Position, seat: Seat) -> None:
    """Raise Conflict if the player can't plan now, and BadPlan if a wish can never be played.

    Unknown and undrawn tiles are refused alike, because nobody may learn what is in the draw pile.
    """
    if seat.number not in position.in_play:
        raise Conflict(_("You are out of the game. You can keep watching."))
    if position.to_move == seat.number:
        raise Conflict(_("It is your turn now, so you can play immediately."))
    if len(actions) > MOST_WISHES:
        raise BadPlan(_("A plan can have up to %(count)d moves.") % {"count": MOST_WISHES})
    in_sight = {tile.code for tile in position.wheel.spaces if tile}
    for action in actions:
        if isinstance(action, Refill):
            if not position.draw_pile:
                raise BadPlan(_("The draw pile is empty, so nobody can refill the wheel any more."))
        elif action.tile not in in_sight:
            raise BadPlan(_("A tile of this plan is not on the wheel any more. Please choose another one."))
        elif action.cell not in position.displays[seat.number].free_cells:
            raise BadPlan(_("You can't place a tile of this plan there. Please choose another cell."))
