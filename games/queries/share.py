"""The result of a solo game as a text to share, which reveals nothing about the deal."""

from games.models import Game
from games.shown.lists import lists_of


def share_text(game: Game) -> str:
    """Return the text to share of a solo game.

    It is empty without a score, and for practice on a daily deal.
    """
    if game.score is None or game.is_only_practice:
        return ""
    day = game.daily.day if game.daily else None
    return lists_of(game.title).share_score(game.score, day, with_hints=not game.is_without_hints)
