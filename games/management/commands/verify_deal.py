"""Checks that a game's deal agrees with the commitment that was published before it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.log.deals import NO_NONCE, matches_commitment, revealed_text
from games.models import Game


class Command(BaseCommand):
    help = "Check that the deal of a game agrees with its commitment and its nonces."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", metavar="GAME", help="the key of a game, as in its address")

    def handle(self, *args: Any, key: str, **options: Any) -> None:
        game = Game.objects.select_related("deal").filter(key=key).first()
        if game is None:
            raise CommandError(f"There is no game {key}.")
        if game.deal is None:
            raise CommandError(f"Table {key} has not started: it has no deal yet.")
        self.stdout.write(f"rule        {game.deal.rule} ({game.deal.get_rule_display()})")
        self.stdout.write(f"commitment  {game.deal.commitment}")
        if game.deal.nonces is not None:
            self.stdout.write(f"nonces      {' '.join(nonce or NO_NONCE for nonce in game.deal.nonces)}")
        self.stdout.write(
            f"text        {revealed_text(game) or 'secret until the last game on this deal is over'}"
        )
        if not matches_commitment(game):
            raise CommandError(f"The deal of game {key} does NOT match its commitment.")
        if game.is_open:
            self.stdout.write("The secret matches its commitment. The deal follows when the game starts.")
        else:
            self.stdout.write("The deal matches its commitment.")
