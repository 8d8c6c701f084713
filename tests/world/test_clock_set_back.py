"""A clock of the machine that is set back by an hour delays nothing by an hour."""

import shelve
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

import pytest
from allauth.core import ratelimit
from celery import beat
from django.conf import settings
from django.core.cache import cache
from django.test import RequestFactory

from novaluna_site.beat import PersistentScheduler, Scheduler
from novaluna_site.celery import app

HOUR = timedelta(hours=1)


@pytest.fixture
def now() -> Iterator[list[datetime]]:
    """The time that Celery reads, in a list."""
    now = [datetime(2026, 6, 1, 12, tzinfo=UTC)]
    with mock.patch.object(app, "now", side_effect=lambda: now[0]):
        yield now


def sweeps_of(scheduler: beat.Scheduler, now: list[datetime], seconds: int) -> int:
    """Return how many sweeps beat starts in these seconds, of which it sleeps as many as it wants."""
    end, started = now[0] + timedelta(seconds=seconds), []
    scheduler.apply_entry = lambda entry, **_options: started.append(entry.name)
    for _tick in range(500):
        if now[0] < end:
            now[0] += timedelta(seconds=max(scheduler.tick(), 0.02))
    return started.count("sweep")


@pytest.mark.parametrize("kind", [Scheduler, PersistentScheduler])
def test_beat_goes_on_when_the_clock_is_set_back(
    kind: type[beat.Scheduler], now: list[datetime], tmp_path: Path
) -> None:
    scheduler = kind(app=app, schedule_filename=str(tmp_path / "beat"))
    assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    now[0] -= HOUR
    assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    now[0] += 2 * HOUR
    assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    if kind is PersistentScheduler:  # It starts again after the clock was set back.
        scheduler.close()
        now[0] -= HOUR
        scheduler = kind(app=app, schedule_filename=str(tmp_path / "beat"))
        assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    scheduler.close()


def test_beat_goes_on_without_a_file_that_it_can_write(now: list[datetime], tmp_path: Path) -> None:
    """As on a full disk. Celery alone ends."""
    nowhere = str(tmp_path / "missing" / "beat")
    with pytest.raises(OSError, match="No such file"):
        beat.PersistentScheduler(app=app, schedule_filename=nowhere).schedule  # noqa: B018 - it reads the file
    scheduler = PersistentScheduler(app=app, schedule_filename=nowhere)
    assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    scheduler.close()


@pytest.mark.parametrize("error", [None, OSError(28, "No space left on device")])
def test_beat_goes_on_when_its_file_cannot_be_written_any_more(
    error: OSError | None, now: list[datetime], tmp_path: Path
) -> None:
    scheduler = PersistentScheduler(app=app, schedule_filename=str(tmp_path / "beat"))
    assert sweeps_of(scheduler, now, 10)
    with mock.patch.object(shelve.Shelf, "sync", side_effect=error):
        scheduler.sync()
    assert sweeps_of(scheduler, now, 60) in (11, 12, 13)
    scheduler.close()


def test_celery_alone_would_start_no_sweep_for_an_hour(now: list[datetime]) -> None:
    """When this fails, our schedulers are superfluous."""
    scheduler = beat.Scheduler(app=app)
    assert sweeps_of(scheduler, now, 60) > 10
    now[0] -= HOUR
    assert sweeps_of(scheduler, now, 60) <= 1


def test_what_counted_before_the_clock_was_set_back_refuses_nobody_an_email(rf: RequestFactory) -> None:
    request, now = rf.post("/"), time.time()
    cache.clear()
    with mock.patch("time.time", side_effect=lambda: now):
        assert all(
            ratelimit.consume(request, action="mail_sender") for _email in range(settings.PEOPLE_PER_ADDRESS)
        )
        assert not ratelimit.consume(request, action="mail_sender")
        now -= HOUR.total_seconds()
        assert ratelimit.consume(request, action="mail_sender")
