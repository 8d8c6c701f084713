"""How a round ended: the table at that moment in the past, and the stage in which a game stopped."""

from dataclasses import replace

from games.lunar.board.game_view import GameView
from games.lunar.engine.events import RoundEnded, TrickWon
from games.lunar.engine.facts import Ending, Stage
from games.lunar.engine.position import Position


def is_end_of_round(view: GameView) -> bool:
    """Return whether the page shows the moment in the past in which a round ended, with its last trick."""
    return view.is_past and any(isinstance(event, RoundEnded) for event in _events(view))


def table_of(view: GameView) -> Position:
    """Return the position whose cards the page shows.

    At the end of a round in the past it is the table of that round, whose cards are all in tricks: who steps
    through a game sees the cards of the next round after the next action.
    """
    if not is_end_of_round(view):
        return view.position
    before = view.position_after(view.shown - 1)
    tricks = (event.trick for event in _events(view) if isinstance(event, TrickWon))
    return replace(
        before,
        hands=((),) * before.seats,
        sky=(None,) * len(before.sky),
        piles=((),) * len(before.piles),
        tricks=(*before.tricks, *tricks),
        trick=(),
    )


def stage_of(position: Position) -> Stage:
    """Return the stage of the round, also where the game stopped before its end."""
    is_stopped = position.ending not in {None, Ending.POINTS}
    return replace(position, ending=None).stage if is_stopped else position.stage


def has_stopped_before_tricks(position: Position) -> bool:
    """Return whether the game stopped in a round without a trick: none is on its table."""
    return position.ending not in {None, Ending.POINTS} and not position.tricks


def _events(view: GameView) -> tuple[object, ...]:
    return view.shown_step.events if view.shown_step is not None else ()
