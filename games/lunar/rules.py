"""The rules of LUNAR as a title of the house: the engine, with deals and options as plain JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from games.lunar.engine import (
    HOUSE_POINTS,
    HOUSE_STARS,
    SEAT_COUNTS,
    Action,
    BadRecord,
    Dealer,
    Position,
    Setup,
    Stars,
    Step,
    action_from_json,
    action_to_json,
    draw_leads,
    may_never_end,
    read_position,
    read_record,
    side_of,
    state_of,
    write_record,
)
from games.lunar.engine.records import dealer_of, read_leads, read_points, read_stars, write_deck
from games.titles import rules as titles
from games.titles.actions import TakeBack
from games.titles.records import positions

VERSION = 1


class LunarRules:
    """Hands are secret, and partners sit across from each other.

    Options are `points`, a list by the number of tricks, `stars`, the name of the cards that have some, and
    `leads`, the first holders of the black and the white lead tile, or None to draw them.

    A deal is `{"leads": two seats, "seed": hex}`: as many rounds as needed follow from the seed. That of a
    record has `deals` and no seed.
    """

    versions = (VERSION,)
    version = VERSION
    has_hands = True
    plays_forced = True
    seat_counts = SEAT_COUNTS

    def sides(self, seats: int) -> Sequence[int]:
        """Return the side of each seat."""
        return tuple(map(side_of, range(seats)))

    def checked_options(self, options: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return points, stars and leads. Raises BadRecord for those that no game can have."""
        points = read_points(options.get("points", list(HOUSE_POINTS)))
        stars = read_stars(options.get("stars", str(HOUSE_STARS)))
        if may_never_end(points, stars):
            raise BadRecord("With such points and without stars, a game may never end.")
        leads = options.get("leads")
        return {
            "points": list(points),
            "stars": str(stars),
            "leads": None if leads is None else list(read_leads(leads, seats)),
        }

    def deal(self, seed: bytes, seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        """Return who holds the lead tiles, and the seed of all rounds. docs/deals.md describes this rule."""
        return {"leads": options["leads"] or list(draw_leads(seed, seats)), "seed": seed.hex()}

    def start(self, setup: titles.Setup, version: int | None) -> Position:
        """Return the position before the first action. Raises UnknownRules."""
        if version not in self.versions:
            raise titles.UnknownRules(f"This program does not have version {version} of the rules.")
        return Position.start(*_engine_setup(setup))

    def step_back(self, action: TakeBack, position: Position) -> Step:
        """Return the step of a take-back to an earlier position."""
        return Step(cast("Action", action), action.seat, position, ())

    def action_to_json(self, action: Action) -> Mapping[str, object]:
        """Return an action as JSON of the record format."""
        return action_to_json(action)

    def action_from_json(self, value: object) -> Action:
        """Return the action that a JSON value describes. Raises BadAction if it is none."""
        return action_from_json(value)

    def write_record(self, setup: titles.Setup, actions: Iterable[Action]) -> Mapping[str, object]:
        """Return a game as a JSON value of the record format.

        `leads_chosen` says that the table has chosen the first holders of the lead tiles.
        """
        chosen = {} if setup.options["leads"] is None else {"leads_chosen": True}
        return {**write_record(*_engine_setup(setup), actions), **chosen}

    def read_record(self, record: Mapping[str, object]) -> titles.Record:
        """Return what a record describes. Raises BadRecord."""
        setup, dealer, actions = read_record(record)
        options = {"points": list(setup.points), "stars": str(setup.stars), "leads": list(setup.leads)}
        dealt = {"leads": list(setup.leads), "deals": [write_deck(deck) for deck in dealer.deals]}
        return titles.Record(titles.Setup(setup.seats, options, dealt), actions)

    def read_position(self, record: Mapping[str, object]) -> Position:
        """Return the position of a position record, as its seat sees it, or of a whole record."""
        if "deals" not in record:
            return read_position(record)
        *_before, position = positions(self, record)
        return cast("Position", position)

    def state(self, position: Position) -> Mapping[str, object]:
        """Return a position, or a view of one, as a state of the record format."""
        return state_of(position)


def _engine_setup(setup: titles.Setup) -> tuple[Setup, Dealer]:
    """Return the setup and who deals, without checking them, so that every stored game can be replayed."""
    options, dealt = setup.options, setup.dealt
    black, white = dealt["leads"]
    stars = Stars(options["stars"])
    return Setup(setup.seats, (black, white), tuple(options["points"]), stars), dealer_of(dealt, stars)
