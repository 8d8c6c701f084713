"""Rebuilds the ratings of all players from the logs of rated games, or compares them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.services.projections.ratings import rebuild_ratings


class Command(BaseCommand):
    help = "Rebuild the ratings of all players from the logs of all rated games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="only compare; exit with status 1 if a value differs or a log cannot be replayed",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        rebuilt = rebuild_ratings(check_only=check)
        for line in (*rebuilt.broken, *rebuilt.differences):
            self.stdout.write(str(line))
        what = "differ from" if check else "were rebuilt from"
        self.stdout.write(
            f"{rebuilt.games} rated games: {len(rebuilt.differences)} values {what} the logs, "
            f"{len(rebuilt.broken)} logs cannot be replayed."
        )
        if rebuilt.broken or (check and rebuilt.differences):
            raise SystemExit(1)
