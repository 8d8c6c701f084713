"""Why a card can't be played now, in a sentence for its player."""

from collections.abc import Callable

from games.lunar.board.game_view import GameView
from games.lunar.engine.actions import Flip, Play
from games.lunar.engine.later import check_later, turns_tile
from games.lunar.notation.plan_lines import plannable
from games.lunar.notation.reasons import explain
from games.marked import gettext as _


def why_not(play: Play, view: GameView) -> str:
    """Return why the viewer can't play a card; empty if they can."""
    position = view.position
    return "" if position.is_legal(play) else explain(play, position.apply, position, _names_in(view))


def why_not_later(action: Flip | Play, view: GameView) -> str:
    """Return why the viewer, who waits, can't do something on their next turn; empty if they may."""
    position, seat = view.newest, action.seat
    if action in plannable(position, seat):
        return ""
    if isinstance(action, Flip):
        return _("You can't turn this tile on your next turn.")
    if turns_tile(position, seat):
        return _("On your next turn, you turn a trump tile.")
    return explain(action, lambda play: check_later(play, position), position, _names_in(view))


def _names_in(view: GameView) -> Callable[[int], str]:
    return lambda seat: view.people[seat].name
