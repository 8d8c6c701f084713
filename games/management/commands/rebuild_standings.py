"""Rebuilds solo results and standings from the logs of games, or compares them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from games.models import Game
from games.services.projections import standings
from games.services.projections.difference import Difference


class Command(BaseCommand):
    help = "Rebuild the results of all solo games from their logs, and the standings of all players."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="only compare; exit with status 1 if a value differs or a log cannot be replayed",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        different = broken = 0
        games = standings.games_with_results()
        for pk in games:
            try:
                different += self._report(self._rebuild_result(pk, check_only=check))
            except ValueError as error:  # An error of the engine, or a missing deal.
                broken += 1
                self.stdout.write(f"game {pk}: its log cannot be replayed: {error}")
        players = standings.players_with_standings()
        for player in players:
            different += self._report(standings.rebuild_standings(player, check_only=check))
        different += self._report(standings.rebuild_score_counts(check_only=check))
        what = "differ from" if check else "were rebuilt from"
        self.stdout.write(
            f"{len(games)} solo games, {len(players)} players: {different} values {what} the logs, "
            f"{broken} logs cannot be replayed."
        )
        if broken or (check and different):
            raise SystemExit(1)

    def _report(self, differences: list[Difference]) -> int:
        for difference in differences:
            self.stdout.write(str(difference))
        return len(differences)

    @transaction.atomic
    def _rebuild_result(self, pk: int, *, check_only: bool) -> list[Difference]:
        # Locked, so that no action is stored between reading the log and comparing.
        game = Game.objects.select_for_update().get(pk=pk)
        return standings.rebuild_result(game, check_only=check_only)
