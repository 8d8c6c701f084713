"""Random guesses of the hidden cards that fit everything a seat knows, compiled on first use.

Hidden cards are shared among three *holders*: the other three seats, or the other hand, nobody and the piles.
Each guess that fits has the same chance.
"""

from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tests.lunar.independent.playouts import below
from tests.lunar.independent.rounds import HANDS, PILES, RANKS_DRAWN, SEATS, SUITS_DRAWN, count_faces

FACTORIALS = np.array([float(factorial(number)) for number in range(7)])


class Hidden(NamedTuple):
    """What is hidden from a seat: the cards, and how many of them each holder has."""

    seat: int
    cards: Any  # how many of each of 24 cards are with the three holders
    ranks: Any  # how many of the ranks each holder has
    suits: Any  # how many of the suits each holder has
    voids: Any  # for each holder and suit, whether the holder surely has none of it


@njit(cache=True)
def ways_of(hidden: Hidden) -> Any:
    """Return in how many ways the suits from one number on fill what is left of the first two holders' room.

    The third holder gets the rest. The number is 0 if that is impossible.
    """
    cards, suits = hidden.cards, hidden.suits
    ways = np.zeros((5, 7, 7))
    ways[4, 0, 0] = 1.0
    later = 0
    for suit in range(3, -1, -1):
        amount = cards[16 + 2 * suit] + cards[17 + 2 * suit]
        for room in range(suits[0] + 1):
            for room_1 in range(suits[1] + 1):
                room_2 = later + amount - room - room_1
                if 0 <= room_2 <= suits[2]:
                    rooms = (room, room_1, room_2)
                    ways[suit, room, room_1] = _shares(ways, suit, amount, rooms, hidden.voids).sum()
        later += amount
    return ways


@njit(cache=True)
def _shares(ways: Any, suit: int, amount: int, room: tuple[int, int, int], voids: Any) -> Any:
    """Return in how many ways a suit goes to the holders, for each number that the first two may get."""
    shares = np.zeros((7, 7))
    for first in range(min(room[0], amount) + 1):
        for second in range(min(room[1], amount - first) + 1):
            third = amount - first - second
            fits = third <= room[2]
            fits = fits and not ((first and voids[0, suit]) or (second and voids[1, suit]))
            if fits and not (third and voids[2, suit]):
                orders = FACTORIALS[amount] / (FACTORIALS[first] * FACTORIALS[second] * FACTORIALS[third])
                shares[first, second] = orders * ways[suit + 1, room[0] - first, room[1] - second]
    return shares


@njit(cache=True)
def _shuffle(cards: Any, dice: Any) -> None:
    for last in range(cards.size - 1, 0, -1):
        other = below(dice, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@njit(cache=True)
def _shuffled(counts: Any, first: int, after: int, dice: Any) -> Any:
    """Return the cards with numbers from first on as a list in random order."""
    cards = np.empty(counts[first:after].sum(), np.int64)
    size = 0
    for card in range(first, after):
        for _ in range(counts[card]):
            cards[size] = card
            size += 1
    _shuffle(cards, dice)
    return cards


@njit(cache=True)
def _give(round_: Any, seat: int, holder: int, cards: Any, dice: Any) -> None:
    """Give cards of one kind to a holder: into a hand, or in random order on a pile."""
    if round_[SEATS] == 2 and holder == 2:
        _shuffle(cards, dice)
        kind = 0 if cards.size and cards[0] < 16 else 1
        drawn = round_[RANKS_DRAWN] if kind == 0 else round_[SUITS_DRAWN]
        for number in range(cards.size):
            round_[PILES + 9 * kind + drawn + number] = cards[number]
        return
    hand = HANDS + 24 * ((seat + 1 + holder) % round_[SEATS])
    for card in cards:
        round_[hand + card] += 1


@njit(cache=True)
def add_guess(round_: Any, hidden: Hidden, ways: Any, dice: Any) -> None:
    """Complete a round with a random guess of the hidden cards. `ways` is from `ways_of`."""
    seat, suits = hidden.seat, hidden.suits
    cards = _shuffled(hidden.cards, 0, 16, dice)
    start = 0
    for holder in range(3):
        _give(round_, seat, holder, cards[start : start + hidden.ranks[holder]], dice)
        start += hidden.ranks[holder]
    got = np.empty((3, 24), np.int64)
    sizes = np.zeros(3, np.int64)
    room = (suits[0], suits[1], suits[2])
    for suit in range(4):
        cards = _shuffled(hidden.cards, 16 + 2 * suit, 18 + 2 * suit, dice)
        shares = _shares(ways, suit, cards.size, room, hidden.voids)
        left = shares.sum() * below(dice, 1 << 30) / (1 << 30)
        first, second = _drawn(shares, left)
        parts = (first, second, cards.size - first - second)
        start = 0
        for holder in range(3):
            for card in cards[start : start + parts[holder]]:
                got[holder, sizes[holder]] = card
                sizes[holder] += 1
            start += parts[holder]
        room = (room[0] - parts[0], room[1] - parts[1], room[2] - parts[2])
    for holder in range(3):
        _give(round_, seat, holder, got[holder, : sizes[holder]], dice)
    count_faces(round_)


@njit(cache=True)
def _drawn(shares: Any, left: float) -> tuple[int, int]:
    """Return the numbers of the first two holders at which the running sum of the shares passes `left`."""
    found = (0, 0)
    for first in range(7):
        for second in range(7):
            if shares[first, second] > 0.0:
                found = (first, second)
                left -= shares[first, second]
                if left < 0.0:
                    return found
    return found
