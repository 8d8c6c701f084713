"""The turns of bots: thought out outside any transaction, played like anybody's."""

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

# A turn that a worker holds is not queued a second time before this long, and the pause.
OVERDUE = timedelta(seconds=5)


def take_turn(game_id: int, number: int, *, without_search: bool = False) -> None:
    """Play the bot's action that is to be number `number` of the log; do nothing if the log is past it.

    `without_search` is without any search, after one that had to be killed.
    """
    game = Game.objects.running().filter(pk=game_id, version=number - 1).select_related("deal").first()
    if game is None or game.to_move is None:
        return
    seat = game.seats.get(number=game.to_move)
    if seat.bot:
        play_turn_of(game, seat.number, seat.bot, without_search=without_search)


def play_turn_of(game: Game, seat: int, level: str, *, without_search: bool = False) -> None:
    """Think out and play the turn of any seat, a bot's or a person's, as a bot of this level does.

    Where somebody looks on, the action waits for its moment on the queue. Does nothing if the log is past
    `game.version` already. Raises ValueError where it is not the turn of `seat`.
    """
    number = game.version + 1
    log = public_log(game)
    if len(log.steps) != game.version:
        return  # another worker was quicker
    if log.position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    action = plain_choice(log.position) if without_search else _choice(log.position, seat, level)
    wait = _moment(game) - timezone.now()
    if wait > timedelta(0) and after_commit.queue(
        after_commit.BOT_ACTION, game.pk, number, action_to_json(action), countdown=wait.total_seconds()
    ):
        return
    _append(game.pk, number, action)


def play_chosen(game_id: int, number: int, payload: dict[str, object]) -> None:
    """Play what a bot chose a moment ago, unless the log is past it."""
    _append(game_id, number, action_from_json(payload))


def plain_choice(position: Position) -> Place | Refill:
    """Return a good action found without any search, by the rules' engine alone."""
    return choose_greedily(position, random.Random())


def _choice(position: Position, seat: int, level: str) -> Place | Refill:
    # Imported here: a process that only queues the turns of bots needs none of the search in its memory.
    from games.bots import choose

    try:
        action = choose(position, seat, level, random.Random())
        if position.is_legal(action):
            return action
        logger.error("A bot (%s) chose %s, which is illegal, in %s", level, action, position.state())
    except Exception:
        # The task's soft time limit too, which strikes wherever the search happens to be.
        logger.exception("A bot (%s) found nothing to play in %s", level, position.state())
    return plain_choice(position)


def _moment(game: Game) -> datetime:
    """Return when an action may follow the last one: at once, if nobody is there to follow it."""
    assert game.moved_at is not None
    pause = settings.BOT_PAUSE if settings.BOT_PAUSE and presence.anybody_is_here(game.pk) else 0
    return game.moved_at + timedelta(seconds=pause)


def _append(game_id: int, number: int, action: Action) -> None:
    try:
        play_for_bot(game_id, action, number)
    except Refused:
        # Somebody resigned while the bot thought: the game has moved on, and its next turn is queued already.
        if Game.objects.filter(pk=game_id, version=number - 1).exists():
            raise


def overdue_turns() -> list[tuple[int, int]]:
    """Return (game, action number) of the bots' turns that nobody has played in due time."""
    due = timezone.now() - OVERDUE - timedelta(seconds=settings.BOT_PAUSE)
    bots = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("to_move")).exclude(bot="")
    overdue = Game.objects.running().filter(Exists(bots), moved_at__lt=due)
    return [
        (game_id, version + 1)
        for game_id, version in overdue.order_by("moved_at").values_list("pk", "version")[:1000]
    ]
