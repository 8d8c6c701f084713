"""Private notes of players about their games, and the lines that they have kept."""

from typing import Any, NamedTuple, cast

from accounts.models import Viewer
from games.models import Game, PrivateNote, TryLine, facts_of, seats_of
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.titles.try_lines import TryLines


class KeptLine(NamedTuple):
    """A line that the viewer has kept: the action after which it begins, and its actions.

    `title` has its first actions in words.
    """

    pk: int
    start: int
    text: str
    name: str
    title: str

    @property
    def next_number(self) -> int:
        """The number of the action that was played in the game where the line begins."""
        return self.start + 1


def note_of(game: Game, viewer: Viewer) -> str | None:
    """Return the viewer's own note about a started game, empty if there is none; None without a seat."""
    if game.is_open or not any(seat.is_of(viewer) for seat in seats_of(game)):
        return None
    is_stored = "note" in facts_of(game, viewer.pk)
    note = PrivateNote.objects.filter(game=game, user=viewer.pk).first() if is_stored else None
    return note.text if note else ""


def lines_of(game: Game, viewer: Viewer) -> list[KeptLine]:
    """Return the lines that the viewer has kept in a game, by the action after which they begin."""
    title = title_named(game.title)
    if not viewer.is_authenticated or Talent.TRY_LINES not in title.talents:
        return []
    if "lines" not in facts_of(game, viewer.pk):
        return []
    title_of = cast("TryLines[Any]", title.pages).line_title
    lines = TryLine.objects.filter(game=game, user=viewer.pk).values_list("pk", "start", "text", "name")
    return [KeptLine(pk, start, text, name, title_of(text)) for pk, start, text, name in lines]
