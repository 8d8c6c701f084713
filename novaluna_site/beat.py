"""Schedulers for Celery beat that go on when the clock of the machine is set back.

Celery compares the time of the last run with the clock, so that after an hour back it starts no sweep for an
hour (https://github.com/celery/celery/issues/6742).
"""

import logging
from typing import Any

from celery import beat

logger = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """A scheduler that takes a last run in the future for one that has happened now."""

    def tick(self, *args: Any, **options: Any) -> Any:
        """Run what is due, and return after how many seconds to look again."""
        for entry in self.schedule.values():
            now = entry.default_now()
            if entry.last_run_at is not None and entry.last_run_at > now:
                entry.last_run_at = now
                self._heap = None  # Celery fills it again.
        return super().tick(*args, **options)


class PersistentScheduler(Scheduler, beat.PersistentScheduler):
    """The same, with a file that remembers the last runs. On a full disk, it goes on without."""

    def setup_schedule(self) -> None:
        """Read the file, or go on without it."""
        try:
            super().setup_schedule()
        except OSError as error:
            logger.error("The file %s cannot be used: %s", self.schedule_filename, error)
            self._open_schedule = _Memory
            super().setup_schedule()

    def sync(self) -> None:
        """Write the file."""
        try:
            super().sync()
        except OSError as error:
            logger.error("The file %s cannot be written: %s", self.schedule_filename, error)


class _Memory(dict[str, Any]):
    """Has what the file would have, until the process ends."""

    def sync(self) -> None:
        """Write nothing."""

    def close(self) -> None:
        """Write nothing."""
