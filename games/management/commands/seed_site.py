"""Fills an empty site with people and results, to measure its pages."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.management.seeding import seed


class Command(BaseCommand):
    help = "Fill a site without accounts with people, solo results and games that have no logs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=200)
        parser.add_argument("--results", type=int, default=1000, help="solo results")
        parser.add_argument("--games", type=int, default=500, help="games for two")

    def handle(self, *args: Any, players: int, results: int, games: int, **options: Any) -> None:
        if User.objects.exists():
            raise CommandError("This site has accounts. Only a site without any can be filled.")
        if players < 2:
            raise CommandError("A game for two needs two players.")
        seed(players, results, games)
        self.stdout.write(f"{players} players, {results} solo results, {games} games for two.")
