"""What a table of a title offers: options, in the form of a new table and in lists, and levels of bots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question to who opens a table. `name` is the name of the field in the form, which never changes.

    It is asked for tables with as many seats as `seat_counts` says; without them, for all. A house rule is
    folded away in the form, because most tables keep its usual answer.
    """

    name: str
    label: str | _StrPromise
    help_text: str | _StrPromise = ""
    seat_counts: Collection[int] = ()
    is_house_rule: bool = False


@dataclass(frozen=True, kw_only=True)
class YesNo(Question):
    """A question with a box to tick. Its answer is True or False."""

    initial: bool = False


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """A question with a few answers: each value as JSON, all of one type, with its label."""

    choices: Mapping[str, str | _StrPromise] | Mapping[int, str | _StrPromise]
    initial: str | int


@dataclass(frozen=True, kw_only=True)
class Number(Question):
    """A question for a whole number from `least` to `most`."""

    least: int
    most: int
    initial: int


@dataclass(frozen=True, kw_only=True)
class Numbers(Question):
    """A question for as many whole numbers as there are in `initial`; its answer is a list."""

    least: int
    most: int
    initial: tuple[int, ...]


class Options(Protocol):
    """What people choose about a table of a title and read about it, in the active language."""

    @property
    def introduction(self) -> str:
        """A sentence about the title for people who are invited and may not know it."""
        ...

    @property
    def banner(self) -> str:
        """The static file of a picture above an invitation, three times as wide as high; maybe empty."""
        ...

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return about how long a game takes without breaks."""
        ...

    def questions(self, *, is_new: bool) -> Sequence[Question]:
        """Return what the form of a new table asks about the options.

        `is_new` says that the person has not played the title with three or more players; with two, if no
        table of the title has more.
        """
        ...

    def options_of(self, answers: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the options for the rules that follow from the answers, by the names of the questions.

        An answer is missing if its question is not for this number of seats.
        """
        ...

    def describe_options(self, options: Mapping[str, object], seats: int) -> str:
        """Return the options of a table in a few words, such as "3 rounds"; empty without any."""
        ...


class LevelText(NamedTuple):
    """A level in a few words, as a list shows it, and in a sentence; both are translated lazily."""

    label: str | _StrPromise
    description: str | _StrPromise


class LevelTexts(Protocol):
    """How a title describes the levels of its bots."""

    @property
    def bot_levels(self) -> Mapping[str, LevelText]:
        """The texts of the levels by stored name: of all in `Bots.levels`, and maybe of others."""
        ...

    @property
    def bot_roles(self) -> Mapping[int, str | _StrPromise]:
        """What the bots of the largest table are to the person who opens it, by their numbers from 1.

        Empty where each is an opponent like the others.
        """
        ...
