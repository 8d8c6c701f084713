"""Moves in emails: good actions for the viewer's turn, what each brings, and what else a reply can name."""

from django.utils.text import capfirst

from games import marked
from games.marked import gettext as _
from games.novaluna.board.bar import BarText, confirm_text
from games.novaluna.board.choice import refill_offer
from games.novaluna.board.game_view import GameView
from games.novaluna.board.notation import write_action
from games.novaluna.board.words import describe_goals, tile_name
from games.novaluna.bots.face import good_actions
from games.novaluna.engine import ORIGIN, TILES, Place, Position, Refill, RefillRule, Tile
from games.shown.words import join_words
from games.titles.mails import Offer


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
    name = _name_in_reach(TILES[action.tile], view.newest)
    if action.cell != ORIGIN:  # where the first tile goes
        name = _("%(tile)s at %(cell)s") % {"tile": name, "cell": marked.name(action.cell.name)}
    return confirm_text(view.newest.apply(action), view, name)


def _name_in_reach(tile: Tile, position: Position) -> str:
    """Return the name of a tile in reach, with its goals if another tile in reach has the same name."""
    name = tile_name(tile)
    if [tile_name(other) for other in position.in_reach].count(name) == 1:
        return name
    return _("%(tile)s (%(goals)s)") % {"tile": name, "goals": describe_goals(tile) or _("no goals")}


def describe_reach(view: GameView) -> list[str]:
    """Return the tiles in reach, clockwise from the marker, as the notation counts them.

    >>> from games.novaluna.engine import TILES
    >>> _describe_offered(TILES["B4a"])
    'Blue 4 costs 4 in time. Goals: four red; two red'
    """
    return [_describe_offered(tile) for tile in view.newest.in_reach]


def _describe_offered(tile: Tile) -> str:
    """Return the name, time and goals of a tile, for people who read the name for the first time."""
    words = {"tile": capfirst(tile_name(tile)), "time": tile.cost, "goals": describe_goals(tile)}
    if not tile.goals:
        return _("%(tile)s costs %(time)d in time. No goals") % words
    return _("%(tile)s costs %(time)d in time. Goals: %(goals)s") % words


def describe_free_cells(view: GameView) -> str:
    """Return the names of the cells for the viewer's next tile; empty before a refill and the first tile."""
    cells = view.newest.displays[view.first_seat].free_cells
    if view.newest.refill is RefillRule.FORCED or ORIGIN in cells:
        return ""
    return join_words([marked.name(cell.name) for cell in cells])
