"""The frame of a display: the cells that it keeps in sight, so that it has one scale in the whole history."""

from collections.abc import Mapping

from games.novaluna.board.game_view import GameView
from games.novaluna.engine import Cell, Place, action_from_json


def cells_in_sight(view: GameView, seat: int) -> frozenset[Cell]:
    """Return the cells that a display of the past has place for: all that it ever had a tile on.

    In a review, these are also the cells of better tiles. None in the present, where the display may grow.
    """
    if not view.is_past:
        return frozenset()
    judgements = view.reviewed.judgements if view.reviewed else ()
    actions = (*(step.action for step in view.steps), *map(_read_better, judgements))
    return frozenset(one.cell for one in actions if isinstance(one, Place) and one.seat == seat)


def _read_better(judgement: Mapping[str, object]) -> object:
    """Return the better action of a stored judgement; None if nothing was better."""
    return action_from_json(judgement["best"]) if judgement["best"] and judgement["lost"] else None
