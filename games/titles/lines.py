"""Actions as short lines of text, for links and replies to emails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from games.titles.view import AnyView

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class CannotPlay(Exception):
    """A line is no legal action. `reason` is a text for the player: why, and what to write instead."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotUnderstood(CannotPlay):
    """A line is probably not meant as an action at all, such as a greeting."""


class ActionText(NamedTuple):
    """What an action would bring: in a few words, and in detail."""

    title: str
    detail: str


# The class of the views of a title.
View = TypeVar("View", bound=AnyView, contravariant=True)


class Lines(Protocol[View]):
    """How a title writes actions as lines, reads them, and puts them into words.

    A line is short, the same in every language, and readable as long as emails live that contain it.
    """

    def write_action(self, action: Any, position: Any) -> str:
        """Return a legal action of a position as a line."""
        ...

    def read_action(self, line: str, position: Any, seat: int) -> Any:
        """Return the action of a seat that a line names, also `Resign`. Raises CannotPlay."""
        ...

    def split_reply(self, lines: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the lines of a reply in parts of one action each, which are played in this order.

        Each part is for `find_action`, in the position after the earlier ones, and all but the first begin
        with their action. If lines would name something else then, all of them are one part.
        """
        ...

    def find_action(self, lines: Sequence[str], view: View) -> Any:
        """Return the action of the viewer, in `view.position`, that one of the lines of a reply names.

        Raises CannotPlay.
        """
        ...

    def explain_action(self, action: Any, view: View) -> ActionText:
        """Return what a legal action of the viewer would bring."""
        ...

    def describe_refusal(self, code: str) -> str | _StrPromise:
        """Return why the rules refuse an action, by the code of `IllegalAction`, and what to do instead."""
        ...

    def describe_step(self, step: Any, view: View) -> str:
        """Return a step of the game in words, as a sentence without a full stop."""
        ...
