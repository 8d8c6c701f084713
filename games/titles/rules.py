"""The rules of a title: how a game starts, which actions are legal, what each seat may know, how it ends.

Rules are pure: no clock, no randomness, no I/O. Everything that is random follows from the deal. Positions
and steps are immutable values, so anybody may keep them, and the same log always gives the same position.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar


class IllegalAction(ValueError):
    """The rules do not allow an action in a position. Its text is for developers; pages have their own.

    `code` is the name of the kind of error, for which the pages of the title have a sentence.
    """

    code = "illegal"


class UnknownRules(ValueError):
    """This program does not have the version of the rules under which a log was written."""

    code = "unknown_rules"


@dataclass(frozen=True)
class Setup:
    """What is fixed before the first action.

    `options` are the choices of the table: plain JSON that `Rules.checked_options` has returned. `dealt` is
    the deal: plain JSON that `Rules.deal` has returned, secret until the game is over.
    """

    seats: int
    options: Mapping[str, Any]
    dealt: Mapping[str, Any] = field(repr=False)  # so it appears neither in logs nor on error pages


class Record(NamedTuple):
    """What a record of a game has: the setup, and the actions as JSON values, which are not checked yet."""

    setup: Setup
    actions: list[object]


# The type of a title's actions: immutable values with a `seat`, which `Rules` write as JSON and read. Equal
# actions have equal hashes. The `repr` of an action shows all of it.
Action = TypeVar("Action")


class Step(Protocol[Action]):
    """An action with the position after it and what it has changed."""

    @property
    def action(self) -> Action | None:
        """The action. In a view that may not know it, None."""
        ...

    @property
    def seat(self) -> int | None:
        """The seat that acted, which everybody may know; None if nobody in particular did."""
        ...

    @property
    def position(self) -> Position[Action]:
        """The position after the action."""
        ...

    @property
    def events(self) -> tuple[Hashable, ...]:
        """What the action has changed, in order: values of the title, which its pages put into words."""
        ...

    def seen_by(self, seat: int | None) -> Step[Action]:
        """Return the step as a seat sees it when it happens, or as a spectator does (None).

        Its position is `position.seen_by(seat)`. Its action and events show nothing that this seat does not
        know at that moment, even if it becomes public later.
        """
        ...


class Position(Protocol[Action]):
    """All that is known between two actions, by the rules or by one seat: an immutable value.

    A position that `seen_by` has returned shows less: it answers for what it shows, and it may refuse to
    apply an action whose result it cannot know. Everything but `legal`, `apply` and `guess` must be cheap,
    because lists and checks ask for it often.
    """

    @property
    def seats(self) -> int:
        """The number of seats at the start of the game."""
        ...

    @property
    def in_play(self) -> Collection[int]:
        """The seats that have not left the game."""
        ...

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that may act now. Empty if and only if the game is over."""
        ...

    @property
    def ending(self) -> str | None:
        """Why the game is over: a stored word of up to 12 letters; None while it runs.

        "left" means that it ended because a seat left, "cancelled" that it has no result.
        """
        ...

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; seats that end level share one, as do the seats of a side.

        Empty while the game runs, after a cancel, and in a game without places, such as one for one player.
        """
        ...

    @property
    def known(self) -> int:
        """A number that grows whenever something is revealed that nobody could foresee.

        A plan that was made at another number is not played, unless its player allows that.
        """
        ...

    def figures(self, seat: int) -> Mapping[str, int]:
        """Return the few public numbers of a seat that lists show, by stored name, such as `{"points": 3}`.

        The names are the same for all seats. The end of a game can add some, such as a score.
        """
        ...

    def legal(self, seat: int) -> Collection[Action]:
        """Return the legal actions of a seat: none if it is not awaited, or else at least one.

        A lazy view, if there are many: nobody should pay for actions that nobody lists. Resigning and
        cancelling are not in it.
        """
        ...

    def is_legal(self, action: Action) -> bool:
        """Return whether `apply` would accept this action; also those of the house, and by any seat."""
        ...

    def forced(self, seat: int) -> Action | None:
        """Return the only legal action of a seat; None if it has a choice or is not awaited."""
        ...

    def apply(self, action: Action) -> Step[Action]:
        """Return the step of a legal action. Raises IllegalAction, and changes nothing."""
        ...

    def seen_by(self, seat: int | None) -> Position[Action]:
        """Return what a seat may know of this position; None is a spectator, who knows least.

        If something changes that this seat may not know, the result stays equal. Applied to its own result,
        it changes nothing.
        """
        ...

    def guess(self, seat: int, rng: Random) -> Position[Action]:
        """Return a whole position that fits everything that a seat knows, drawn at random.

        `guess(seat, rng).seen_by(seat)` equals `seen_by(seat)`. It is called on positions that this seat
        sees, by bots that search.
        """
        ...


class OpenPosition(Position[Action], Protocol[Action]):
    """A position of a title without hands: everybody sees the same."""

    def with_deal(self, dealt: Mapping[str, object]) -> OpenPosition[Action]:
        """Return the position with the secrets of a deal, so that the house need not replay the whole log."""
        ...


class OpenStep(Step[Action], Protocol[Action]):
    """A step of a title without hands."""

    def with_deal(self, dealt: Mapping[str, object]) -> Step[Action]:
        """Return the step with the secrets of a deal in its position."""
        ...


class Rules(Protocol[Action]):
    """The rules of a title, in every version under which logs were written."""

    @property
    def versions(self) -> Collection[int]:
        """The versions that this program has."""
        ...

    @property
    def version(self) -> int:
        """The version under which new games start.

        A release can know a version before games start under it, so that older processes never meet one.
        """
        ...

    @property
    def has_hands(self) -> bool:
        """Whether a seat may know more than a spectator. If not, all positions and steps are open."""
        ...

    @property
    def plays_forced(self) -> bool:
        """Whether the house plays the only legal action of a seat, for bots and for people who want that.

        It should not if such an action reveals something that people wait for.
        """
        ...

    @property
    def seat_counts(self) -> Collection[int]:
        """The numbers of seats that a game can have."""
        ...

    def sides(self, seats: int) -> Sequence[int]:
        """Return the side of each seat, from 0; without partners each seat is a side of its own."""
        ...

    def checked_options(self, options: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the options of a table with defaults for those that are missing, as plain JSON.

        Raises ValueError, with a text for developers, for options that no game can have.
        """
        ...

    def deal(self, seed: bytes, seats: int, options: Mapping[str, object]) -> Mapping[str, object]:
        """Return the deal that follows from a seed of 32 bytes, as plain JSON; it must never change.

        It is empty if the title has no chance; otherwise seeds lead to different deals. People check it by
        hand, so it should be simple: see `shuffles.shuffled`.
        """
        ...

    def start(self, setup: Setup, version: int | None) -> Position[Action]:
        """Return the position before the first action.

        Raises UnknownRules for a version that this program does not have, and for None: no game has started.
        """
        ...

    def step_back(self, action: Any, position: Any) -> Step[Action]:
        """Return the step, without events, of a take-back (`actions.TakeBack`) to an earlier position."""
        ...

    def action_to_json(self, action: Action) -> Mapping[str, object]:
        """Return an action as JSON with the keys "seat" and "do".

        "resign" and "cancel" belong to the house. What was stored once must be readable for ever.
        """
        ...

    def action_from_json(self, value: object) -> Action:
        """Return the action that a JSON value describes. Raises IllegalAction if it is none."""
        ...

    def write_record(self, setup: Setup, actions: Iterable[Action]) -> Mapping[str, object]:
        """Return a game in the record format of the title, with its whole deal.

        Its `format` is the key of the title and "-record".
        """
        ...

    def read_record(self, record: Mapping[str, object]) -> Record:
        """Return what a record describes, without checking its actions. Raises `records.BadRecord`."""
        ...

    def read_position(self, record: Mapping[str, object]) -> Position[Action]:
        """Return the position at the end of a record which may lack what some seats do not know there.

        The record of a title with hands has the key `seat`, and the position is as this seat sees it; if it
        has whole deals, the position is whole. Raises `records.BadRecord`, UnknownRules, and IllegalAction at
        the first action that is not legal.
        """
        ...

    def state(self, position: Any) -> Mapping[str, object]:
        """Return a position as plain JSON, for `manage.py replay`."""
        ...


# Rooms of the house handle the actions of all titles alike.
AnyStep = Step[Any]
AnyPosition = Position[Any]
AnyOpenPosition = OpenPosition[Any]
AnyOpenStep = OpenStep[Any]
AnyRules = Rules[Any]
