"""The frame of a display: the cells that it keeps in sight, so that it has one scale in the whole history."""

from games.novaluna.board.game_view import GameView
from games.novaluna.engine import Cell, Place


def cells_in_sight(view: GameView, seat: int) -> frozenset[Cell]:
    """Return the cells that a display of the past has place for: all that it ever had a tile on.

    None in the present, where the display may grow, and in a review, whose reader goes from one mistake to
    the next: the tiles there have all the room that its strip leaves on a phone.
    """
    if not view.is_past or view.reviewed:
        return frozenset()
    actions = (step.action for step in view.steps)
    return frozenset(one.cell for one in actions if isinstance(one, Place) and one.seat == seat)
