"""Whether workers serve the queues of tasks: each queue gets a small task now and then, which notes that."""

from datetime import datetime

from django.utils import timezone

from games.models import ServedQueue, SitePart

NOTE = "games.note_served"


def note_served(name: str) -> None:
    """Store that a worker serves a queue now."""
    ServedQueue.objects.update_or_create(name=name, defaults={"served_at": timezone.now()})


def unserved_since(limit: datetime, names: list[str]) -> dict[str, datetime | None]:
    """Return which of these queues nobody has served since before `limit`, and since when; None if never.

    Without beat and the sweep nobody asks, so only a site whose sweep works has such queues.
    """
    if not SitePart.objects.filter(name=SitePart.Name.SWEEP, up_since__lt=limit, seen_at__gt=limit).exists():
        return {}
    served = dict(ServedQueue.objects.values_list("name", "served_at"))
    return {name: served.get(name) for name in names if name not in served or served[name] < limit}
