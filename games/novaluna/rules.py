"""The rules of Nova Luna as a title of the house: the engine, with deals and options as plain JSON."""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from games.novaluna.engine import (
    MOST_DISCS,
    RULES,
    RULES_VERSION,
    SOLO_DISCS,
    TILES,
    Action,
    Mode,
    Position,
    Record,
    Setup,
    Step,
    action_from_json,
    action_to_json,
    record_from_json,
    rules,
    write_record,
)
from games.titles import rules as titles
from games.titles.actions import TakeBack
from games.titles.records import replay
from games.titles.shuffles import shuffled

# The discs of the shorter beginner's game, by number of players. For two players, the rules have no
# beginner's game.
BEGINNER_DISCS = {3: 17, 4: 15}


class NovaLunaRules:
    """Everybody sees the same: all but the undrawn tiles. Each seat is a side of its own.

    The option `discs` is how many goal discs each player has. A deal is `{"deck": tile codes, "start_order":
    seats}`.
    """

    versions = tuple(RULES)
    version = RULES_VERSION
    has_hands = False
    plays_forced = False  # a forced refill reveals tiles
    seat_counts = range(1, 5)

    def sides(self, seats: int) -> Sequence[int]:
        """Return a side for each seat."""
        return range(seats)

    def checked_options(self, options: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the number of goal discs. Raises BadRecord for one that no game can have."""
        most = SOLO_DISCS if seats == 1 else MOST_DISCS
        discs = options.get("discs", most)
        setup = Setup.from_values(Mode.of(seats), seats, discs, range(seats), tuple(TILES))
        return {"discs": setup.goal_discs}

    def deal(self, seed: bytes, seats: int, _options: Mapping[str, object]) -> Mapping[str, object]:
        """Return the deck and the start order that follow from a seed. docs/deals.md describes this rule."""
        return {
            "deck": shuffled(sorted(TILES), hmac.digest(seed, b"deck", "sha256")),
            "start_order": shuffled(range(seats), hmac.digest(seed, b"start order", "sha256")),
        }

    def start(self, setup: titles.Setup, version: int | None) -> Position:
        """Return the position before the first action. Raises UnknownRules."""
        return rules(version).start(_engine_setup(setup))

    def step_back(self, action: TakeBack, position: Position) -> Step:
        """Return the step of a take-back to an earlier position."""
        return Step(cast("Action", action), position, ())

    def action_to_json(self, action: Action) -> Mapping[str, object]:
        """Return an action as JSON of the record format."""
        return action_to_json(action)

    def action_from_json(self, value: object) -> Action:
        """Return the action that a JSON value describes. Raises BadAction if it is none."""
        return action_from_json(value)

    def write_record(self, setup: titles.Setup, actions: Iterable[Action]) -> Mapping[str, object]:
        """Return a game as a JSON value of the record format."""
        return write_record(_engine_setup(setup), actions)

    def read_record(self, record: Mapping[str, object]) -> titles.Record:
        """Return what a record describes. Raises BadRecord."""
        return _house_record(record_from_json(record))

    def read_position(self, record: Mapping[str, object]) -> Position:
        """Return the position at the end of a record, whose deck may be cut."""
        *_before, position = replay(self, _house_record(record_from_json(record, whole=False)), record)
        return cast("Position", position)

    def state(self, position: Position) -> Mapping[str, object]:
        """Return a position as a state of the record format."""
        return position.state()


def _house_record(record: Record) -> titles.Record:
    """Return a record of the engine with its deal and options as plain JSON."""
    setup, actions = record
    dealt = {"deck": list(setup.deck), "start_order": list(setup.start_order)}
    return titles.Record(titles.Setup(setup.seats, {"discs": setup.goal_discs}, dealt), actions)


def _engine_setup(setup: titles.Setup) -> Setup:
    """Return the setup without checking it, so that every stored game can be replayed."""
    order, deck = cast("list[int]", setup.dealt["start_order"]), cast("list[str]", setup.dealt["deck"])
    discs = cast("int", setup.options["discs"])
    return Setup(Mode.of(setup.seats), setup.seats, discs, tuple(order), tuple(deck))
