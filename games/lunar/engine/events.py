"""Events: the results of an action."""

from typing import NamedTuple

from games.lunar.engine.cards import Card, Suit, backs_of
from games.lunar.engine.setup import side_of
from games.lunar.engine.tricks import Trick


class CardsPassed(NamedTuple):
    """All four have chosen, and partners got what was passed: cards by the seat that gave them."""

    cards: tuple[tuple[Card, ...], ...]

    def seen_by(self, viewer: int | None) -> "CardsPassed":
        """Return the event as the giver and the getter know it; others see backs."""
        side = None if viewer is None else side_of(viewer)
        return CardsPassed(
            tuple(
                cards if side_of(giver) == side else backs_of(cards) for giver, cards in enumerate(self.cards)
            )
        )


class TrumpSet(NamedTuple):
    """The last trump tile that is face up decides the trump of the round."""

    trump: Suit


class TrickWon(NamedTuple):
    """A trick is complete."""

    trick: Trick


class SkyFilled(NamedTuple):
    """Cards from the piles fill empty places of the sky: ranks from 0 to 2, suits from 3 to 5."""

    cards: tuple[tuple[int, Card], ...]


class RoundResult(NamedTuple):
    """The tricks, the stars and the points of each side in a round."""

    tricks: tuple[int, int]
    stars: tuple[int, int]
    points: tuple[int, int]


class RoundEnded(NamedTuple):
    """A round is over. If the game goes on, the next one is dealt."""

    number: int
    result: RoundResult


Event = CardsPassed | TrumpSet | TrickWon | SkyFilled | RoundEnded
