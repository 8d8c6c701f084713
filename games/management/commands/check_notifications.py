"""Reports notifications that should have been sent."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.models import Notification

# The sweep queues a notification that is due within seconds, and one email takes less than a minute.
TOLERANCE = timedelta(minutes=10)


class Command(BaseCommand):
    help = (
        "Report notifications that are overdue by more than ten minutes, for example because no worker runs, "
        "and exit with status 1 if there are any."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        overdue = Notification.objects.pending().filter(due_at__lt=timezone.now() - TOLERANCE)
        oldest = overdue.order_by("due_at").first()
        if oldest is None:
            self.stdout.write("No notification is overdue.")
            return
        self.stdout.write(
            f"{overdue.count()} notifications are overdue. Oldest: {oldest.kind} by {oldest.channel} to "
            f"user {oldest.user_id}, due since {oldest.due_at:%Y-%m-%d %H:%M} UTC. "
            "Check that novaluna-sweep and novaluna-worker run, and read their logs."
        )
        raise SystemExit(1)
