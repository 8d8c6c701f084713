"""A game as one viewer sees it: the value from which all pages and emails of a title are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from games.titles.actions import Cancel, Resign, TakeBack, numbers_that_count
from games.titles.experts import Judgement
from games.titles.people import Outage, PastClocks, Person, SeatChange
from games.titles.rules import AnyPosition, AnyStep

PositionT = TypeVar("PositionT", bound=AnyPosition)
StepT = TypeVar("StepT", bound=AnyStep)


@dataclass(frozen=True)
class Plan:
    """What the viewer wants to do when their turn comes: actions of the title, the best one first.

    It `holds` until something is revealed that the viewer did not know, or longer if it `outlasts_reveals`.
    """

    wishes: tuple[Any, ...]
    holds: bool
    outlasts_reveals: bool
    most_wishes: int


@dataclass(frozen=True)
class Hint:
    """The best bot's action for the viewer's turn; no action while it thinks.

    `worth` is what its bots expect of it, as a number of the title, or None when there was no search.
    `is_late` is set when the viewer waits longer than expected.
    """

    action: Any = None
    worth: float | None = None
    is_late: bool = False


@dataclass(frozen=True)
class Reviewed:
    """The judgement of the action that is shown, and the part of the review from which the viewer came."""

    judgement: Judgement
    part: str
    judgements: Sequence[Mapping[str, object]] = field(default=(), hash=False)  # as stored, of all actions


@dataclass(frozen=True)
class Followed:
    """How far a viewer has followed a line that a review prefers: `number` of its `count` actions."""

    number: int
    count: int


@dataclass(frozen=True)
class GameView(Generic[PositionT, StepT]):
    """A game as one viewer sees it, with positions that `seen_by` has returned for their seat.

    `steps` is the whole log; `people` is in seat order. Without `at` the view shows the newest position, else
    the position after action `at`, where 0 is the start. `hint` is for the viewer's turn, and `plan`
    for their next one. In a try (`is_try`) the last steps are a line, and the viewer chooses for everybody.
    With `reviewed` or `followed`, `at` is always set, even if it is the newest action. With `is_between`,
    the page shows the position only until the next one, so nobody chooses in it.
    """

    # Too many to hash. Views of one log share its steps, so they are quickly found to be equal.
    start: PositionT = field(hash=False)
    steps: tuple[StepT, ...] = field(hash=False)
    people: tuple[Person, ...]
    at: int | None = None
    moved_at: datetime | None = None
    hint: Hint | None = None
    plan: Plan | None = None
    reviewed: Reviewed | None = None
    seat_changes: tuple[SeatChange, ...] = ()
    outages: tuple[Outage, ...] = ()
    is_try: bool = False
    followed: Followed | None = None
    is_between: bool = False
    allows_hints: bool = True
    allows_plans: bool = True
    plays_forced: bool = False  # whether the house plays the only legal action of the viewer
    # From the start on, with all hands, once everybody may know them: after the last game on a deal.
    # Only titles with hands have them.
    opened: Sequence[PositionT] = field(default=(), hash=False)
    action_to_take_back: int | None = None
    clocks: PastClocks | None = field(default=None, hash=False)  # None without clocks

    def caretaker_at(self, number: int) -> str:
        """Return the level of the bot that made an action for a person; empty if none did."""
        seat, level = self.steps[number - 1].seat, ""
        for change in self.seat_changes:
            if change.seat == seat and change.number <= number:
                level = change.bot
        return level

    def was_forced(self, number: int) -> bool:
        """Return whether the house played action `number` for the viewer, who had no other and no plan."""
        seat = self.viewer
        if not self.plays_forced or seat is None or self.steps[number - 1].seat != seat:
            return False
        return not self.was_planned(number) and self.position_after(number - 1).forced(seat) is not None

    def was_planned(self, number: int) -> bool:
        """Return whether action `number` is the viewer's latest one that a plan made."""
        seat = self.viewer
        return seat is not None and self.people[seat].planned_number == number

    @cached_property
    def last_decision(self) -> int:
        """The number of the last action that the viewer has chosen; 0 if there is none."""
        own = (number for number in range(self.version, 0, -1) if self.steps[number - 1].seat == self.viewer)
        return next((number for number in own if not self.was_forced(number)), 0)

    def as_played(self, number: int) -> Self:
        """Return the view with the people who played at action `number`, before seats were handed over."""
        return self.before_changes([change for change in self.seat_changes if change.number > number])

    def before_changes(self, changes: Sequence[SeatChange]) -> Self:
        """Return the view with the people who played before these last changes of seats."""
        names = {change.seat: change.former for change in reversed(changes) if change.reason == "hand"}
        if not names:
            return self
        people = tuple(
            replace(person, name=names[person.seat], is_you=False) if person.seat in names else person
            for person in self.people
        )
        return replace(self, people=people)

    @cached_property
    def viewer(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        return next((person.seat for person in self.people if person.is_you), None)

    @property
    def opponents(self) -> list[str]:
        """The names of everybody but the viewer, in seat order."""
        return [person.name for person in self.people if not person.is_you]

    @property
    def version(self) -> int:
        """How many actions the log has."""
        return len(self.steps)

    @property
    def shown(self) -> int:
        """The number of the last action before the position that is shown; 0 is the start."""
        return self.version if self.at is None else self.at

    @property
    def is_past(self) -> bool:
        """Whether the view shows a past position, in which the viewer cannot act."""
        return self.at is not None

    @cached_property
    def position(self) -> PositionT:
        """The position that is shown."""
        return self.position_after(self.shown)

    @cached_property
    def newest(self) -> PositionT:
        """The newest position."""
        return self.position_after(self.version)

    def position_after(self, number: int) -> PositionT:
        """Return the position after action `number`; 0 is the start."""
        # A step does not say the type of its position more exactly than the contract.
        position: Any = self.steps[number - 1].position if number else self.start
        return position  # type: ignore[no-any-return]

    @property
    def shown_step(self) -> StepT | None:
        """The step to the position that is shown; None at the start."""
        return self.steps[self.shown - 1] if self.shown else None

    @property
    def is_solo(self) -> bool:
        """Whether this is a game for one player."""
        return self.start.seats == 1

    @property
    def has_moves(self) -> bool:
        """Whether somebody has chosen an action in the whole game. Otherwise a review has nothing to show."""
        return any(not isinstance(step.action, Resign | Cancel) for step in self.steps)

    @cached_property
    def is_over(self) -> bool:
        """Whether the game is over, whichever position is shown."""
        return self.newest.ending is not None

    @cached_property
    def is_my_turn(self) -> bool:
        """Whether the newest position waits for the viewer, and no bot plays for them."""
        return self.viewer is not None and self.viewer in self.newest.awaited and not self.is_viewer_away

    @property
    def is_viewer_away(self) -> bool:
        """Whether a bot plays the viewer's seat."""
        return self.viewer is not None and bool(self.people[self.viewer].caretaker)

    @property
    def chooser(self) -> int | None:
        """The seat for which the viewer can choose an action on this page; None if they can't."""
        if self.is_past or self.is_between:
            return None
        if self.is_try:
            return min(self.position.awaited, default=None)
        return self.viewer if self.is_my_turn else None

    @cached_property
    def counting_numbers(self) -> Sequence[int]:
        """The numbers of the actions that were not taken back, in their order."""
        return numbers_that_count(step.action for step in self.steps)

    @cached_property
    def counting_to_shown(self) -> Sequence[int]:
        """The numbers of the actions up to the shown position that it still has, in their order."""
        return numbers_that_count(step.action for step in self.steps[: self.shown])

    @cached_property
    def numbers_taken_back(self) -> frozenset[int]:
        """The numbers of the actions that were taken back."""
        take_backs = (n for n, step in enumerate(self.steps, 1) if isinstance(step.action, TakeBack))
        return frozenset(range(1, self.version + 1)).difference(self.counting_numbers, take_backs)

    @property
    def can_plan(self) -> bool:
        """Whether the viewer waits for others in a running game and can plan their next turn."""
        newest, seat = self.newest, self.viewer
        waits = (
            self.allows_plans
            and seat is not None
            and seat in newest.in_play
            and bool(newest.awaited)
            and seat not in newest.awaited
        )
        return (
            self.allows_plans
            and waits
            and not (self.is_past or self.is_try or self.is_solo or self.is_viewer_away)
        )

    @property
    def planned_step(self) -> StepT | None:
        """The viewer's last action, if their plan made it; None in every other case."""
        return None if self.viewer is None else self._last_own_step(self.people[self.viewer].planned_number)

    @property
    def unplanned_step(self) -> StepT | None:
        """The viewer's last action, if the house made it and their plan was not possible; else None."""
        return None if self.viewer is None else self._last_own_step(self.people[self.viewer].unplanned_number)

    def _last_own_step(self, number: int | None) -> StepT | None:
        """Return the step of action `number`, if it is the viewer's last one and was not taken back."""
        # A board between, or a page that is read while the plan is played, may end before the action.
        if number is None or self.is_past or number > len(self.steps):
            return None
        if any(step.seat == self.viewer for step in self.steps[number:]) or number in self.numbers_taken_back:
            return None
        return self.steps[number - 1]

    @property
    def first_seat(self) -> int:
        """The seat that the page shows first: the viewer's own, or seat 0 for a spectator.

        In a try it is the seat to move. In a game, its review and a better line, no step changes it.
        """
        seat = self.chooser if self.is_try else None
        return (self.viewer or 0) if seat is None else seat

    @property
    def seats_from_viewer(self) -> list[int]:
        """All seats in their order, from the viewer's own; from seat 0 for a spectator."""
        first, count = self.viewer or 0, len(self.people)
        return [(first + turn) % count for turn in range(count)]


AnyView = GameView[Any, Any]
