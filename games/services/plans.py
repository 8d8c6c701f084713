"""Plans: a player stores what they want to do when their turn comes.

`services.play` plays a plan in the transaction of the action that begins the turn. Nothing that this module
stores changes any page of anybody else, so it sends no updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Viewer
from games.log.replay import public_log
from games.models import MOST_WISHES, Plan, Seat
from games.services.errors import BadPlan, Conflict, Suspended
from games.services.play import MOVED_ON, check_plays_own_seat, lock_game, seat_of
from games.titles.actions import on_seat
from games.titles.registry import title_named
from games.titles.rules import AnyPosition

if TYPE_CHECKING:
    from games.titles.pages import AnyPages


def change(key: str, user: Viewer, wishes: Sequence[Any], number: int, outlasts_reveals: bool) -> None:
    """Store the plan of `user` for their next turn in the game `key`; without wishes, remove it.

    The wishes are for the seat of `user`; their own `seat` is ignored. `number` is the number of the next
    action on the page that the player has seen: if something is revealed after that, the plan is not played,
    unless it `outlasts_reveals`. A second call with the same arguments changes nothing.

    Raises Gone, NotSeated, Suspended, Conflict (the player can't plan now, or `number` is beyond the log) and
    BadPlan.
    """
    _store(seat_of(user, key), wishes, number, outlasts_reveals)


def change_by_mail(seat: Seat, wishes: Sequence[Any], number: int, outlasts_reveals: bool) -> None:
    """Store the plan of a person who plays by email, as `change` does. Raises what it raises.

    The person sees no page, so they do not count as present, which others could notice.
    """
    _store(seat, wishes, number, outlasts_reveals)


def _store(seat: Seat, wishes: Sequence[Any], number: int, outlasts_reveals: bool) -> None:
    assert seat.user_id is not None
    with transaction.atomic():
        game = lock_game(pk=seat.game_id)
        if not wishes:
            Plan.objects.filter(game=game, user=seat.user_id).delete()
            return
        if not game.is_running or game.is_solo:
            raise Conflict(_("You can only make a plan while a game with others is running."))
        if number > game.version + 1:
            raise Conflict(MOVED_ON)
        now = game.seats.select_related("user").get(pk=seat.pk)
        if now.user is not None and now.user.is_suspended:
            raise Suspended
        check_plays_own_seat(now)
        title = title_named(game.title)
        actions = [on_seat(title.rules, wish, seat.number) for wish in dict.fromkeys(wishes)]
        log = public_log(game, seat=seat.number)
        _check(actions, log.position, seat, title.pages)
        Plan.objects.update_or_create(
            game=game,
            user_id=seat.user_id,
            defaults={
                "wishes": [title.rules.action_to_json(action) for action in actions],
                "known": log.at(number - 1).known,
                "outlasts_reveals": outlasts_reveals,
            },
        )


def _check(actions: Sequence[Any], position: AnyPosition, seat: Seat, pages: AnyPages) -> None:
    """Raise Conflict if the player can't plan now, and BadPlan if a wish can never be played."""
    if seat.number not in position.in_play:
        raise Conflict(_("You have left the game. You can keep watching."))
    if seat.number in position.awaited:
        raise Conflict(_("It is your turn now, so you can play immediately."))
    if len(actions) > MOST_WISHES:
        raise BadPlan(
            _("A plan can have up to %(count)d moves. Please remove one first.") % {"count": MOST_WISHES}
        )
    for action in actions:
        problem = pages.check_wish(action, position, seat.number)
        if problem:
            raise BadPlan(problem)
