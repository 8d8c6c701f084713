"""How the round before has ended: on the table of the new round until the viewer acts or a card is led."""

from __future__ import annotations

from typing import NamedTuple

from games.lunar.board.game_view import GameView
from games.lunar.board.track import RoundCell, SideRow, Track, track_of
from games.lunar.engine.actions import Play
from games.lunar.engine.events import RoundEnded
from games.marked import gettext as _


class RoundNews(NamedTuple):
    """That a round is over, in words, and the track at its end."""

    title: str
    track: Track

    @property
    def sides(self) -> tuple[tuple[SideRow, RoundCell], ...]:
        """Each side with what it got in the round, the viewer's first."""
        return tuple(zip(self.track.sides, self.track.rounds[-1].cells, strict=True))


def news_of(view: GameView) -> RoundNews | None:
    """Return how the round before ended; None once the new one goes on, and after the game."""
    if view.is_over or not _has_just_begun(view):
        return None
    track = track_of(view, at_end_of_round=True)
    return RoundNews(_("Round %(number)d is over") % {"number": track.rounds[-1].number}, track)


def _has_just_begun(view: GameView) -> bool:
    """Return whether a round has ended since the last card, and the viewer has not acted since."""
    for number in reversed(view.counting_to_shown):
        step = view.steps[number - 1]
        if any(isinstance(event, RoundEnded) for event in step.events):
            return True
        if step.seat == view.viewer or isinstance(step.action, Play):
            return False
    return False
