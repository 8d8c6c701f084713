"""Which bots' turns are queued, so that nobody's games delay another person's.

Bots' turns have two queues: one for levels that search, one for levels that need milliseconds. On each queue
there is at most one turn at a time of the games that one person has opened. When it has been played, the turn
that has waited longest in this person's games follows. So a turn waits for at most one turn of each other
person, even if somebody has left twenty games to bots.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameQuerySet, Seat
from games.services import after_commit

# The levels that need a millisecond. The tasks of all others have the name `after_commit.BOT_TURN`.
QUICK_LEVELS = ("easy", "medium")

# A turn counts as queued for this time. If no worker has started it by then, the sweep queues it again.
LONGEST_WAIT = timedelta(seconds=60)


def queue_turns(game: Game) -> None:
    """After the commit, queue the next turns of bots in the games of this game's opener.

    Call this after each action in a game with bots: its next turn may be a bot's, and a turn in another game
    may have waited for this one.
    """
    owner, levels = game.opened_by_id, game.seats.exclude(bot="").values_list("bot", flat=True)
    tasks = sorted({_task_of(level) for level in levels})
    transaction.on_commit(lambda: [queue_next_turn(owner, task) for task in tasks], robust=True)


def queue_next_turn(owner: int | None, task: str) -> bool:
    """Queue the next turn in the games that the user `owner` has opened, if none is queued or running.

    Returns False if the broker did not take it.
    """
    with transaction.atomic():
        # Locked, so that two processes cannot queue turns of two games.
        if owner is not None:
            User.objects.select_for_update(no_key=True).get(pk=owner)
        turns = turns_of(task).filter(opened_by=owner)
        if turns.filter(is_queued()).exists():
            return True
        # A turn that was queued before and not played comes last, so that it does not block the others.
        game = turns.order_by(F("bot_queued_until").asc(nulls_first=True), "moved_at").first()
        if game is None:
            return True
        hold(game, LONGEST_WAIT)
    if after_commit.queue(task, game.pk, game.version + 1):
        return True
    _set_queued_until(game, None)
    return False


def hold(game: Game, lease: timedelta) -> None:
    """Store that the turn of the bot that is to move is queued or running, for the time of this lease."""
    _set_queued_until(game, timezone.now() + lease)


def turns_of(task: str) -> GameQuerySet:
    """Return the games in which a bot is to move whose turns have this task."""
    movers = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("to_move")).exclude(bot="")
    is_quick = Q(bot__in=QUICK_LEVELS)
    bots = movers.filter(is_quick if task == after_commit.QUICK_TURN else ~is_quick)
    return Game.objects.running().under_known_rules().filter(Exists(bots))


def is_queued() -> Q:
    """Return the condition that the turn of a game is queued or running.

    A lease that is longer than any is from before the clock was set back, so it does not count.
    """
    now = timezone.now()
    longest = LONGEST_WAIT + timedelta(seconds=settings.BOT_PAUSE)
    return Q(bot_queued_until__gt=now, bot_queued_until__lte=now + longest)


def _set_queued_until(game: Game, until: datetime | None) -> None:
    # Without effect if the game has moved on, because that turn is over.
    Game.objects.filter(pk=game.pk, version=game.version).update(bot_queued_until=until)


def _task_of(level: str) -> str:
    return after_commit.QUICK_TURN if level in QUICK_LEVELS else after_commit.BOT_TURN
