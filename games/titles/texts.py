"""The text mode: a game as plain pages without pictures or scripts."""

from typing import Any, Protocol

from games.titles.lines import View


class Texts(Protocol[View]):
    """What text mode shows of a title's games.

    The house shows who is awaited, the history, chat, notes and votes. The title's template extends
    `games/text/page.html` and fills its blocks: `move` in the viewer's turn, `result`, `plan` and `position`.
    """

    @property
    def text_page(self) -> str:
        """The template of the page, which gets the `board` of the game's page, and a value as `text`."""
        ...

    def text(self, view: View, board: Any) -> Any:
        """Return what the template shows in addition to the board of this view; None for nothing."""
        ...
