"""Private notes of players about their games, and the lines that they have kept."""

from typing import NamedTuple

from accounts.models import Viewer
from games.models import Game, PrivateNote, TryLine, seats_of
from games.novaluna.board.try_line import line_title


class KeptLine(NamedTuple):
    """A line that the viewer has kept: the action after which it begins, and its actions."""

    pk: int
    start: int
    text: str
    name: str

    @property
    def title(self) -> str:
        """Its first actions, in words."""
        return line_title(self.text)

    @property
    def next_number(self) -> int:
        """The number of the action that was played in the game where the line begins."""
        return self.start + 1


def note_of(game: Game, viewer: Viewer) -> str | None:
    """Return the viewer's own note about a started game, empty if there is none; None without a seat."""
    if game.is_open or not any(seat.is_of(viewer) for seat in seats_of(game)):
        return None
    note = PrivateNote.objects.filter(game=game, user=viewer.pk).first()
    return note.text if note else ""


def lines_of(game: Game, viewer: Viewer) -> list[KeptLine]:
    """Return the lines that the viewer has kept in a game, by the action after which they begin."""
    if not viewer.is_authenticated:
        return []
    lines = TryLine.objects.filter(game=game, user=viewer.pk)
    return [KeptLine(*line) for line in lines.values_list("pk", "start", "text", "name")]
