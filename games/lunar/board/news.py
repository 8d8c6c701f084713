"""How the round before has ended: on the table of the new round until the viewer acts or a card is led."""

from __future__ import annotations

from typing import NamedTuple

from games.lunar.board.game_view import GameView
from games.lunar.board.track import RoundCell, SideRow, Track
from games.lunar.engine.actions import Play
from games.lunar.engine.events import RoundEnded
from games.marked import gettext as _


class RoundNews(NamedTuple):
    """That a round is over, in words; and each side with what it got in it, the viewer's first."""

    title: str
    sides: tuple[tuple[SideRow, RoundCell], ...]


def news_of(view: GameView, track: Track) -> RoundNews | None:
    """Return how the round before ended; None once the new one goes on, and after the game."""
    if view.is_over or not _has_just_begun(view):
        return None
    row = track.rounds[-1]
    title = _("Round %(number)d is over") % {"number": row.number}
    return RoundNews(title, tuple(zip(track.sides, row.cells, strict=True)))


def _has_just_begun(view: GameView) -> bool:
    """Return whether a round has ended since the last card, and the viewer has not acted since."""
    for step in reversed(view.steps[: view.shown]):
        if any(isinstance(event, RoundEnded) for event in step.events):
            return True
        if step.seat == view.viewer or isinstance(step.action, Play):
            return False
    return False
