"""The best cards of a trick for players who see all cards.

An alpha-beta search goes through the cards of a trick. A result is worth what the tricks are then worth, and
what the cards that were played would have been worth later (`games.lunar.bots.search.stakes`). Both are
linear around the strength of the hands, so the search only adds up numbers.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, lowest_bit
from games.lunar.bots.search.stakes import SLOPE, STAR, STRENGTH, STRENGTHS, Stakes, value_of_tricks
from games.lunar.bots.search.state import (
    CARDS,
    FIRST_FROM,
    FIRST_SUIT,
    HANDS,
    LEAD,
    LEAD_SIDE,
    LEADER,
    NONE,
    PLAYED,
    RANK_OF,
    SEATS,
    SKY_MOVE,
    STARRED_SUIT,
    STARS_IN_TRICK,
    SUIT_OF,
    TRICK_CARDS,
    TRICKS,
    TRUMP,
    State,
    is_star,
    is_suit,
    value_of,
)

PLACES = 5  # four hands and the sky
SKY_PLACE = 4
# In a mask, the highest card has the lowest bit, because it is tried first.
TOP = CARDS - 1
SUIT_CARDS = (1 << CARDS - FIRST_SUIT) - 1
RANK_CARDS = (1 << CARDS) - 1 - SUIT_CARDS
FIRST_OF_SUITS = 1 << TOP - FIRST_SUIT | 1 << TOP - STARRED_SUIT  # cards of further suits are below

# Where the whole numbers are. There is a row for each number of cards played.
RANK = 0  # of each side, as values, or NONE [2]
SUIT = 2  # [2]
LEAD_SUIT = 4
LEADING_SIDE = 5
FROM = 6  # as FIRST_FROM of a state [2]
IN_SKY = 8  # a mask
UNTRIED = 9  # masks, from the hand and from the sky [2]
TRIED = 11  # the move
LINE = 12  # the best moves from here on, by number [4]
ROW = 16
PLACE = (TRICK_CARDS + 1) * ROW  # the masks of all places
ONLY = PLACE + PLACES  # a mask of cards that the sky has once
FAVOURITE = ONLY + 1  # the card that was best last, as a mask, by number: it is tried first [4]
NUMBERS = FAVOURITE + TRICK_CARDS

# Where the fractions are.
BEST = 0  # by number of cards played
ALPHA = 5
BETA = 10
VALUE = 15  # of the trick so far if side 0, or side 1, wins it, by number of cards played [5, 2]
COSTS = 25  # of cards, if side 0, or side 1, wins the trick [2, 24]
FRACTIONS = COSTS + 2 * CARDS

INFINITE = 1e9


class Trick(NamedTuple):
    """Room to solve a trick."""

    numbers: Any
    fractions: Any


def new_trick() -> Trick:
    """Return room for tricks."""
    return Trick(np.zeros(NUMBERS, np.int64), np.zeros(FRACTIONS))


@compiled
def read_places(n: State, numbers: Any, stakes: Stakes) -> None:
    """Write which cards each place has, and by how much the hands of side 0 are stronger."""
    stakes[STRENGTH] = stakes[STRENGTH + 1] = 0.0
    numbers[ONLY] = 0
    for place in range(PLACES):
        numbers[PLACE + place] = 0
        if n[SEATS] <= place < SKY_PLACE:
            continue
        sign = 0 if place == SKY_PLACE else 1 - 2 * (place & 1)
        for card in range(CARDS):
            count = n[HANDS + CARDS * place + card]
            if count:
                bit = 1 << TOP - card
                numbers[PLACE + place] |= bit
                stakes[STRENGTH] += count * sign * stakes[STRENGTHS + card]
                stakes[STRENGTH + 1] += count * sign * stakes[STRENGTHS + CARDS + card]
                if count == 1 and place == SKY_PLACE:
                    numbers[ONLY] |= bit


@compiled
def read_trick(n: State, numbers: Any, fractions: Any, stakes: Stakes) -> None:
    """Write the running trick, what it is worth to each side, and what each card costs."""
    read_places(n, numbers, stakes)
    row = ROW * n[PLAYED]
    for side in range(2):
        rank, suit = n[RANK_OF + side], n[SUIT_OF + side]
        numbers[row + RANK + side] = NONE if rank == NONE else value_of(rank)
        numbers[row + SUIT + side] = NONE if suit == NONE else value_of(suit)
        numbers[row + FROM + side] = n[FIRST_FROM + side]
    numbers[row + LEAD_SUIT] = n[LEAD]
    numbers[row + LEADING_SIDE] = n[LEAD_SIDE]
    numbers[row + IN_SKY] = numbers[PLACE + SKY_PLACE]
    for winner in range(2):
        sign = 1 - 2 * winner
        value = value_of_tricks(stakes, n[TRICKS] + 1 - winner, n[TRICKS + 1] + winner, sign)
        fractions[VALUE + 2 * n[PLAYED] + winner] = value + sign * n[STARS_IN_TRICK] * stakes[STAR]
        for card in range(CARDS):
            fractions[COSTS + CARDS * winner + card] = (
                stakes[SLOPE] * stakes[STRENGTHS + card]
                + stakes[SLOPE + 1] * stakes[STRENGTHS + CARDS + card]
            )


@compiled
def choices(numbers: Any, row: int, mask: int, other: int, side: int, is_for_two: bool) -> int:
    """Return which cards of a place a side may play, if the other place of the game for two has others."""
    if numbers[row + RANK + side] != NONE:
        mask &= SUIT_CARDS
    elif numbers[row + SUIT + side] != NONE:
        mask &= RANK_CARDS
    elif is_for_two:
        if not other & RANK_CARDS:
            mask &= RANK_CARDS
        if not other & SUIT_CARDS:
            mask &= SUIT_CARDS
    lead = numbers[row + LEAD_SUIT]
    if lead != NONE and mask & (FIRST_OF_SUITS >> lead):
        mask &= RANK_CARDS | (FIRST_OF_SUITS >> lead)
    return mask


@compiled
def find_untried(n: State, numbers: Any, fractions: Any, played: int) -> None:
    """Begin to search with some cards played: write the cards to try."""
    row = ROW * played
    seat = (n[LEADER] + played) % n[SEATS]
    side = seat & 1
    fractions[BEST + played] = -INFINITE if side == 0 else INFINITE
    hand, sky, source = numbers[PLACE + seat], numbers[row + IN_SKY], numbers[row + FROM + side]
    is_for_two = n[SEATS] == 2
    numbers[row + UNTRIED] = numbers[row + UNTRIED + 1] = 0
    if not is_for_two or source != 0:
        numbers[row + UNTRIED] = choices(numbers, row, hand, sky, side, is_for_two)
    if is_for_two and source != 1:
        numbers[row + UNTRIED + 1] = choices(numbers, row, sky, hand, side, is_for_two)


@compiled
def add_card(
    numbers: Any, fractions: Any, stakes: Stakes, played: int, side: int, card: int, from_sky: int
) -> None:
    """Write the row after one more card."""
    row = ROW * played
    after = row + ROW
    for i in range(UNTRIED):
        numbers[after + i] = numbers[row + i]
    value = VALUE + 2 * played
    first, second = fractions[value], fractions[value + 1]
    if from_sky:
        numbers[after + IN_SKY] &= ~(numbers[ONLY] & 1 << TOP - card)
    else:
        sign = 2 * side - 1
        first += sign * fractions[COSTS + card]
        second += sign * fractions[COSTS + CARDS + card]
    if is_star(card):
        first += stakes[STAR]
        second -= stakes[STAR]
    fractions[value + 2], fractions[value + 3] = first, second
    if numbers[row + FROM + side] == NONE:
        numbers[after + FROM + side] = from_sky
    if is_suit(card):
        numbers[after + SUIT + side] = value_of(card)
        if numbers[row + LEAD_SUIT] == NONE:
            numbers[after + LEAD_SUIT] = value_of(card)
            numbers[after + LEADING_SIDE] = side
    else:
        numbers[after + RANK + side] = value_of(card)


@compiled
def choose_last(n: State, numbers: Any, fractions: Any, stakes: Stakes) -> None:
    """Find the best last card of a trick, or one that is good enough."""
    played = TRICK_CARDS - 1
    row = ROW * played
    side = (n[LEADER] + played) & 1
    rank, suit = numbers[row + RANK + side], numbers[row + SUIT + side]
    other_rank, other_suit = numbers[row + RANK + 1 - side], numbers[row + SUIT + 1 - side]
    best, best_move = fractions[BEST + played], NONE
    for from_sky in range(2):
        mask = numbers[row + UNTRIED + from_sky]
        while mask:
            card = TOP - lowest_bit(mask)
            mask &= mask - 1
            if is_suit(card):
                suit = value_of(card)
            else:
                rank = value_of(card)
            if suit == other_suit:
                wins = rank >= other_rank
            elif n[TRUMP] == suit or n[TRUMP] == other_suit:
                wins = n[TRUMP] == suit
            else:
                wins = numbers[row + LEADING_SIDE] == side
            winner = side if wins else 1 - side
            value = fractions[VALUE + 2 * played + winner]
            if not from_sky:
                value += (2 * side - 1) * fractions[COSTS + CARDS * winner + card]
            if is_star(card):
                value += stakes[STAR] * (1 - 2 * winner)
            if value > best if side == 0 else value < best:
                best, best_move = value, card + SKY_MOVE * from_sky
                if value >= fractions[BETA + played] if side == 0 else value <= fractions[ALPHA + played]:
                    break
    numbers[row + LINE + played] = best_move
    fractions[BEST + played] = best


@compiled
def solve_trick(n: State, numbers: Any, fractions: Any, stakes: Stakes) -> float:
    """Return the value of the running trick to side 0, and write the best moves into the line of its row.

    Call `find_strengths` first. There is no recursion, because numba cannot load recursive code from a cache.
    """
    read_trick(n, numbers, fractions, stakes)
    first = played = n[PLAYED]
    find_untried(n, numbers, fractions, played)
    fractions[ALPHA + played], fractions[BETA + played] = -INFINITE, INFINITE
    while True:
        row = ROW * played
        side = (n[LEADER] + played) & 1
        hand, sky = numbers[row + UNTRIED], numbers[row + UNTRIED + 1]
        if played < TRICK_CARDS - 1 and (hand or sky):
            from_sky = 0 if hand else 1
            mask, favourite = hand or sky, numbers[FAVOURITE + played]
            bit = favourite if mask & favourite else mask & -mask
            card = TOP - lowest_bit(bit)
            numbers[row + UNTRIED + from_sky] = mask & ~bit
            numbers[row + TRIED] = card + SKY_MOVE * from_sky
            add_card(numbers, fractions, stakes, played, side, card, from_sky)
            fractions[ALPHA + played + 1] = fractions[ALPHA + played]
            fractions[BETA + played + 1] = fractions[BETA + played]
            played += 1
            find_untried(n, numbers, fractions, played)
            continue
        if played == TRICK_CARDS - 1:
            choose_last(n, numbers, fractions, stakes)
        value = fractions[BEST + played]
        if played == first:
            return float(value)
        # Count what the tried move of the row above is worth: it may be the best so far, or good enough.
        played -= 1
        row -= ROW
        is_first = side == 1
        if value <= fractions[BEST + played] if is_first else value >= fractions[BEST + played]:
            continue
        fractions[BEST + played] = value
        move = numbers[row + TRIED]
        numbers[row + LINE + played] = move
        numbers[FAVOURITE + played] = 1 << TOP - (move - SKY_MOVE if move >= SKY_MOVE else move)
        for later in range(played + 1, TRICK_CARDS):
            numbers[row + LINE + later] = numbers[row + ROW + LINE + later]
        bound = (ALPHA if is_first else BETA) + played
        fractions[bound] = max(fractions[bound], value) if is_first else min(fractions[bound], value)
        if fractions[ALPHA + played] >= fractions[BETA + played]:
            numbers[row + UNTRIED] = numbers[row + UNTRIED + 1] = 0
