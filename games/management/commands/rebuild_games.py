"""Rebuilds the projections of games from their logs, or compares them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.models import Game
from games.services.projections.difference import Difference
from games.services.projections.games import rebuild


class Command(BaseCommand):
    help = "Rebuild the projections of all started games, or of the given games, from their logs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="GAME", help="the key of a game, as in its address")
        parser.add_argument(
            "--check",
            action="store_true",
            help="only compare; exit with status 1 if a projection differs or a log cannot be replayed",
        )

    def handle(self, *args: Any, keys: list[str], check: bool, **options: Any) -> None:
        games = Game.objects.exclude(status=Game.Status.OPEN).order_by("pk")
        if keys:
            games = games.filter(key__in=keys)
            if unknown := set(keys) - set(games.values_list("key", flat=True)):
                raise CommandError(f"No started game has the key {', '.join(sorted(unknown))}.")
        different = broken = 0
        pks = list(games.values_list("pk", flat=True))
        for pk in pks:
            try:
                differences = self._rebuild(pk, check_only=check)
            except ValueError as error:  # An error of the engine, or a missing deal.
                broken += 1
                self.stdout.write(f"game {pk}: its log cannot be replayed: {error}")
                continue
            different += bool(differences)
            for difference in differences:
                self.stdout.write(str(difference))
        what = "differ from" if check else "were rebuilt from"
        self.stdout.write(f"{len(pks)} games: {different} {what} their logs, {broken} cannot be replayed.")
        if broken or (check and different):
            raise SystemExit(1)

    @transaction.atomic
    def _rebuild(self, pk: int, *, check_only: bool) -> list[Difference]:
        # Locked, so that no action is stored between reading the log and comparing.
        game = Game.objects.select_for_update().get(pk=pk)
        return rebuild(game, check_only=check_only)
