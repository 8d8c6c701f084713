"""Which bots' turns are queued, so that nobody's games delay another person's much.

Bots' turns have two queues: one for levels that search, one for levels that need milliseconds. On each queue
there is at most one turn at a time of the games that one person has opened. When it has been played, the next
turn in this person's games follows: first those that other people wait for, and then the one that has waited
longest. So a turn waits for at most one turn of each other person, even if somebody has left twenty games to
bots.

A turn counts until its action is stored. So the bots' pause, in a game that a player has open, delays the
other games of the person who has opened it.
"""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from accounts.queueing import first_arguments, queue
from games.models import Game, GameQuerySet, Seat
from games.services import after_commit
from games.titles.registry import TITLES, title_named

# A turn that no worker has started after this time expires, and the sweep queues it again.
LONGEST_WAIT = timedelta(seconds=60)
# A turn counts as running for this time, unless the worker that plays it says so again. A turn that has been
# queued for as long was lost if it is not in its queue. So a turn that was lost, with Redis, with a worker or
# without the database, costs 13 s.
LEASE = timedelta(seconds=8)
RENEWED_EVERY = LEASE / 3


def queue_turns(game: Game, seats: Iterable[Seat]) -> None:
    """After the commit, queue the next turns of bots in the games of this game's opener; it has these seats.

    Call this after each action in a game with bots: its next turn may be a bot's, and a turn in another game
    may have waited for this one.
    """
    owner = game.opened_by_id
    tasks = sorted({task_of(game.title, seat.level) for seat in seats if seat.level})
    transaction.on_commit(lambda: [queue_next_turn(owner, task) for task in tasks], robust=True)


def queue_next_turn(owner: int | None, task: str, *, wait: bool = True) -> bool:
    """Queue the next turn in the games that the user `owner` has opened, if none is queued or running.

    Without `wait`, do nothing if another session has locked this user. Returns False if the broker did not
    take the turn.
    """
    with transaction.atomic():
        # Locked, so that two processes cannot queue turns of two games.
        owners = User.objects.select_for_update(no_key=True, skip_locked=not wait)
        if owner is not None and not owners.filter(pk=owner).first():
            return True
        turns = turns_of(task).filter(opened_by=owner)
        if turns.filter(is_queued()).exists():
            return True
        game = _next_of(turns)
        if game is None:
            return True
        mark_queued(game, LONGEST_WAIT)
    if queue(task, game.pk, game.version + 1, expires=LONGEST_WAIT.total_seconds()):
        return True
    with transaction.atomic():
        if _unlocked(Game.objects.filter(pk=game.pk)).first():
            _set_queued_until(game, None)
    return False


def _next_of(turns: GameQuerySet) -> Game | None:
    """Return the game whose turn comes next, with its row locked: first those that people wait for.

    A turn that was queued and not played has waited since the end of its lease. So it neither blocks the
    others nor comes last for ever.
    """
    people = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, has_left=False, caretaker="")
    is_awaited = Q(Exists(people), bot_queued_until=None)
    waits_since = Coalesce("bot_queued_until", "moved_at")
    return _unlocked(turns).order_by(Case(When(is_awaited, then=0), default=1), waits_since, "pk").first()


def _unlocked(games: GameQuerySet) -> GameQuerySet:
    """Lock the rows of these games, without those that are locked already, so that nothing waits for them."""
    return games.select_for_update(no_key=True, skip_locked=True)


def mark_queued(game: Game, lease: timedelta) -> None:
    """Store that the bot's turn in a game counts as queued or running until the lease ends."""
    _set_queued_until(game, timezone.now() + lease)


@contextmanager
def kept_queued(game: Game) -> Iterator[None]:
    """Let the bot's turn in a game count as running until the context ends, however long it takes.

    So no other worker starts the same search.
    """
    is_over = threading.Event()

    def renew() -> None:
        # The signal of the soft limit must interrupt the search, which is in another thread.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            while not is_over.wait(RENEWED_EVERY.total_seconds()):
                # The database may be away. If it is back soon enough, the next time succeeds.
                with suppress(DatabaseError, InterfaceError):
                    mark_queued(game, LEASE)
        finally:
            connection.close()

    mark_queued(game, LEASE)
    threading.Thread(target=renew, name="bot's turn", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


def turns_of(task: str) -> GameQuerySet:
    """Return the games that wait for a bot whose turns have this task."""
    movers = Seat.objects.awaited().played_by_bots().filter(game=OuterRef("pk"))
    is_waiting = Q()
    for title in TITLES:
        quick = _quick_levels(title)
        is_quick = Q(bot__in=quick) | Q(caretaker__in=quick)
        bots = movers.filter(is_quick if task == after_commit.QUICK_TURN else ~is_quick)
        is_waiting |= Q(Exists(bots), title=title)
    return Game.objects.running().under_known_rules().filter(is_waiting)


def is_queued() -> Q:
    """Return the condition that the turn of a game is queued or running.

    A lease that is longer than any is from before the clock was set back, so it does not count.
    """
    now = timezone.now()
    return Q(bot_queued_until__gt=now, bot_queued_until__lte=now + max(LONGEST_WAIT, _longest_run()))


def end_lost_leases(task: str) -> None:
    """End the leases of turns that count as queued although they are not in the queue.

    Each ends when it would have ended if a worker had started the turn at once.
    """
    now = timezone.now()
    saved = LONGEST_WAIT - LEASE
    # A worker that has started a turn has made its lease shorter.
    queued = Q(bot_queued_until__gt=now + _longest_run(), bot_queued_until__lte=now + saved)
    lost = turns_of(task).filter(queued)
    if not lost.exists() or (waiting := first_arguments(task)) is None:
        return
    with transaction.atomic():
        pks = list(_unlocked(lost.exclude(pk__in=waiting)).values_list("pk", flat=True))
        Game.objects.filter(pk__in=pks).update(bot_queued_until=F("bot_queued_until") - saved)


def _longest_run() -> timedelta:
    return LEASE + timedelta(seconds=settings.BOT_PAUSE)


def _set_queued_until(game: Game, until: datetime | None) -> None:
    # Without effect if the game has moved on, because that turn is over.
    Game.objects.filter(pk=game.pk, version=game.version).update(bot_queued_until=until)


def task_of(title: str, level: str) -> str:
    """Return the task that plays the turns of a level of a title."""
    return after_commit.QUICK_TURN if level in _quick_levels(title) else after_commit.BOT_TURN


def _quick_levels(title: str) -> list[str]:
    """Return the levels of a title whose turns need no search process. All others count as slow."""
    return [name for name, level in title_named(title).bots.levels.items() if level.is_quick]
