"""What lists, profiles, feeds and posts show of the games of a title: its name, figures and results."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

# The numbers of a seat that `Position.figures` returns.
Figures = Mapping[str, int]


class SeatFigures(NamedTuple):
    """The figures of a seat in a running game, for a list of the viewer's games."""

    name: str
    is_viewer: bool
    has_left: bool
    figures: Figures


@dataclass(frozen=True)
class Thumb:
    """A small picture beside a game in a list: a template, which gets nothing but the `drawing`.

    Equal pictures are rendered once. Without a template, there is no picture.
    """

    template: str = ""
    drawing: Hashable = None


NO_THUMB = Thumb()


class TableResult(NamedTuple):
    """The place of a seat at its table of a duplicate match, and how far it was ahead of the others.

    With the same place, a greater lead is better.
    """

    place: int
    lead: float = 0.0


class FinishedGame(NamedTuple):
    """A finished game of the viewer: their place, and the figures of their seat and of their opponents.

    Who left before the end has none.
    """

    place: int
    own: Figures
    others: Sequence[Figures]


class Statistic(NamedTuple):
    """A number over many games in words: what it is, and its value."""

    label: str
    value: str


class Lists(Protocol):
    """Texts about games of which only the stored columns are known, in the active language."""

    # The kinds of the viewer's own actions (the "do" of their JSON) from which a picture is drawn.
    thumb_actions: Collection[str]

    # Whether one seat begins each game, by the first action: then statistics say how often it wins.
    one_seat_begins: bool

    @property
    def name(self) -> str:
        """The name of the title."""
        ...

    def describe_figures(self, figures: Figures) -> str:
        """Return the figures of one seat in a few words, such as "3 points"."""
        ...

    def compare_figures(self, seats: Sequence[SeatFigures]) -> str:
        """Return in a few words how a running game stands for the viewer, whose seat is one of these."""
        ...

    def progress_of(self, figures: Figures) -> int | None:
        """Return a number: the greater, the better a seat stands in a running game; None if nobody knows."""
        ...

    def describe_result(self, figures: Figures) -> str:
        """Return what a player has reached in a finished game without places, such as "Score 93"."""
        ...

    def compare_results(self, figures: Sequence[Figures]) -> str:
        """Return the figures of the sides of a finished game in a few words, such as "Points 34 : 25"."""
        ...

    def compare_at_table(
        self, seat: int, places: Sequence[int | None], figures: Sequence[Figures]
    ) -> TableResult:
        """Return the result of a seat for duplicate matches, from the places and figures of all seats.

        There are no places after a cancel; then everybody is last.
        """
        ...

    def share_score(self, score: int, day: date | None, *, with_hints: bool) -> str:
        """Return the text to share of a solo game on the deal of a day, which reveals nothing about it."""
        ...

    def statistics(self, games: Sequence[FinishedGame]) -> Sequence[Statistic]:
        """Return what the title has to say about finished games of the viewer, at least one."""
        ...

    @property
    def rule_of_places(self) -> str:
        """What counts for ratings, in one or two sentences."""
        ...

    @property
    def rule_of_leads(self) -> str:
        """Which result at a table of a duplicate match is better, in a few sentences."""
        ...

    def draw_thumb(self, actions: Sequence[Mapping[str, Any]], *, is_over: bool) -> Thumb:
        """Return the picture that the viewer's `thumb_actions` give, in their order as JSON."""
        ...
