"""Checks that a game's deal matches the commitment that was published at its start."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.log.deals import matches_commitment, revealed_text
from games.models import Game


class Command(BaseCommand):
    help = "Check that the deck and start order of a game match its commitment."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", metavar="GAME", help="the key of a game, as in its address")

    def handle(self, *args: Any, key: str, **options: Any) -> None:
        game = Game.objects.select_related("deal").filter(key=key).first()
        if game is None:
            raise CommandError(f"There is no game {key}.")
        if game.deal is None:
            raise CommandError(f"Table {key} has not started: it has no deal yet.")
        self.stdout.write(f"commitment  {game.deal.commitment}")
        self.stdout.write(
            f"text        {revealed_text(game) or 'secret until the last game on this deal is over'}"
        )
        if not matches_commitment(game.deal):
            raise CommandError(f"The deal of game {key} does NOT match its commitment.")
        self.stdout.write("The deal matches its commitment.")
