"""Projections that a process of the release before has left behind, rebuilt by the sweep.

Such processes still run between `manage.py migrate` and the restart of all units. They store actions without
the columns that are new in this release, and without `Game.projected_version`.
"""

import logging
from datetime import timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.models import Game, GameQuerySet
from games.services.play import lock_game
from games.services.projections.games import rebuild

logger = logging.getLogger(__name__)

# The action that such a process stored is at most so old when the sweep of this release starts. Older ones
# are found by `manage.py rebuild_games`.
LONGEST_UPDATE = timedelta(days=1)
BATCH = 20  # games in one run of the sweep, so that it delays nothing


def heal() -> None:
    """Rebuild the projections of some games that are out of date; the next call goes on."""
    for pk in _outdated().order_by("pk").values_list("pk", flat=True)[:BATCH]:
        try:
            _heal(pk)
        except (OperationalError, InterfaceError):
            raise  # The database is away or busy, so the next sweep tries again.
        except Exception:
            logger.exception("Cannot rebuild the projections of game %s.", pk)
            # Once is enough: its log will be as broken at the next sweep.
            Game.objects.filter(pk=pk).update(projected_version=F("version"))


def _outdated() -> GameQuerySet:
    """Return the games whose last action was stored by a process of the release before, by an index."""
    started = Game.objects.filter(status__in=(Game.Status.RUNNING, Game.Status.OVER))
    is_outdated = Q(projected_version=None) | ~Q(projected_version=F("version"))
    recent = started.filter(moved_at__gt=timezone.now() - LONGEST_UPDATE)
    return recent.filter(is_outdated).under_known_rules()


@transaction.atomic
def _heal(pk: int) -> None:
    rebuild(lock_game(pk=pk))
