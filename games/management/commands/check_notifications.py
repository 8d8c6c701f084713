"""Reports emails and other notifications that should have been sent."""

from typing import Any

from django.core.management.base import BaseCommand

from games.notifications import overdue


class Command(BaseCommand):
    help = (
        "Report what keeps messages from people: notifications and account mails that have been overdue or "
        "failing for more than ten minutes, parts of the site that are down, and queues that no worker "
        "serves. Exit with status 1 if there is any. What fails for one person while others get theirs, such "
        "as at a full mailbox or a webhook that is gone, is not reported."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = list(overdue.problems())
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            raise SystemExit(1)
        self.stdout.write("No notification is overdue.")
