"""Clocks get the time back in which the site was down. `games/services/uptime.py` finds outages."""

import logging
import time
from datetime import datetime

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Game, GameQuerySet, Outage, SeatChange
from games.services import notifications
from games.services.clocks import deadlines_of, run_clocks
from games.services.play import lock_game
from games.services.projections.games import rebuild
from games.services.tables import count_change
from games.titles.registry import has_rules

logger = logging.getLogger(__name__)

# The sweep does so much in one run, because it must not delay the next one.
BATCH = 50  # games
LONGEST_RUN = 2.0  # seconds


def give_back() -> None:
    """Give the clocks of games the time of outages back, for a few seconds; the next call goes on.

    All clocks follow from the log and the stored outages. So it does no harm if a game is done twice, after a
    process was killed or by two at the same time.
    """
    end = time.monotonic() + LONGEST_RUN
    while pending := list(Outage.objects.pending()):
        if time.monotonic() > end:
            return
        # An outage that was found later starts again with the first game, and so do all.
        done = min(outage.given_to or 0 for outage in pending)
        since = min(outage.started_at for outage in pending)
        games = _concerned(since).filter(pk__gt=done).order_by("pk")
        ids = list(games.values_list("pk", flat=True)[:BATCH])
        for pk in ids:
            _give_back(pk, since)
        given_to = ids[-1] if len(ids) == BATCH else None
        Outage.objects.pending().filter(pk__in=[one.pk for one in pending]).update(given_to=given_to)


def _concerned(since: datetime) -> GameQuerySet:
    """Return the games whose clock runs, or in which a turn has ended since an instant."""
    changed = SeatChange.objects.filter(at__gt=since).values("game")
    has_turn = Q(deadline__isnull=False) | Q(moved_at__gt=since) | Q(pk__in=changed)
    return Game.objects.exclude(status=Game.Status.OPEN).filter(has_turn)


def _give_back(pk: int, since: datetime) -> None:
    try:
        _count_again(pk, since)
    except (OperationalError, InterfaceError):
        raise  # The database is away or busy, so the next sweep tries again.
    except Exception:
        # One game that cannot be read must not stop all clocks for ever.
        logger.exception("Cannot give the clocks of game %s the time of an outage back.", pk)


@transaction.atomic
def _count_again(pk: int, since: datetime) -> None:
    """Store the clocks of a game again. Its open pages update if a deadline has moved."""
    game = lock_game(pk=pk)
    deadlines = deadlines_of(game)
    is_log_newer = game.moved_at is not None and game.moved_at > since
    has_ended_turns = is_log_newer or game.seat_changes.filter(at__gt=since).exists()
    if has_ended_turns and has_rules(game.title, game.rules_version):
        rebuild(game)
    else:
        run_clocks(game, game.seats.all(), timezone.now())
    if deadlines_of(game) != deadlines:
        notifications.replace_reminder(game)
        count_change(game)
