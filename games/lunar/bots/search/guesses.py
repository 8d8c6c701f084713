"""Guesses of the hidden cards: hands and piles that fit everything that a seat knows.

A hand has as many ranks and suits as everybody sees, no suit that its player did not follow, and the cards
that the seat has passed to it and that are not played yet.
"""

from typing import Any

import numpy as np

from games.compiled.functions import compiled, draw_below
from games.lunar.bots.search.state import (
    CARDS,
    FIRST_SUIT,
    HANDS,
    HIDDEN,
    PILE,
    PILE_COUNT,
    PILES,
    RANKS_IN,
    SEATS,
    SUITS,
    SUITS_IN,
    VOID,
    State,
    value_of,
)

HOLDERS = 5  # four hands, and the piles behind them
PILE_HOLDER = 4

Known = Any  # by seat and card: how many a hidden hand certainly has [4 * 24]


def new_holders() -> Any:
    """Return room for how many cards each hand and the pile of a kind still need."""
    return np.zeros(HOLDERS + SUITS + CARDS, np.int64)


@compiled
def guess(view: State, known: Known, seat: int, random: Any, need: Any, n: State) -> None:
    """Write a state in which the hidden cards of a view are dealt at random, within what the seat knows.

    `need` is room as `new_holders` makes it.
    """
    n[:] = view
    left = need[HOLDERS + SUITS :]
    for card in range(CARDS):
        left[card] = n[HIDDEN + card] - n[HANDS + CARDS * seat + card]
    for other in range(n[SEATS]):
        if other != seat:
            for card in range(CARDS):
                count = known[CARDS * other + card]
                n[HANDS + CARDS * other + card] = count
                left[card] -= count
    for kind in range(2):
        first, last = (FIRST_SUIT, CARDS) if kind else (0, FIRST_SUIT)
        for holder in range(HOLDERS):
            need[holder] = 0
        for other in range(n[SEATS]):
            if other != seat:
                need[other] = n[(SUITS_IN if kind else RANKS_IN) + other]
                for card in range(first, last):
                    need[other] -= known[CARDS * other + card]
        need[PILE_HOLDER] = n[PILE_COUNT + kind]
        deal_kind(n, kind, first, last, left, need, random)


@compiled
def deal_kind(n: State, kind: int, first: int, last: int, left: Any, need: Any, random: Any) -> None:
    """Deal the cards of a kind that are left to all who need some. Suits that few may have come first."""
    by_suit = need[HOLDERS : HOLDERS + SUITS]
    for suit in range(SUITS):
        by_suit[suit] = 0
        if kind:
            by_suit[suit] = left[FIRST_SUIT + suit] + left[FIRST_SUIT + SUITS + suit]
    rest = 0
    for card in range(first, last):
        rest += left[card]
    piled = 0
    while rest:
        nth = draw_below(random, rest)
        card = first
        while nth >= left[card]:
            nth -= left[card]
            card += 1
        left[card] -= 1
        rest -= 1
        suit = value_of(card) if kind else -1
        if kind:
            by_suit[suit] -= 1
        holder = draw_holder(n, suit, need, by_suit, random)
        need[holder] -= 1
        if holder == PILE_HOLDER:
            n[PILES + kind * PILE + piled] = card
            piled += 1
        else:
            n[HANDS + CARDS * holder + card] += 1


@compiled
def draw_holder(n: State, suit: int, need: Any, by_suit: Any, random: Any) -> int:
    """Return who gets a card of a suit (or a rank card, -1): more likely who needs more cards.

    Only somebody who leaves enough room for the suits that are still to be dealt.
    """
    tried = 0
    while True:
        total = 0
        for holder in range(HOLDERS):
            if not tried >> holder & 1 and may_have(n, holder, suit):
                total += need[holder]
        if total == 0:  # Not in a game that follows the rules.
            for holder in range(HOLDERS):
                if need[holder]:
                    return holder
        nth = draw_below(random, total)
        chosen = -1
        for holder in range(HOLDERS):
            if not tried >> holder & 1 and may_have(n, holder, suit):
                if nth < need[holder]:
                    chosen = holder
                    break
                nth -= need[holder]
        need[chosen] -= 1
        fits = suit == -1 or is_feasible(n, need, by_suit)
        need[chosen] += 1
        if fits:
            return chosen
        tried |= 1 << chosen


@compiled
def may_have(n: State, holder: int, suit: int) -> bool:
    """Return whether a hand or the pile may have a suit, or a rank card (-1)."""
    return suit == -1 or holder == PILE_HOLDER or not n[VOID + holder] >> suit & 1


@compiled
def is_feasible(n: State, need: Any, by_suit: Any) -> bool:
    """Return whether the suits can be dealt: no holders must take more than they need (Hall's theorem)."""
    for chosen in range(1, 1 << HOLDERS):
        room, must = 0, 0
        for holder in range(HOLDERS):
            if chosen >> holder & 1:
                room += need[holder]
        for suit in range(SUITS):
            is_inside = True
            for holder in range(HOLDERS):
                if need[holder] and not chosen >> holder & 1 and may_have(n, holder, suit):
                    is_inside = False
            if is_inside:
                must += by_suit[suit]
        if must > room:
            return False
    return True
