"""Changes of a table or its seats, which its open pages show."""

from games.models import Game
from games.services import after_commit


def count_change(game: Game, *leavers: int) -> None:
    """Count and store a change of the seats, of who may find the table, of its closing, or of the rematch.

    Open pages of the table or game update.
    """
    game.changes += 1
    game.save(update_fields=["changes", "is_public", "closes_at"])
    after_commit.update_open_pages(game, *leavers)
