"""Checks that a game was played on the deal that was committed to at its start."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.log.deals import matches_commitment, revealed_text
from games.models import Game


class Command(BaseCommand):
    help = "Check that a game's deck and start order are those that its commitment was made for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", metavar="GAME", help="the key of a game, as in its address")

    def handle(self, *args: Any, key: str, **options: Any) -> None:
        game = Game.objects.select_related("deal").filter(key=key).first()
        if game is None:
            raise CommandError(f"There is no game {key}.")
        if game.deal is None:
            raise CommandError(f"Table {key} has not started: it has no deal yet.")
        self.stdout.write(f"commitment  {game.deal.commitment}")
        self.stdout.write(f"text        {revealed_text(game) or 'secret while a game runs on this deal'}")
        if not matches_commitment(game.deal):
            raise CommandError(f"Game {key} was NOT played on the deal that was committed to.")
        self.stdout.write("The deal is the one that was committed to.")
