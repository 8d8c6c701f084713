"""What happens on the site, counted for Prometheus. `novaluna_site/health/metrics.py` shows it.

The processes of a machine count in files of one folder, so any of them can add all up. Prometheus' client
names these files after process ids, of which a site that runs for long has thousands. Here they have the
number of a place. A process keeps a place while it lives, and the next one in it counts on from there.
"""

import fcntl
import functools
import logging
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

# Files are filled when they are made. On a full disk, writing to a hole in one would kill the process.
SIZES = {"counter": 1 << 18, "histogram": 1 << 20}  # bytes


@functools.cache
def _place_of(_process: int) -> int:
    """Return the number of the first place that no other process has, and keep it until this process ends."""
    folder = settings.METRICS_DIR
    assert folder
    folder.mkdir(parents=True, exist_ok=True)
    for place in count():
        lock = os.open(folder / f"{place}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until the process ends
        except BlockingIOError:
            os.close(lock)
            continue
        for kind, size in SIZES.items():
            _make_usable(folder / f"{kind}_{place}.db", size)
        return place
    raise AssertionError("There are more numbers than processes.")


def _make_usable(path: Path, size: int) -> None:
    """Make a file of this size, or keep the one that is there; one that a crash has damaged begins anew."""
    try:
        MultiProcessCollector.merge([str(path)])
    except FileNotFoundError:
        pass
    except Exception as error:  # whatever the client of Prometheus raises for each kind of damage
        logger.warning("%s is damaged (%s). What it has counted is lost.", path, error)
        path.unlink()
    with path.open("ab") as file:
        os.posix_fallocate(file.fileno(), 0, size)


def _count_in_files() -> None:
    """Make all metrics of this process count in the folder; in its memory if the folder cannot be written."""
    try:
        _place_of(os.getpid())
    except OSError as error:
        logger.error(
            "Cannot count in %s: %s. This process is missing in /metrics.", settings.METRICS_DIR, error
        )
        return
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_DIR)
    # The number changes in a process that was forked from this one, and the client then opens other files.
    values.ValueClass = values.MultiProcessValue(lambda: _place_of(os.getpid()))


if settings.METRICS_DIR:
    _count_in_files()

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "novaluna_requests", "Requests, by view and status.", ["view", "status"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "novaluna_request_seconds",
    "Time of requests, by view.",
    ["view"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=REGISTRY,
)
REFUSALS = Counter(
    "novaluna_refusals",
    "What people asked for and services refused, by reason; Conflict: the page was old.",
    ["reason"],
    registry=REGISTRY,
)
BOT_SECONDS = Histogram(
    "novaluna_bot_seconds",
    "Time in which bots chose an action, by level.",
    ["title", "level"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10),
    registry=REGISTRY,
)
NOTIFICATIONS = Counter(
    "novaluna_notifications",
    "Notifications that were sent or dropped, and tries that failed.",
    ["channel", "outcome"],
    registry=REGISTRY,
)


def counted() -> Iterator[Metric]:
    """Yield what all processes of this machine have counted, also those that have ended."""
    if settings.METRICS_DIR and settings.METRICS_DIR.is_dir():
        yield from MultiProcessCollector(None, str(settings.METRICS_DIR)).collect()
    else:
        yield from REGISTRY.collect()
