"""Changes of a table or its seats, which its open pages show."""

from games.models import Game
from games.services import after_commit
from games.services.play import lock_game


def lock_table(**lookup: object) -> tuple[Game, Game | None]:
    """Return a table, and the finished game whose rematch it is, with their rows locked. Raises Gone.

    The finished game is locked first, as in `rematch`.
    """
    followed = Game.objects.filter(**lookup).values("rematch_of")
    finished = Game.objects.select_for_update().filter(pk__in=followed).first()
    return lock_game(**lookup), finished


def count_answer(game: Game, finished: Game | None, *leavers: int) -> None:
    """Count and store an answer to a table, which the open pages of the game before a rematch show, too."""
    count_change(game, *leavers)
    if finished is not None:
        count_change(finished)


def count_change(game: Game, *leavers: int) -> None:
    """Count and store a change of the seats, of who may find the table, of its closing, or of the rematch.

    Open pages of the table or game update.
    """
    game.changes += 1
    game.save(update_fields=["changes", "is_public", "closes_at"])
    after_commit.update_open_pages(game, *leavers)
