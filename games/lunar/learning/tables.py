"""Tables for lessons and examples: positions in the middle of a round, with few cards in each hand."""

from collections import Counter
from collections.abc import Iterator, Sequence

from games.lunar.engine import (
    HOUSE_STARS,
    SUITS,
    Card,
    Played,
    Position,
    SeedDealer,
    Setup,
    Stars,
    Suit,
    Trick,
    deck_of,
    in_order,
)
from games.lunar.engine.setup import SIDES

# The holders of the lead tiles: the learner, and the next seat.
HOLDERS = (0, 1)


def cards_of(codes: str) -> tuple[Card, ...]:
    """Return cards in the order of a hand from their codes: "1 7 W O*"."""
    return in_order(map(Card, codes.split()))


def table(
    *hands: str,
    trump: Suit | None = None,
    won: tuple[int, int] = (0, 0),
    leader: int = 0,
    sky: str = "",
    piles: Sequence[str] = (),
) -> Position:
    """Return a position before a trick with these hands, in which the sides have won so many tricks.

    Cards that are nowhere else are in these tricks, all without stars. The side of `leader` won the last one.
    Without a trump, the trump tiles are face up, and `leader` turns the first one.
    """
    in_hands = tuple(map(cards_of, hands))
    in_sky = tuple(map(Card, sky.split()))
    in_piles = tuple(map(cards_of, piles))
    used = [*in_sky, *(card for cards in (*in_hands, *in_piles) for card in cards)]
    other = (leader + 1) % SIDES
    winners = [*[other] * won[other], *[leader % SIDES] * won[leader % SIDES]]
    return Position(
        setup=Setup(len(hands), HOLDERS),
        dealer=SeedDealer(b"lesson", HOUSE_STARS),
        holders=HOLDERS,
        start_player=leader,
        hands=in_hands,
        sky=in_sky,
        piles=in_piles,
        flips=tuple(suit for suit in SUITS if suit is not trump) if trump else (),
        tricks=tuple(_tricks(used, winners, len(hands))),
    )


def _tricks(used: Sequence[Card], winners: Sequence[int], seats: int) -> Iterator[Trick]:
    """Yield tricks with the rest of the deck."""
    counts = Counter(Card(card[0]) for card in used)
    ranks, suits = (list((Counter(cards) - counts).elements()) for cards in deck_of(Stars.NONE))
    for number, winner in enumerate(winners):
        cards = (suits[2 * number], ranks[2 * number], ranks[2 * number + 1], suits[2 * number + 1])
        yield Trick(tuple(Played(seat % seats, card) for seat, card in enumerate(cards)), winner)
