"""Positions of fixed deals, for lines that people write."""

from collections.abc import Sequence
from random import Random

from games.lunar.engine import (
    Card,
    Deck,
    ListDealer,
    Position,
    SeedDealer,
    Setup,
    Stars,
    action_from_json,
    deck_of,
)


def dealt(ranks: str, suits: str) -> Deck:
    """Return the cards of a round: the given ones first, and the rest in order."""
    return Deck(
        *(
            _filled(first.split(), whole)
            for first, whole in zip((ranks, suits), deck_of(Stars.SUITS), strict=True)
        )
    )


def _filled(first: Sequence[str], whole: Sequence[Card]) -> tuple[Card, ...]:
    rest = [*whole]
    for card in first:
        rest.remove(Card(card))
    return (*map(Card, first), *rest)


def four(*actions: dict[str, object]) -> Position:
    """Return a game for four after actions; seat 0 starts with 1 2 3 5 7 8, wolf wolf* owl owl lynx bat."""
    return played(
        Position.start(Setup(4, (0, 1)), ListDealer((dealt("1 2 3 5 7 8", "W W* O O L B"),))), *actions
    )


def two(*actions: dict[str, object]) -> Position:
    """Return a game for two after actions, with 3 7 7 wolf owl bat* in the sky, and the hand of `four`."""
    deck = dealt("1 2 3 5 7 8 1 2 3 4 5 6 3 7 7", "W W* O O L B W W O O L B W O B*")
    return played(Position.start(Setup(2, (0, 1)), ListDealer((deck,))), *actions)


def played(position: Position, *actions: dict[str, object]) -> Position:
    for action in actions:
        position = position.apply(action_from_json(action)).position
    return position


def passes_by(*seats: int) -> list[dict[str, object]]:
    """Return passes of the first two ranks and suits of seats in the game `four`."""
    hands = four().hands
    return [{"seat": seat, "do": "pass", "cards": [*hands[seat][:2], *hands[seat][6:8]]} for seat in seats]


def random_positions(seats: int, seed: int, count: int = 60) -> Sequence[Position]:
    """Return positions of random play."""
    rng = Random(seed)
    position = Position.start(Setup(seats, (0, 1)), SeedDealer(bytes([seed]), Stars.SUITS))
    positions = []
    while len(positions) < count and position.ending is None:
        positions.append(position)
        seat = rng.choice(sorted(position.awaited))
        position = position.apply(rng.choice(list(position.legal(seat)))).position
    return positions
