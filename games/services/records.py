"""The record of a game, in the interchange format."""

from games.engine import write_record
from games.models import Action, Game
from games.services.deals import setup_of


def record_of(game: Game) -> dict[str, object]:
    ...
