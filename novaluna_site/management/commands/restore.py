"""Restores a backup of the database, or tries whether one can be restored."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from novaluna_site.backups import work
from novaluna_site.backups.files import BackupError


class Command(BaseCommand):
    help = (
        "Replace the database with a backup. The site must be stopped. The previous database stays under "
        "another name. With --drill, restore into a database that is removed again, while the site runs, and "
        "compare the number of rows and all games with their logs."
    )
    # It must also run on an empty or damaged database.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "backup", nargs="?", default="", help="its name or path; a drill without one takes the latest"
        )
        parser.add_argument("--drill", action="store_true", help="try a backup, and change nothing")

    def handle(self, *args: Any, backup: str, drill: bool, **options: Any) -> None:
        if not backup and not drill:
            raise CommandError(
                f"Name the backup that replaces the database. Backups are in {settings.BACKUPS_DIR}."
            )
        try:
            found = work.find(backup)
            for line in work.try_out(found) if drill else work.restore(found):
                self.stdout.write(line)
        except BackupError as error:
            raise CommandError(str(error)) from error
        if drill:
            self.stdout.write("The drill has succeeded: this backup can be restored.")
