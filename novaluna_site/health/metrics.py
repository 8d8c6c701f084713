"""The figures of the site for Prometheus: what was counted, and how it is now."""

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import redis
from django.conf import settings
from django.db.models import Count, Min
from django.utils import timezone
from kombu.transport.redis import PRIORITY_STEPS, Channel
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.models import AccountMail
from games import live, metrics
from games.models import Game, Notification, ServedQueue
from games.services import after_commit, bots
from novaluna_site.health import readiness
from novaluna_site.task_queues import QUEUES

CONTENT_TYPE = CONTENT_TYPE_LATEST
GAMES_KEPT = 60  # seconds; to count a million games takes a while


def exposition() -> bytes:
    """Return all figures as text. A process that serves only streams has those of its streams."""
    return generate_latest(Figures())


class Figures(Collector):
    """Everything that this process can say."""

    def collect(self) -> Iterator[Metric]:
        """Yield what was counted, and how the site is now."""
        yield _gauge("open_streams", "Streams of open pages in this process.", {(): len(live.open_pages())})
        if not settings.SERVES_PAGES:
            return
        yield from metrics.counted()
        found = readiness.findings()
        findings = {(name,): len(words) for name, words in found.items()}
        yield _gauge("findings", "What /readyz finds, by check.", findings, "check")
        if not any(found[name] for name in readiness.NEEDED):
            yield from _figures_of_rows()
        if settings.REDIS_URL and not found.get("redis", True):
            yield _gauge("queue_length", "Tasks that wait in a queue.", _lengths(), "queue")


def _figures_of_rows() -> Iterator[Metric]:
    served = dict(ServedQueue.objects.values_list("name", "served_at"))
    ages = {(name,): _age(at) for name, at in served.items()}
    yield _gauge("queue_age_seconds", "Time since a worker has served a queue.", ages, "queue")
    oldest = {
        "notifications": Notification.objects.pending().aggregate(at=Min("due_at"))["at"],
        "account mails": AccountMail.objects.aggregate(at=Min("due_at"))["at"],
        "turns": bots.oldest_turn(after_commit.BOT_TURN),
        "quick turns": bots.oldest_turn(after_commit.QUICK_TURN),
    }
    late = {(work,): _age(at) for work, at in oldest.items()}
    yield _gauge("oldest_due_seconds", "How late the oldest work is that is due.", late, "work")
    games = _games(int(time.monotonic() // GAMES_KEPT))
    yield _gauge(
        "games", "Games, by status.", {(status,): number for status, number in games.items()}, "status"
    )


@lru_cache(maxsize=1)
def _games(_minute: int) -> dict[str, int]:
    counted = dict(Game.objects.order_by().values_list("status").annotate(Count("pk")))
    return {status: counted.get(status, 0) for status in Game.Status.values}


def _lengths() -> dict[tuple[str], int]:
    """Return the length of each queue. Redis has a list for each priority of a queue."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2) as server:
        names = [
            [f"{queue}{Channel.sep}{step}" if step else queue for step in PRIORITY_STEPS] for queue in QUEUES
        ]
        return {
            (queue,): sum(server.llen(name) for name in lists)
            for queue, lists in zip(QUEUES, names, strict=True)
        }


def _age(moment: datetime | None) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0


def _gauge(name: str, text: str, values: Mapping[Any, float], *labels: str) -> Metric:
    family = GaugeMetricFamily(f"novaluna_{name}", text, labels=labels)
    for of_labels, value in values.items():
        family.add_metric(of_labels, value)
    return family
