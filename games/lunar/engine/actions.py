"""Actions: the entries of a game's log, as values and in the JSON of the record format."""

from enum import StrEnum
from typing import NamedTuple, TypeVar

from games.lunar.engine.cards import Card, Kind, Stars, Suit, deck_of, in_order, of_kind
from games.lunar.engine.errors import BadAction
from games.titles.actions import Cancel, Resign

PASSED_OF_EACH = 2  # ranks, and suits, that a player passes

_CODES = {card for stars in Stars for cards in deck_of(stars) for card in cards}
_Name = TypeVar("_Name", bound=StrEnum)


class Source(StrEnum):
    """Where a card is played from, in the game for two."""

    HAND = "hand"
    SKY = "sky"


class Pass(NamedTuple):
    """Choose two ranks and two suits for the partner. The cards are in the order of a hand."""

    seat: int
    cards: tuple[Card, ...]


class Flip(NamedTuple):
    """Turn a trump tile face down."""

    seat: int
    suit: Suit


class Play(NamedTuple):
    """Play a card to the trick, in the game for two from a source."""

    seat: int
    card: Card
    source: Source | None = None


Action = Pass | Flip | Play | Resign | Cancel


def action_from_json(value: object) -> Action:
    """Return the action that a JSON value of the record format describes.

    Ignores unknown keys, and a reason that is not printable text. Raises BadAction if the value is not an
    action. `Position.apply` checks that the game has the seat and the cards.

    >>> action_from_json({"seat": 0, "do": "play", "card": "W*", "from": "sky"})
    Play(seat=0, card='W*', source=<Source.SKY: 'sky'>)
    """
    if not isinstance(value, dict):
        raise BadAction("An action is a JSON object.")
    match value.get("do"):
        case "pass":
            return Pass(read_seat(value), _passed(value.get("cards")))
        case "flip":
            return Flip(read_seat(value), _named(Suit, value.get("suit")))
        case "play":
            source = _named(Source, value["from"]) if "from" in value else None
            return Play(read_seat(value), _card(value.get("card")), source)
        case "resign":
            reason = value.get("reason")
            is_text = isinstance(reason, str) and reason.isprintable()
            return Resign(read_seat(value), reason if is_text else None)
        case "cancel":
            return Cancel()
    raise BadAction("An action is pass, flip, play, resign or cancel.")


def action_to_json(action: Action) -> dict[str, object]:
    """Return an action as a JSON value of the record format."""
    match action:
        case Pass(seat, cards):
            return {"seat": seat, "do": "pass", "cards": [str(card) for card in cards]}
        case Flip(seat, suit):
            return {"seat": seat, "do": "flip", "suit": str(suit)}
        case Play(seat, card, None):
            return {"seat": seat, "do": "play", "card": str(card)}
        case Play(seat, card, source):
            return {"seat": seat, "do": "play", "card": str(card), "from": str(source)}
        case Resign(seat, None):
            return {"seat": seat, "do": "resign"}
        case Resign(seat, reason):
            return {"seat": seat, "do": "resign", "reason": reason}
        case Cancel():
            return {"do": "cancel"}


def read_seat(value: dict[object, object]) -> int:
    """Return the seat. Raises BadAction for true and false, for 1.0 and for text."""
    seat = value.get("seat")
    if type(seat) is not int:
        raise BadAction("The seat of an action must be an integer.")
    return seat


def _card(value: object) -> Card:
    if not isinstance(value, str) or value not in _CODES:
        raise BadAction("There is no such card.")
    return Card(value)


def _passed(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list):
        raise BadAction("The cards must be a list.")
    cards = in_order(map(_card, value))
    if any(len(of_kind(cards, kind)) != PASSED_OF_EACH for kind in Kind):
        raise BadAction("A pass has two ranks and two suits.")
    return cards


def _named(names: type[_Name], value: object) -> _Name:
    if not isinstance(value, str) or value not in {*names}:
        raise BadAction(f"There is no {names.__name__.lower()} of this name.")
    return names(value)
