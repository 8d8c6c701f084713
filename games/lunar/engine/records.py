"""Records: a whole game as one JSON object, for downloads, bot authors and tests."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.lunar.engine.actions import Action, action_to_json
from games.lunar.engine.cards import Card, Deck, Stars, deck_of
from games.lunar.engine.errors import BadRecord
from games.lunar.engine.position import Position
from games.lunar.engine.setup import SEAT_COUNTS, SIDES, Dealer, ListDealer, SeedDealer, Setup, side_of
from games.lunar.engine.tables import MOST_POINTS, TRICKS

FORMAT = "lunar-record"
VERSION = 1


class Record(NamedTuple):
    """A setup, the deals and the actions after it; the actions are JSON values, which are not checked yet."""

    setup: Setup
    dealer: ListDealer
    actions: list[object]


def read_record(value: Mapping[str, object]) -> Record:
    """Return the whole record that a JSON object describes. Raises BadRecord."""
    setup, actions = read_setup(value), read_actions(value)
    deals = value.get("deals")
    if not isinstance(deals, list):
        raise BadRecord("The deals must be a list.")
    return Record(setup, ListDealer(tuple(read_deck(deal, setup.stars) for deal in deals)), actions)


def dealer_of(dealt: Mapping[str, Any], stars: Stars) -> Dealer:
    """Return who deals the rounds of a stored deal, which has a seed, or the deals of a record."""
    if "seed" in dealt:
        return SeedDealer(bytes.fromhex(dealt["seed"]), stars)
    return ListDealer(tuple(read_deck(deal, stars) for deal in dealt["deals"]))


def write_record(setup: Setup, dealer: Dealer, actions: Iterable[Action]) -> dict[str, object]:
    """Return a game as a JSON value of the record format, with the deals of the rounds that it began."""
    position, log = Position.start(setup, dealer), list(actions)
    for action in log:
        position = position.apply(action).position
    return {
        **write_setup(setup),
        "deals": [write_deck(dealer.deal(number)) for number in range(1, position.round + 1)],
        "actions": [action_to_json(action) for action in log],
    }


def read_setup(value: Mapping[str, object]) -> Setup:
    """Return the setup of a record. Raises BadRecord."""
    if value.get("format") != FORMAT or type(value.get("version")) is not int or value["version"] != VERSION:
        raise BadRecord(f"This is not a {FORMAT} of version {VERSION}.")
    seats = value.get("seats")
    if type(seats) is not int or seats not in SEAT_COUNTS:
        raise BadRecord("A game has 2 or 4 seats.")
    leads, points, stars = value.get("leads"), value.get("points"), value.get("stars")
    return Setup(seats, read_leads(leads, seats), read_points(points), read_stars(stars))


def read_actions(value: Mapping[str, object]) -> list[object]:
    """Return the actions of a record, which are not checked yet. Raises BadRecord if they are no list."""
    actions = value.get("actions")
    if not isinstance(actions, list):
        raise BadRecord("The actions must be a list.")
    return actions


def write_setup(setup: Setup) -> dict[str, object]:
    """Return the first keys of a record."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "seats": setup.seats,
        "leads": list(setup.leads),
        "points": list(setup.points),
        "stars": str(setup.stars),
    }


def read_leads(value: object, seats: int) -> tuple[int, int]:
    """Return the first holders of the lead tiles. Raises BadRecord."""
    if not isinstance(value, list) or any(
        type(seat) is not int or seat not in range(seats) for seat in value
    ):
        raise BadRecord("The leads must be a list of seats.")
    if sorted(map(side_of, value)) != list(range(SIDES)):
        raise BadRecord("The leads must be a seat of each side.")
    black, white = value
    return black, white


def read_points(value: object) -> tuple[int, ...]:
    """Return the points for each number of tricks. Raises BadRecord."""
    if not isinstance(value, list) or len(value) != TRICKS + 1:
        raise BadRecord(f"The points must be a list of {TRICKS + 1} numbers.")
    if any(type(points) is not int or not 0 <= points <= MOST_POINTS for points in value):
        raise BadRecord(f"The points must be whole numbers from 0 to {MOST_POINTS}.")
    return tuple(value)


def read_stars(value: object) -> Stars:
    """Return which cards have a star. Raises BadRecord."""
    if not isinstance(value, str) or value not in {*Stars}:
        raise BadRecord("The stars must be suits, ranks or none.")
    return Stars(value)


def read_deck(value: object, stars: Stars) -> Deck:
    """Return the shuffled cards of a round. Raises BadRecord if they are not exactly those of the game."""
    if not isinstance(value, dict):
        raise BadRecord("A deal must be an object.")
    ranks, suits = (_read_cards(value.get(name)) for name in Deck._fields)
    deck = deck_of(stars)
    if sorted(ranks) != sorted(deck.ranks) or sorted(suits) != sorted(deck.suits):
        raise BadRecord("A deal must have each card as often as the game.")
    return Deck(ranks, suits)


def write_deck(deck: Deck) -> dict[str, object]:
    """Return the shuffled cards of a round as JSON."""
    return {name: list(map(str, cards)) for name, cards in deck._asdict().items()}


def _read_cards(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or any(not isinstance(code, str) for code in value):
        raise BadRecord("The cards must be a list of codes.")
    return tuple(map(Card, value))
