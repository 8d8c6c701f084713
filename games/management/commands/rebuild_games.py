"""Makes what is stored about games anew from their logs, or compares it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.models import Game
from games.services.projections import Difference, rebuild


class Command(BaseCommand):
    help = "Make the projections of all started games, or of those named, anew from their logs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="GAME", help="the key of a game, as in its address")
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit with 1 if anything differs"
        )

    def handle(self, *args: Any, keys: list[str], check: bool, **options: Any) -> None:
        games = Game.objects.exclude(status=Game.Status.OPEN).order_by("pk")
        if keys:
            games = games.filter(key__in=keys)
            if unknown := set(keys) - set(games.values_list("key", flat=True)):
                raise CommandError(f"No started game has the key {', '.join(sorted(unknown))}.")
        wrong = broken = 0
        pks = list(games.values_list("pk", flat=True))
        for pk in pks:
            try:
                found = self._rebuild(pk, check_only=check)
            except ValueError as error:  # of the engine, or a deal that is missing
                broken += 1
                self.stdout.write(f"game {pk}: its log cannot be replayed: {error}")
                continue
            wrong += bool(found)
            for difference in found:
                self.stdout.write(str(difference))
        what = "differ from" if check else "were rebuilt from"
        self.stdout.write(f"{len(pks)} games: {wrong} {what} their logs, {broken} cannot be replayed.")
        if broken or (check and wrong):
            raise SystemExit(1)

    @transaction.atomic
    def _rebuild(self, pk: int, *, check_only: bool) -> list[Difference]:
        # Locked, so that no action comes between reading the log and comparing.
        game = Game.objects.select_for_update().get(pk=pk)
        return rebuild(game, check_only=check_only)
