"""Position records: what a bot gets. They have the view of one seat, and the log as this seat knows it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

from games.lunar.engine.actions import (
    PASSED_OF_EACH,
    Action,
    Flip,
    Pass,
    Play,
    action_from_json,
    action_to_json,
    read_seat,
)
from games.lunar.engine.cards import SUITS, SUITS_OF_EACH, Card, Kind, deck_of
from games.lunar.engine.errors import BadRecord
from games.lunar.engine.events import CardsPassed, RoundResult
from games.lunar.engine.guesses import known_cards, played_cards
from games.lunar.engine.position import SKY, Position, Step
from games.lunar.engine.records import read_actions, read_leads, read_setup, write_setup
from games.lunar.engine.setup import SIDES
from games.lunar.engine.states import state_of
from games.lunar.engine.tables import TRICKS
from games.lunar.engine.tricks import CARDS, Played, Trick, winner_of

_MOST = 100  # above all numbers in the result of a round
_UNKNOWN_PASS = tuple(Card(kind) for kind in Kind for _ in range(PASSED_OF_EACH))


def write_position(start: Position, steps: Sequence[Step], seat: int) -> dict[str, object]:
    """Return the position record of a seat after these steps, which may be views of this seat."""
    view = (steps[-1].position if steps else start).seen_by(seat)
    return {
        **write_setup(view.setup),
        "actions": _log_of(steps, seat),
        "seat": seat,
        "hand": list(view.hands[seat]),
        "view": state_of(view),
    }


def read_position(record: Mapping[str, Any]) -> Position:
    """Return the position of a position record, as its seat sees it. Raises BadRecord and BadAction."""
    setup, log = read_setup(record), [_read_action(value) for value in read_actions(record)]
    try:
        seat, view = record["seat"], record["view"]
        hands = tuple(tuple(map(Card, hand)) for hand in view["hands"])
        position = Position(
            setup=setup,
            dealer=None,
            holders=read_leads(view["holders"], setup.seats),
            start_player=view["start_player"],
            hands=hands,
            **_read_sky(view),
            **_read_round(_of_this_round(log), setup.seats),
            rounds=tuple(_read_result(*numbers) for numbers in view["rounds"]),
        )
        is_true = state_of(position) == view and record["hand"] == list(hands[seat])
        # A view that no deal and no log can have has no guess.
        if (
            not (is_true and _can_be_dealt(position, seat))
            or position.seen_by(seat) != position
            or not position.guess(seat, Random(0))
        ):
            raise BadRecord("The view does not fit the log.")
    except BadRecord:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"The view is not readable: {error!r}.") from None
    return position


def _can_be_dealt(position: Position, seat: int) -> bool:
    """Return whether the cards that a seat knows are all in the deck, and all seats are at the table."""
    deck = Counter(chain(*deck_of(position.setup.stars)))
    seats = (seat, position.start_player, *(played.seat for played in played_cards(position)))
    return known_cards(position, seat) <= deck and all(
        type(each) is int and each in range(position.seats) for each in seats
    )


def _log_of(steps: Sequence[Step], seat: int) -> list[dict[str, object]]:
    """Return the log without the cards of passes that a seat does not know."""
    log: list[dict[str, object]] = []
    for step in steps:
        passed = next((event.cards for event in step.events if isinstance(event, CardsPassed)), None)
        own = step.seen_by(seat).action
        log.append({"seat": step.seat, "do": "pass"} if own is None else action_to_json(own))
        if passed is not None:
            # The log of a round begins with the passes, so these are the last ones.
            partner = (seat + SIDES) % len(passed)
            known = next(entry for entry in log[-len(passed) :] if entry["seat"] == partner)
            known["cards"] = list(map(str, passed[partner]))
    return log


def _read_action(value: object) -> Action:
    """Return an action, for a pass without its cards one of hidden cards. Raises BadAction."""
    if isinstance(value, dict) and value.get("do") == "pass" and "cards" not in value:
        return Pass(read_seat(value), _UNKNOWN_PASS)
    return action_from_json(value)


def _of_this_round(log: Sequence[Action]) -> Sequence[Action]:
    """Return the actions of the round that runs."""
    plays = [number for number, action in enumerate(log, 1) if isinstance(action, Play)]
    whole_rounds = len(plays) // (TRICKS * CARDS)
    return log[plays[whole_rounds * TRICKS * CARDS - 1] :] if whole_rounds else log


def _read_round(actions: Iterable[Action], seats: int) -> dict[str, Any]:
    """Return what the actions of a round make of a position, as a seat knows it."""
    passes: list[tuple[Card, ...] | None] = [None] * (seats if seats > SIDES else 0)
    flips, played = [], []
    for action in actions:
        match action:
            case Pass(giver, cards):
                passes[giver] = cards
            case Flip(_, suit):
                flips.append(suit)
            case Play(player, card, source):
                played.append(Played(player, card, source))
    tricks = [tuple(played[first : first + CARDS]) for first in range(0, len(played), CARDS)]
    trick = tricks.pop() if tricks and len(tricks[-1]) < CARDS else ()
    trump = next((suit for suit in SUITS if suit not in flips), None)
    if trump is None:
        raise BadRecord("All trump tiles are face down.")
    return {
        "passes": tuple(passes),
        "flips": tuple(flips),
        "tricks": tuple(Trick(cards, winner_of(cards, trump)) for cards in tricks),
        "trick": trick,
    }


def _read_sky(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sky, and piles with known numbers of unknown cards."""
    if "sky" not in view:
        return {}
    ranks, suits = view["sky"]["ranks"], view["sky"]["suits"]
    if not len(ranks) == len(suits) == SKY:
        raise ValueError("The sky has another number of places.")
    places = [*ranks, *suits]
    return {
        "sky": tuple(None if code is None else Card(code) for code in places),
        "piles": tuple(
            (Card(kind),) * _read_count(count) for kind, count in zip(Kind, view["piles"], strict=True)
        ),
    }


def _read_count(value: object) -> int:
    """Return a number of cards. Raises ValueError for one that no pile has."""
    if type(value) is not int or value > SUITS_OF_EACH * len(SUITS):
        raise ValueError("No pile has so many cards.")
    return value


def _read_result(*numbers: int) -> RoundResult:
    """Return the result of a round: tricks, stars and points of both sides. Raises ValueError."""
    if any(type(number) is not int or number not in range(_MOST + 1) for number in numbers):
        raise ValueError("No round has such a result.")
    tricks, more_tricks, stars, more_stars, points, more_points = numbers
    return RoundResult((tricks, more_tricks), (stars, more_stars), (points, more_points))
