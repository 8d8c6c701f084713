"""Hints: asked for during a turn by its player, thought out by a worker, kept from everybody else."""

import logging
import random
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Viewer
from games.engine import Place, Position, Refill, action_to_json
from games.log.replay import public_log
from games.models import Game, Hint, Seat
from games.services import after_commit, presence
from games.services.bots import plain_choice
from games.services.errors import Conflict, NotSeated
from games.services.play import MOVED_ON, lock_game

logger = logging.getLogger(__name__)

# A hint is given up after the first, in seconds, and its process killed after the second.
GIVES_UP = 10
KILLED = 15
# Only then is it queued a second time: whoever thinks about it is dead, and nobody gave one without a search.
OVERDUE = timedelta(seconds=KILLED + 5)


def ask(key: str, user: Viewer, number: int) -> Hint:
    """Return the hint for action `number` of the game `key`; the first makes the game count for nothing.

    Who asks again on the same turn gets the same hint again. Raises NotSeated, and
    Conflict where no hint is to be had: with other people at the table, out of turn, or for a turn that has
    gone by.
    """
    if not user.is_authenticated:
        raise NotSeated(_("You are not logged in. Log in to play on."))
    # Before the lock, for which watchers must not make players wait; seats don't change in a running game.
    seat = Seat.objects.filter(game__key=key, user=user.pk).first()
    if seat is None:
        raise NotSeated(_("You have no seat in this game: hints are for its player."))
    if Seat.objects.filter(game=seat.game_id, bot="").exclude(pk=seat.pk).exists():
        raise Conflict(_("There are no hints in games with other people. Try them solo or against bots."))
    presence.mark(key, user.pk)
    with transaction.atomic():
        game = lock_game(pk=seat.game_id)
        if game.is_over:
            raise Conflict(_("This game is over. Its review tells what would have been better."))
        if number != game.version + 1:
            raise Conflict(MOVED_ON)
        if game.to_move != seat.number:
            raise Conflict(_("It is not your turn. Ask for a hint when it is."))
        hint, is_new = Hint.objects.get_or_create(game=game, number=number, defaults={"seat": seat.number})
        if is_new:
            game.is_rated = False
            game.save(update_fields=["is_rated"])
            after_commit.queue_hint(hint)
        return hint


def think_out(hint_id: int, *, without_search: bool = False) -> None:
    """Find the best action for the turn of a hint, unless that has been done or the turn has gone by.

    `without_search` is without any search, after one that had to be killed.
    """
    hint = _unthought().filter(pk=hint_id).select_related("game__deal").first()
    if hint is None:
        return
    log = public_log(hint.game)
    if len(log.steps) != hint.number - 1:
        return  # played in the meantime
    action, value = (plain_choice(log.position), None) if without_search else _best(log.position, hint.seat)
    # Whoever was quicker has been read already.
    Hint.objects.filter(pk=hint_id, payload__isnull=True).update(payload=action_to_json(action), value=value)


def overdue() -> list[int]:
    """Return the hints for turns still on that nobody has thought out in due time."""
    left = _unthought().filter(asked_at__lt=timezone.now() - OVERDUE)
    return list(left.order_by("asked_at").values_list("pk", flat=True)[:100])


def _unthought() -> QuerySet[Hint]:
    running = Game.Status.RUNNING
    return Hint.objects.filter(payload__isnull=True, game__status=running, game__version=F("number") - 1)


def _best(position: Position, seat: int) -> tuple[Place | Refill, float | None]:
    """Return the expert's action and what it is worth; without a search to tell, a good one and None."""
    # Imported here: a process that only asks for hints needs none of the search in its memory.
    from games.bots import TooLarge, estimates

    try:
        best = estimates(position, seat, random.Random())[0]
        if position.is_legal(best.action):
            return best.action, round(best.worth.value, 4)
        logger.error("The expert's hint is %s, which is illegal, in %s", best.action, position.state())
    except TooLarge:
        logger.info("A display is too large for the search: seat %d gets a plain hint.", seat)
    except Exception:
        # The task's soft time limit too, which strikes wherever the search happens to be.
        logger.exception("The expert found no hint in %s", position.state())
    return plain_choice(position), None
