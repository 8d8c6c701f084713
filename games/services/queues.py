"""Whether workers serve the queues of tasks: each queue gets a small task now and then, which notes that.

A worker may live, and note its part of the site, while it takes no task from its queues. If nobody has served
a queue that players depend on, that part was down, and an `Outage` is stored when it is served again.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.models import Outage, ServedQueue, SitePart

logger = logging.getLogger(__name__)

NOTE = "games.note_served"
# The parts of the site that serve the queues without which players miss emails or time-outs.
PARTS = {"default": SitePart.Name.MAILS, "quick": SitePart.Name.QUICK}
# A note comes every 20 s, so a queue counts as served for this time after each. Nobody acts on a later
# deadline, so an outage that begins then covers no deadline on which somebody has acted.
SERVED_FOR = timedelta(seconds=30)
# In a queue that is busy, a note waits behind other tasks. After a longer wait, clocks get the time back.
LONGEST_BREAK = timedelta(minutes=3)


@transaction.atomic
def note_served(name: str) -> None:
    """Store that a worker serves a queue now, and the outage that has ended, if nobody served it before."""
    ServedQueue.objects.get_or_create(name=name, defaults={"served_at": timezone.now()})
    queue = ServedQueue.objects.select_for_update().get(name=name)
    now = timezone.now()  # After the wait for the lock.
    gap = now - queue.served_at
    if name in PARTS and gap > LONGEST_BREAK:
        Outage.objects.create(started_at=queue.served_at + SERVED_FOR, ended_at=now)
        logger.warning("Nobody served the queue %s for %s. No clock ran.", name, gap)
    queue.served_at = now
    queue.save(update_fields=["served_at"])


def served_until(parts: Collection[str]) -> list[datetime]:
    """Return until when the queues of these parts count as served, without those that never were."""
    names = [name for name, part in PARTS.items() if part in parts]
    served = ServedQueue.objects.filter(name__in=names).values_list("served_at", flat=True)
    return [at + SERVED_FOR for at in served]


def unserved_since(limit: datetime, names: list[str]) -> dict[str, datetime | None]:
    """Return which of these queues nobody has served since before `limit`, and since when; None if never.

    Without beat and the sweep nobody asks, so only a site whose sweep works has such queues.
    """
    if not SitePart.objects.filter(name=SitePart.Name.SWEEP, up_since__lt=limit, seen_at__gt=limit).exists():
        return {}
    served = dict(ServedQueue.objects.values_list("name", "served_at"))
    return {name: served.get(name) for name in names if name not in served or served[name] < limit}
