"""Makes a backup of the database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from novaluna_site.backups import work
from novaluna_site.backups.files import DAYS, MONTHS, WEEKS, BackupError


class Command(BaseCommand):
    help = (
        "Make a backup of the database in NOVALUNA_BACKUPS while the site runs. Remove older ones, but keep "
        f"the newest of each of the latest {DAYS} days, {WEEKS} weeks and {MONTHS} months that have one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup, removed = work.make()
        except BackupError as error:
            raise CommandError(str(error)) from error
        size = backup.stat().st_size / 1_000_000
        self.stdout.write(f"{backup} ({size:.1f} MB); {len(removed)} older ones removed.")
