"""Moves in emails: good actions for the viewer's turn, what each brings, and what else a reply can name."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.board.bar import BarText, confirm_text
from games.board.choice import refill_offer
from games.board.game_view import GameView
from games.board.notation import write_action
from games.board.words import describe_tile, join_words
from games.bots import good_actions
from games.engine import ORIGIN, Place, Refill, RefillRule


@dataclass(frozen=True)
class Offer:
    """An action in the notation, and what it brings: in a few words, and in detail."""

    notation: str
    title: str
    detail: str


def offers(view: GameView) -> list[Offer]:
    """Return up to five actions that look good, best first; none if it is not the viewer's turn."""
    if view.viewer is None or not view.is_my_turn:
        return []
    actions = good_actions(view.newest, view.viewer)
    return [Offer(write_action(action, view.newest), *explain_action(action, view)) for action in actions]


def explain_action(action: Place | Refill, view: GameView) -> BarText:
    """Return what a legal action of the viewer would bring."""
    if isinstance(action, Refill):
        return BarText(_("Refill the wheel"), refill_offer(view.newest).explanation)
    return confirm_text(view.newest.apply(action), view)


def describe_reach(view: GameView) -> list[str]:
    """Return the tiles in reach with their goals, clockwise from the marker, as the notation counts them."""
    return [describe_tile(tile) for tile in view.newest.in_reach]


def describe_free_cells(view: GameView) -> str:
    """Return the names of the cells for the viewer's next tile; empty before a refill and the first tile."""
    cells = view.newest.displays[view.first_seat].free_cells
    if view.newest.refill is RefillRule.FORCED or ORIGIN in cells:
        return ""
    return join_words([cell.name for cell in cells])
