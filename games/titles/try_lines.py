"""Try lines: a viewer plays on from any position for themselves, for titles with this talent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.titles.lines import View
from games.titles.view import AnyView


@dataclass(frozen=True)
class BetterLine:
    """A line that a review expects after a better action, as addresses write it.

    It begins after action `start`. `first` is the better action alone, and `whole` has what follows too.
    """

    start: int
    first: str
    whole: str


class PlayedLine(Protocol):
    """A line after action `start`, as far as it is legal; `problem` says why it is not longer."""

    @property
    def view(self) -> AnyView:
        """The view of the position at its end, with `is_try`; it has the game only up to the start."""
        ...

    @property
    def start(self) -> int:
        """The number of the action after which it begins."""
        ...

    @property
    def actions(self) -> Sequence[Any]:
        """Its actions, for all seats."""
        ...

    @property
    def problem(self) -> str:
        """Why it is not longer, as a sentence; empty if it is as long as its text."""
        ...

    @property
    def text(self) -> str:
        """The line as addresses write it, without a slash; empty without actions."""
        ...

    def text_to(self, count: int) -> str:
        """Return the first `count` actions of the line, as addresses write them."""
        ...

    def with_action(self, action: Any) -> str:
        """Return the line with one more action, as addresses write it."""
        ...


class TryLines(Protocol[View]):
    """What the pages of a title with the talent TRY_LINES have too."""

    @property
    def try_page(self) -> str:
        """The template of the page of a line."""
        ...

    @property
    def try_part(self) -> str:
        """The template of the part of that page which htmx replaces."""
        ...

    @property
    def try_text_page(self) -> str:
        """The template of that page in text mode."""
        ...

    def play_line(self, view: View, start: int, text: str) -> PlayedLine:
        """Return the line `text` from the position after action `start`, as far as it is legal.

        `view` is the newest view of the game. A `start` beyond the log means the newest position.
        """
        ...

    def line_title(self, text: str) -> str:
        """Return the first actions of a stored line in a few words."""
        ...
