"""Rules of a small title: options, actions and records as JSON, and one version."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from games.titles.actions import Cancel, Resign, TakeBack
from games.titles.records import BadRecord, plain_state, positions
from games.titles.rules import AnyPosition, IllegalAction, Record, Setup, UnknownRules
from games.titles.small.actions import SmallAction
from games.titles.small.positions import AnySmallPosition, SmallStep

if TYPE_CHECKING:
    from games.titles.rules import AnyRules

PositionT = TypeVar("PositionT", bound=AnySmallPosition)
AnyAction = SmallAction | Resign | Cancel


class SmallRules(ABC, Generic[PositionT]):
    """The rules of a small title, which says what is dealt, and how a game begins."""

    # The name that is stored with games and records, up to 24 letters. It never changes.
    key: ClassVar[str]

    # The kinds of actions.
    actions: ClassVar[Sequence[type[SmallAction]]]

    seat_counts: Collection[int] = (2,)

    # The possible values of each option of a table, the default first.
    options: Mapping[str, Sequence[int | str | bool]] = {}

    version = 1
    versions: Collection[int] = (1,)
    has_hands = True
    plays_forced = False

    @abstractmethod
    def deal(self, seed: bytes, seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        """Return the deal that follows from a seed, as plain JSON: see `shuffles.shuffled`.

        It is empty if the title has no chance.
        """

    @abstractmethod
    def begin(self, seats: int, options: Mapping[str, Any], dealt: Mapping[str, Any]) -> PositionT:
        """Return the position before the first action."""

    def sides(self, seats: int) -> Sequence[int]:
        """Return the side of each seat: one of its own."""
        return range(seats)

    def checked_options(self, options: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the options with defaults for those that are missing."""
        del seats
        checked = {name: options.get(name, values[0]) for name, values in self.options.items()}
        for name, value in checked.items():
            if (type(value), value) not in [(type(one), one) for one in self.options[name]]:
                raise ValueError(f"The option {name} can't be {value!r}, only one of {self.options[name]}.")
        return checked

    def start(self, setup: Setup, version: int | None) -> PositionT:
        """Return the position before the first action."""
        if version not in self.versions:
            raise UnknownRules(f"{self.key} has no version {version} of its rules.")
        return self.begin(setup.seats, setup.options, setup.dealt)

    def step_back(self, action: TakeBack, position: PositionT) -> SmallStep[Any]:
        """Return the step of a take-back to an earlier position."""
        return position.step_of(action)

    def action_to_json(self, action: AnyAction) -> Mapping[str, object]:
        """Return an action as JSON."""
        match action:
            case Resign(seat, reason):
                return {"seat": seat, "do": "resign", "reason": reason}
            case Cancel():
                return {"seat": None, "do": "cancel"}
        return action.to_json()

    def action_from_json(self, value: Any) -> AnyAction:
        """Return the action that a JSON value describes."""
        match value:
            case {"do": "resign", "seat": int(seat), "reason": str() | None as reason} if type(seat) is int:
                return Resign(seat, reason)
            case {"do": "cancel"}:
                return Cancel()
            case {"do": str(do)}:
                for kind in self.actions:
                    if kind.do == do:
                        return kind.from_json(value)
        raise IllegalAction("This is no action of the title.")

    def write_record(self, setup: Setup, actions: Iterable[AnyAction]) -> Mapping[str, object]:
        """Return a game as JSON."""
        return {
            "format": f"{self.key}-record",
            "seats": setup.seats,
            "options": dict(setup.options),
            "dealt": dict(setup.dealt),
            "actions": [self.action_to_json(action) for action in actions],
        }

    def read_record(self, record: Mapping[str, Any]) -> Record:
        """Return what a record describes."""
        match record:
            case {
                "seats": int(seats),
                "options": dict(chosen),
                "dealt": dict(dealt),
                "actions": list(actions),
            }:
                return Record(Setup(seats, chosen, dealt), actions)
        raise BadRecord(f"This is not a {self.key}-record.")

    def read_position(self, record: Mapping[str, Any]) -> PositionT:
        """Return the position at the end of a record, which is whole."""
        *_before, position = positions(self, record)
        return cast("PositionT", position)

    def state(self, position: AnyPosition) -> Mapping[str, object]:
        """Return what the contract says of a position."""
        return plain_state(position)


if TYPE_CHECKING:

    def _are_rules(rules: SmallRules[Any]) -> AnyRules:
        """Let the type checker prove that these rules lack nothing."""
        return rules
