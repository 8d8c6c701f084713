"""Makes what is stored about games anew from their logs, or compares it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.engine import EngineError
from games.models import Game
from games.services.projections import rebuild


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
        checked = wrong = 0
        for pk in list(games.values_list("pk", flat=True)):
            with transaction.atomic():
                # Locked, so that no action comes between reading the log and comparing.
                game = Game.objects.select_for_update(of=("self",)).select_related("deal").get(pk=pk)
                found = self._rebuild(game, check_only=check)
            checked += 1
            wrong += bool(found)
            for difference in found:
                self.stdout.write(difference)
        self.stdout.write(
            f"{checked} games, {wrong} of them {'differ from' if check else 'rebuilt from'} their logs."
        )
        if check and wrong:
            raise SystemExit(1)

    def _rebuild(self, game: Game, *, check_only: bool) -> list[str]:
        try:
            return [str(difference) for difference in rebuild(game, check_only=check_only)]
        except EngineError as error:
            return [f"{game.key}: the log cannot be replayed: {error}"]
