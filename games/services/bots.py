"""Bots' turns: the search runs outside any transaction, then the action is stored like a person's."""

import logging
import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.bots import choose_greedily
from games.engine import Action, Place, Position, Refill, action_from_json, action_to_json
from games.log.replay import public_log
from games.models import Game, Seat
from games.services import after_commit, presence
from games.services.errors import Refused
from games.services.play import play_for_bot

logger = logging.getLogger(__name__)

# The sweep queues a turn again if no worker has played it within this time after the bots' pause.
OVERDUE_AFTER = timedelta(seconds=5)


def take_turn(game_id: int, number: int, *, without_search: bool = False) -> None:
    """Play the bot's turn as action `number` of the log; do nothing if the log already has this action.

    Pass `without_search` after a search that was killed.
    """
    game = Game.objects.running().filter(pk=game_id, version=number - 1).select_related("deal").first()
    if game is None or game.to_move is None:
        return
    seat = game.seats.get(number=game.to_move)
    if seat.bot:
        play_turn(game, seat.number, seat.bot, without_search=without_search)


def play_turn(game: Game, seat: int, level: str, *, without_search: bool = False) -> None:
    """Play the turn of any seat, a bot's or a person's, as a bot of this level plays it.

    While a player has the game open, the action waits on the queue until the bots' pause is over. If the log
    has grown past `game.version`, nothing happens. Raises ValueError if it is not the turn of `seat`.
    """
    number = game.version + 1
    log = public_log(game)
    if len(log.steps) != game.version:
        return  # Another worker was quicker.
    if log.position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    action = choose_without_search(log.position) if without_search else _choose(log.position, seat, level)
    wait = _end_of_pause(game) - timezone.now()
    if wait > timedelta(0) and after_commit.queue(
        after_commit.BOT_ACTION, game.pk, number, action_to_json(action), countdown=wait.total_seconds()
    ):
        return
    _append(game.pk, number, action)


def play_chosen(game_id: int, number: int, payload: dict[str, object]) -> None:
    """Play the action that a bot chose before its pause; do nothing if the log already has this number."""
    _append(game_id, number, action_from_json(payload))


def choose_without_search(position: Position) -> Place | Refill:
    """Return a legal action by the rule of thumb of `choose_greedily`, which needs only the engine."""
    return choose_greedily(position, random.Random())


def _choose(position: Position, seat: int, level: str) -> Place | Refill:
    # Imported here to save memory: processes that only queue the turns of bots don't need the search.
    from games.bots import choose

    try:
        action = choose(position, seat, level, random.Random())
        if position.is_legal(action):
            return action
        logger.error("A bot (%s) chose the illegal action %s in %s", level, action, position.state())
    except Exception:
        # This includes the soft limit of the task, which can interrupt the search anywhere.
        logger.exception("A bot (%s) found no action in %s", level, position.state())
    return choose_without_search(position)


def _end_of_pause(game: Game) -> datetime:
    """Return when the next action of a bot may be stored: immediately, if no player has the game open."""
    assert game.moved_at is not None
    pause = settings.BOT_PAUSE if settings.BOT_PAUSE and presence.is_any_player_here(game.pk) else 0
    return game.moved_at + timedelta(seconds=pause)


def _append(game_id: int, number: int, action: Action) -> None:
    try:
        play_for_bot(game_id, action, number)
    except Refused:
        # A player resigned during the search. That action has queued the next turn already.
        if Game.objects.filter(pk=game_id, version=number - 1).exists():
            raise


def overdue_turns() -> list[tuple[int, int]]:
    """Return (game id, action number) of each bot's turn that no worker has played in time, at most 1000."""
    due = timezone.now() - OVERDUE_AFTER - timedelta(seconds=settings.BOT_PAUSE)
    bots = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("to_move")).exclude(bot="")
    running = Game.objects.running().under_known_rules()
    overdue = running.filter(Exists(bots), moved_at__lt=due)
    return [
        (game_id, version + 1)
        for game_id, version in overdue.order_by("moved_at").values_list("pk", "version")[:1000]
    ]
