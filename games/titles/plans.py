"""Plans in replies to emails, for titles with the talent PLANS."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, Protocol

from games.titles.lines import View


class PlanRequest(Enum):
    """What a reply about a plan wants."""

    SHOW = auto()
    DROP = auto()
    MAKE = auto()


@dataclass(frozen=True)
class PlanReply:
    """What a reply says about a plan: the wishes of `MAKE` are actions for any seat, the best one first."""

    request: PlanRequest
    wishes: tuple[Any, ...] = ()
    outlasts_reveals: bool = False


class Rearranged(NamedTuple):
    """The wishes of a plan without one of them, and with that one a place earlier, if it is not the first."""

    removed: Sequence[Any]
    moved_up: Sequence[Any]


def rearranged(wish: Any, wishes: Sequence[Any]) -> Rearranged:
    """Return what forms offer to do with a wish; `wishes` are those that can still be played.

    >>> rearranged("b", ["a", "b", "c"])
    Rearranged(removed=['a', 'c'], moved_up=['b', 'a', 'c'])
    """
    others = [other for other in wishes if other != wish]
    place = wishes.index(wish) if wish in wishes else 0
    return Rearranged(others, [*others[: place - 1], wish, *others[place - 1 :]] if place else [])


class Plans(Protocol[View]):
    """How a title reads plans in replies, and puts them into words."""

    def plan_lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines of a reply that are about a plan: the first such line, and those after it."""
        ...

    def read_plan(self, lines: Sequence[str], seen: Any, view: View) -> PlanReply:
        """Return what the lines of `plan_lines` say. Raises CannotPlay.

        They name things as they were in the position that the player has `seen` in an email.
        """
        ...

    def show_plan(self, view: View) -> Any:
        """Return the viewer's plan for pages and emails; None if they can make none and have none.

        It has `wishes`, each with `text` and `problem`, and a `problem` of its own.
        """
        ...

    def describe_played_plan(self, view: View) -> str:
        """Return what the viewer's plan did, as a sentence; empty if it did not make their last action."""
        ...
