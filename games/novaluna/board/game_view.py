"""A game as one viewer sees it: the value that every part of the board takes.

Its positions hold no undrawn tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from games.novaluna.bots import Worth
from games.novaluna.engine import GameOver, Place, Position, Refill, SoloPosition, Step
from games.shown.people import Outage, Person, SeatChange
from games.shown.words import BOT_LEVELS

Wish = Place | Refill


@dataclass(frozen=True)
class Plan:
    """What the viewer wants to do when their turn comes, the best wish first.

    It `holds` until tiles are revealed that the viewer did not know, or longer if it `outlasts_refill`.
    """

    wishes: tuple[Wish, ...]
    holds: bool
    outlasts_refill: bool
    most_wishes: int


@dataclass(frozen=True)
class Hint:
    """The expert's action for the viewer's turn; no action while the expert thinks.

    `worth` is None when there was no search. `is_late` is set when the viewer waits longer than expected.
    """

    action: Place | Refill | None = None
    worth: Worth | None = None
    is_late: bool = False


@dataclass(frozen=True)
class GameView:
    """A game as one viewer sees it.

    `steps` is the whole log; `people` is in seat order. Without `at` the view shows the newest position, else
    the position after action `at`, where 0 is the start. `hint` is for the viewer's turn, and `plan`
    for their next one. In a try (`is_try`) the last steps are a line, and the viewer chooses for everybody.
    """

    # Too many to hash. Views of one log share its steps, so they are quickly found to be equal.
    start: Position = field(hash=False)
    steps: tuple[Step, ...] = field(hash=False)
    people: tuple[Person, ...]
    at: int | None = None
    moved_at: datetime | None = None
    hint: Hint | None = None
    plan: Plan | None = None
    seat_changes: tuple[SeatChange, ...] = ()
    outages: tuple[Outage, ...] = ()
    is_try: bool = False
    allows_hints: bool = True

    def caretaker_at(self, number: int) -> str:
        """Return the level of the bot, in words, that made an action for a person; empty if none did."""
        seat, level = self.steps[number - 1].seat, ""
        for change in self.seat_changes:
            if change.seat == seat and change.number <= number:
                level = change.bot
        return str(BOT_LEVELS.get(level, level))

    def as_played(self, number: int) -> GameView:
        """Return the view with the people who played at action `number`, before seats were handed over."""
        return self.before_changes([change for change in self.seat_changes if change.number > number])

    def before_changes(self, changes: Sequence[SeatChange]) -> GameView:
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

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.position_after(self.shown)

    @property
    def newest(self) -> Position:
        """The newest position."""
        return self.position_after(self.version)

    def position_after(self, number: int) -> Position:
        """Return the position after action `number`; 0 is the start."""
        return self.steps[number - 1].position if number else self.start

    def unchanged_seats(self, number: int) -> list[int]:
        """Return the seats whose displays are now as they were after action `number`."""
        before, now = self.position_after(number).displays, self.newest.displays
        return [seat for seat, display in enumerate(now) if display == before[seat]]

    @property
    def shown_step(self) -> Step | None:
        """The step to the position that is shown; None at the start."""
        return self.steps[self.shown - 1] if self.shown else None

    @property
    def is_solo(self) -> bool:
        """Whether this is a solo game."""
        return isinstance(self.start, SoloPosition)

    @property
    def is_my_turn(self) -> bool:
        """Whether it is the viewer's turn in the newest position, and no bot plays for them."""
        is_to_move = self.viewer is not None and self.viewer == self.newest.to_move
        return is_to_move and not self.is_viewer_away

    @property
    def is_viewer_away(self) -> bool:
        """Whether a bot plays the viewer's seat."""
        return self.viewer is not None and bool(self.people[self.viewer].caretaker)

    @property
    def chooser(self) -> int | None:
        """The seat for which the viewer can choose an action on this page; None if they can't."""
        if self.is_try:
            return self.position.to_move
        return self.viewer if self.is_my_turn and not self.is_past else None

    @property
    def can_plan(self) -> bool:
        """Whether the viewer waits for others in a running game and can plan their next turn."""
        newest, seat = self.newest, self.viewer
        waits = seat is not None and seat in newest.in_play and newest.to_move not in (seat, None)
        return waits and not (self.is_past or self.is_try or self.is_solo or self.is_viewer_away)

    @property
    def has_moves(self) -> bool:
        """Whether somebody has placed a tile in the whole game. Otherwise a review has nothing to show."""
        return any(isinstance(step.action, Place) for step in self.steps)

    @property
    def planned_step(self) -> Step | None:
        """The viewer's last action, if their plan made it; None in every other case."""
        number = None if self.viewer is None else self.people[self.viewer].planned_number
        later = [] if number is None else self.steps[number:]
        if number is None or self.is_past or any(step.seat == self.viewer for step in later):
            return None
        return self.steps[number - 1]

    @property
    def possible_wishes(self) -> list[Wish]:
        """The wishes of the viewer's plan that can still be played: their tiles are on the wheel."""
        in_sight = {tile.code for tile in self.newest.wheel.spaces if tile}
        wishes = self.plan.wishes if self.plan else ()
        return [wish for wish in wishes if isinstance(wish, Refill) or wish.tile in in_sight]

    @property
    def can_add_wish(self) -> bool:
        """Whether the viewer's plan can have one more wish."""
        return self.can_plan and (self.plan is None or len(self.possible_wishes) < self.plan.most_wishes)

    @property
    def game_over(self) -> GameOver | None:
        """How the game ended; None while it runs."""
        return self.steps[-1].game_over if self.steps else None

    @property
    def first_seat(self) -> int:
        """The seat with the large display: the viewer's own, or seat 0 for a spectator.

        In a try it is the seat to move.
        """
        seat = self.chooser if self.is_try else None
        return (self.viewer or 0) if seat is None else seat
