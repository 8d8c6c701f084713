"""Bots' turns: the search runs outside any transaction, then the action is stored like a person's."""

import logging
import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from accounts.queueing import queue
from games import metrics
from games.log.replay import public_log
from games.models import Game
from games.services import after_commit, bot_queue, presence, searches
from games.services.errors import Refused
from games.services.play import lock_game, play_for_bot
from games.titles.actions import SeatAction
from games.titles.registry import Title, title_named
from games.titles.rules import AnyPosition

logger = logging.getLogger(__name__)

# The limits of a turn's task, in seconds. Only pools of processes have limits. `make play` uses threads, so
# there only the search's own limits end a turn (`searches`).
SOFT_LIMIT = 10
HARD_LIMIT = 15
# The sweep queues turns in the games of at most this many people.
MOST_PER_SWEEP = 500


def take_turn(game_id: int, number: int, *, task: str = "", without_search: bool = False) -> None:
    """Play a bot's turn as action `number` of the log; do nothing if the log already has this action.

    If the game waits for several bots, it is the turn of the first, if possible of one whose turns have this
    `task`; its action queues the next turn. Pass `without_search` after a search that was killed.
    """
    game = Game.objects.running().filter(pk=game_id, version=number - 1).select_related("deal").first()
    if game is None:
        return
    bots = game.seats.awaited().played_by_bots()
    seat = min(bots, key=lambda bot: bot_queue.task_of(game.title, bot.level) != task, default=None)
    if seat is not None:
        with bot_queue.kept_queued(game):
            play_turn(game, seat.number, seat.level, without_search=without_search)


def play_turn(game: Game, seat: int, level: str, *, without_search: bool = False) -> None:
    """Play the turn of a seat that a bot plays, its own or for a person, as a bot of this level plays it.

    While a player has the game open, the action waits on the queue until the bots' pause is over. If the log
    has grown past `game.version`, nothing happens. Raises ValueError if it is not the turn of `seat`.
    """
    number, title = game.version + 1, title_named(game.title)
    log = public_log(game, seat=seat)
    if len(log.steps) != game.version:
        return  # Another worker was quicker.
    if seat not in log.position.awaited:
        raise ValueError(f"It is not the turn of seat {seat}.")
    if without_search:
        action = choose_without_search(title, log.position, seat)
    else:
        with metrics.BOT_SECONDS.labels(game.title, level).time():
            action = _choose(title, game, log.position, seat, level)
    if pause := _rest_of_pause(game):
        bot_queue.mark_queued(game, pause + bot_queue.LEASE)
        chosen = (after_commit.BOT_ACTION, game.pk, number, title.rules.action_to_json(action))
        if queue(*chosen, countdown=pause.total_seconds()):
            return
    _append(game.pk, number, action)


def play_chosen(game_id: int, number: int, payload: dict[str, object]) -> None:
    """Play the action that a bot chose before its pause; do nothing if the log already has this number."""
    game = Game.objects.filter(pk=game_id).only("title").first()
    if game is not None:
        _append(game_id, number, title_named(game.title).rules.action_from_json(payload))


def choose_without_search(title: Title, position: AnyPosition, seat: int) -> SeatAction:
    """Return a legal action at little cost. The position is as the seat sees it."""
    action: SeatAction = title.bots.choose_without_search(position, seat, random.Random())
    return action


def _choose(title: Title, game: Game, position: AnyPosition, seat: int, level: str) -> SeatAction:
    """Return the action of a level, or one without a search if the level finds none.

    The position is as the seat sees it. It is not logged, because it shows what only this seat may know.
    """
    bots = title.bots
    try:
        if bots.levels[level].is_quick:
            action: SeatAction = bots.choose(position, seat, level, random.Random())
        else:
            action = searches.run(SOFT_LIMIT, bots.choose, position, seat, level, random.Random())
        if position.is_legal(action):
            return action
        logger.error("A bot (%s) chose an illegal action after %d of %s", level, game.version, game.key)
    except Exception:
        # This includes the soft limit of the task, which can interrupt the search anywhere.
        logger.exception("A bot (%s) found no action after %d of %s", level, game.version, game.key)
    return choose_without_search(title, position, seat)


def _rest_of_pause(game: Game) -> timedelta:
    """Return how long the next action of a bot has to wait: not at all, if no player has the game open.

    It is never longer than the pause, even if the clock was set back after the last action.
    """
    assert game.moved_at is not None
    pause = timedelta(seconds=settings.BOT_PAUSE)
    if not pause or not presence.is_any_player_here(game.pk):
        return timedelta(0)
    return max(timedelta(0), min(pause, game.moved_at + pause - timezone.now()))


def _append(game_id: int, number: int, action: SeatAction) -> None:
    try:
        with transaction.atomic():
            bots = lock_game(pk=game_id).seats.awaited().played_by_bots()
            # A person may have taken their seat back during the search.
            if bots.filter(number=action.seat).exists():
                play_for_bot(game_id, action, number)
    except Refused:
        # A player resigned during the search. That action has queued the next turn already.
        if Game.objects.filter(pk=game_id, version=number - 1).exists():
            raise


def queue_waiting_turns() -> None:
    """Queue the next turn of each person in whose games a turn waits and none is queued or running.

    So it finds turns that were lost because the broker was down or a worker was killed. It waits for no lock:
    the next sweep tries again.
    """
    for task in (after_commit.QUICK_TURN, after_commit.BOT_TURN):
        bot_queue.end_lost_leases(task)
        turns = bot_queue.turns_of(task)
        queued = set(turns.filter(bot_queue.is_queued()).values_list("opened_by", flat=True))
        owners = dict.fromkeys(turns.order_by("moved_at").values_list("opened_by", flat=True))
        for owner in [owner for owner in owners if owner not in queued][:MOST_PER_SWEEP]:
            if not bot_queue.queue_next_turn(owner, task, wait=False):
                return


def oldest_turn(task: str) -> datetime | None:
    """Return when the turn of this task that has waited longest began; None if none waits."""
    oldest: datetime | None = bot_queue.turns_of(task).aggregate(at=Min("moved_at"))["at"]
    return oldest


def forget_queued_turns() -> None:
    """Store that no turn is queued or running, for a site whose queues are empty when it starts."""
    Game.objects.filter(bot_queued_until__isnull=False).update(bot_queued_until=None)
