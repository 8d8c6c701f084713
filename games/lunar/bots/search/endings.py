"""The last tricks of a round, for players who see all cards: an alpha-beta search to the end of the round.

Each card is a bit of its own, so hands and the sky are masks. There are four bits for each rank, the highest
rank first, and eight for each suit; not all are used.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, lowest_bit
from games.lunar.bots.search.stakes import Table, worth_of_round
from games.lunar.bots.search.state import (
    CARDS,
    DONE,
    FIRST_FROM,
    HANDS,
    HOLDER,
    LEAD,
    LEAD_SIDE,
    LEADER,
    NONE,
    PILE,
    PILE_COUNT,
    PILES,
    PLAYED,
    RANK_OF,
    RANKS,
    SEATS,
    STARS,
    STARS_IN_TRICK,
    SUIT_OF,
    TRICK_CARDS,
    TRICKS,
    TRICKS_IN_ROUND,
    TRUMP,
    State,
    is_star,
    is_suit,
    value_of,
)

MOST_TRICKS = 4  # of an ending
DEEPEST = MOST_TRICKS * TRICK_CARDS
SKY_CARDS = 3  # of each kind

RANK_SHIFT = 2  # each rank has 1 << 2 bits
SUIT_SHIFT = 3
FIRST_SUIT_BIT = RANKS << RANK_SHIFT
RANK_BITS = (1 << FIRST_SUIT_BIT) - 1
SUIT_BITS = ~RANK_BITS
ONE_RANK = 0b111
ONE_SUIT = 0b111111
RANK_STAR = 2  # which bit of a rank its star has
SUIT_STAR = 5

# What a row of numbers has: there is a row for each card that is played.
HAND = 0  # masks [4]
IN_SKY = 4  # a mask
IN_PILE = 5  # cards of both kinds [2]
LEADS = 7  # the seat
CARD_COUNT = 8  # in the trick
RANK = 9  # of each side, from 0, or NONE [2]
SUIT = 11  # [2]
FROM = 13  # as FIRST_FROM of a state [2]
LEAD_SUIT = 15
LEADING_SIDE = 16
STARS_OUT = 17  # in the trick
WON = 18  # tricks of side 0
STARS_WON = 19  # [2]
LEFT = 21  # tricks
COPIED = 22  # what is before is copied to the next row
UNTRIED = 22  # masks, from the hand and from the sky [2]
TRIED = 24  # a bit
FAVOURITE = 25  # the bit that was best last after as many cards: it is tried first
ROW = 26
# What is behind the rows.
STARRED = (DEEPEST + 1) * ROW  # a mask of all stars
PILED = STARRED + 1  # the bits of cards in the piles [2 * 9]
NUMBERS = PILED + 2 * PILE

# What a row of fractions has.
BEST = 0
ALPHA = 1
BETA = 2
FRACTION_ROW = 3


class Ending(NamedTuple):
    """Room to solve an ending."""

    numbers: Any
    fractions: Any
    copies: Any  # by card: how many have a bit


def new_ending() -> Ending:
    """Return room for endings."""
    return Ending(
        np.zeros(NUMBERS, np.int64), np.zeros((DEEPEST + 1) * FRACTION_ROW), np.zeros(CARDS, np.int64)
    )


@compiled
def next_bit(card: int, ending: Ending) -> int:
    """Return a bit for one more card."""
    numbers, _fractions, copies = ending
    copy = copies[card]
    copies[card] += 1
    value = value_of(card)
    if is_suit(card):
        bit = 1 << FIRST_SUIT_BIT + (value << SUIT_SHIFT) + (SUIT_STAR if is_star(card) else copy)
    else:
        bit = 1 << (RANKS - 1 - value << RANK_SHIFT) + (RANK_STAR if is_star(card) else copy)
    if is_star(card):
        numbers[STARRED] |= bit
    return bit


@compiled
def read_ending(n: State, ending: Ending) -> None:
    """Write the first row from a state."""
    numbers, _fractions, copies = ending
    numbers[STARRED] = 0
    for card in range(CARDS):
        copies[card] = 0
    for place in range(5):
        mask = 0
        for card in range(CARDS):
            for _ in range(n[HANDS + CARDS * place + card]):  # The sky is behind the hands.
                mask |= next_bit(card, ending)
        numbers[HAND + place] = mask
    for kind in range(2):
        numbers[IN_PILE + kind] = n[PILE_COUNT + kind]
        for number in range(n[PILE_COUNT + kind]):
            numbers[PILED + PILE * kind + number] = next_bit(n[PILES + PILE * kind + number], ending)
    for side in range(2):
        rank, suit = n[RANK_OF + side], n[SUIT_OF + side]
        numbers[RANK + side] = NONE if rank == NONE else value_of(rank)
        numbers[SUIT + side] = NONE if suit == NONE else value_of(suit)
        numbers[FROM + side] = n[FIRST_FROM + side]
        numbers[STARS_WON + side] = n[STARS + side]
    numbers[LEADS] = n[LEADER]
    numbers[CARD_COUNT] = n[PLAYED]
    numbers[LEAD_SUIT] = n[LEAD]
    numbers[LEADING_SIDE] = n[LEAD_SIDE]
    numbers[STARS_OUT] = n[STARS_IN_TRICK]
    numbers[WON] = n[TRICKS]
    numbers[LEFT] = TRICKS_IN_ROUND - n[DONE]


@compiled
def choices(numbers: Any, row: int, mask: int, other: int, side: int, is_for_two: bool) -> int:
    """Return which cards of a place a side may play, if the other place of the game for two has others."""
    if numbers[row + RANK + side] != NONE:
        mask &= SUIT_BITS
    elif numbers[row + SUIT + side] != NONE:
        mask &= RANK_BITS
    elif is_for_two:
        if not other & RANK_BITS:
            mask &= RANK_BITS
        if not other & SUIT_BITS:
            mask &= SUIT_BITS
    lead = numbers[row + LEAD_SUIT]
    if lead != NONE:
        of_lead = ONE_SUIT << FIRST_SUIT_BIT + (lead << SUIT_SHIFT)
        if mask & of_lead:
            mask &= RANK_BITS | of_lead
    return mask


@compiled
def open_row(row: int, fraction: int, seats: int, ending: Ending) -> None:
    """Begin to search a row: write the cards to try."""
    numbers, fractions, _copies = ending
    seat = (numbers[row + LEADS] + numbers[row + CARD_COUNT]) % seats
    side = seat & 1
    fractions[fraction + BEST] = -np.inf if side == 0 else np.inf
    hand, sky, source = numbers[row + HAND + seat], numbers[row + IN_SKY], numbers[row + FROM + side]
    numbers[row + UNTRIED] = numbers[row + UNTRIED + 1] = 0
    if seats == 4:
        numbers[row + UNTRIED] = choices(numbers, row, hand, sky, side, False)
        return
    if source != 0:
        numbers[row + UNTRIED] = choices(numbers, row, hand, sky, side, True)
    if source != 1:
        numbers[row + UNTRIED + 1] = choices(numbers, row, sky, hand, side, True)


@compiled
def equal_cards(numbers: Any, bit: int) -> int:
    """Return a mask of all cards like this one."""
    if bit & numbers[STARRED]:
        return bit
    number = lowest_bit(bit)
    if number < FIRST_SUIT_BIT:
        same = ONE_RANK << (number >> RANK_SHIFT << RANK_SHIFT)
    else:
        same = ONE_SUIT << (number >> SUIT_SHIFT << SUIT_SHIFT)
    return int(same & ~numbers[STARRED])


@compiled
def play_bit(n: State, row: int, bit: int, from_sky: int, ending: Ending) -> None:
    """Write the next row: after this card."""
    numbers = ending.numbers
    after = row + ROW
    for i in range(COPIED):
        numbers[after + i] = numbers[row + i]
    seats = n[SEATS]
    seat = (numbers[row + LEADS] + numbers[row + CARD_COUNT]) % seats
    side = seat & 1
    numbers[after + (IN_SKY if from_sky else HAND + seat)] ^= bit
    if bit & numbers[STARRED]:
        numbers[after + STARS_OUT] += 1
    number = lowest_bit(bit)
    if number < FIRST_SUIT_BIT:
        numbers[after + RANK + side] = RANKS - 1 - (number >> RANK_SHIFT)
    else:
        suit = number - FIRST_SUIT_BIT >> SUIT_SHIFT
        numbers[after + SUIT + side] = suit
        if numbers[row + LEAD_SUIT] == NONE:
            numbers[after + LEAD_SUIT] = suit
            numbers[after + LEADING_SIDE] = side
    if seats == 2:
        numbers[after + FROM + side] = from_sky
    numbers[after + CARD_COUNT] += 1
    if numbers[after + CARD_COUNT] == TRICK_CARDS:
        end_trick(n, after, ending)


@compiled
def end_trick(n: State, row: int, ending: Ending) -> None:
    """Count a trick for its winner, fill the sky, and begin the next trick."""
    numbers = ending.numbers
    first, second = numbers[row + SUIT], numbers[row + SUIT + 1]
    if first == second:
        if numbers[row + RANK] == numbers[row + RANK + 1]:
            winner = (numbers[row + LEADS] + 1) & 1
        else:
            winner = 0 if numbers[row + RANK] > numbers[row + RANK + 1] else 1
    elif first == n[TRUMP] or second == n[TRUMP]:
        winner = 0 if first == n[TRUMP] else 1
    else:
        winner = numbers[row + LEADING_SIDE]
    numbers[row + WON] += 1 - winner
    numbers[row + STARS_WON + winner] += numbers[row + STARS_OUT]
    numbers[row + LEFT] -= 1
    numbers[row + LEADS] = n[HOLDER + winner]
    numbers[row + CARD_COUNT] = 0
    numbers[row + STARS_OUT] = 0
    numbers[row + LEAD_SUIT] = NONE
    for side in range(2):
        numbers[row + RANK + side] = NONE
        numbers[row + SUIT + side] = NONE
        numbers[row + FROM + side] = NONE
    for kind in range(2):
        if numbers[row + IN_PILE + kind]:
            fill(row, kind, numbers)


@compiled
def fill(row: int, kind: int, numbers: Any) -> None:
    """Draw cards of a kind until the sky has enough, or the pile is empty."""
    cards = numbers[row + IN_SKY] & (SUIT_BITS if kind else RANK_BITS)
    missing = SKY_CARDS
    while cards:
        cards &= cards - 1
        missing -= 1
    while missing and numbers[row + IN_PILE + kind]:
        numbers[row + IN_PILE + kind] -= 1
        numbers[row + IN_SKY] |= numbers[PILED + PILE * kind + numbers[row + IN_PILE + kind]]
        missing -= 1


@compiled
def solve_ending(n: State, table: Table, ending: Ending) -> float:
    """Return what a round is worth to side 0 whose ending is still to be played."""
    numbers, fractions, _copies = ending
    if n[DONE] == TRICKS_IN_ROUND:
        return worth_of_round(n[TRICKS], n[STARS], n[STARS + 1], table)
    read_ending(n, ending)
    row = fraction = 0
    fractions[ALPHA], fractions[BETA] = -np.inf, np.inf
    open_row(0, 0, n[SEATS], ending)
    while True:
        hand, sky = numbers[row + UNTRIED], numbers[row + UNTRIED + 1]
        if (hand or sky) and fractions[fraction + ALPHA] < fractions[fraction + BETA]:
            favourite = numbers[row + FAVOURITE]
            from_sky = 0 if hand & favourite or (not sky & favourite and hand) else 1
            mask = sky if from_sky else hand
            bit = favourite if mask & favourite else mask & -mask
            numbers[row + UNTRIED + from_sky] = mask & ~equal_cards(numbers, bit)
            play_bit(n, row, bit, from_sky, ending)
            row += ROW
            fraction += FRACTION_ROW
            fractions[fraction + ALPHA] = fractions[fraction - FRACTION_ROW + ALPHA]
            fractions[fraction + BETA] = fractions[fraction - FRACTION_ROW + BETA]
            numbers[row - ROW + TRIED] = bit
            if numbers[row + LEFT]:
                open_row(row, fraction, n[SEATS], ending)
                continue
            stars = numbers[row + STARS_WON], numbers[row + STARS_WON + 1]
            value = worth_of_round(numbers[row + WON], stars[0], stars[1], table)
        else:
            value = fractions[fraction + BEST]
        if row == 0:
            return float(value)
        row -= ROW
        fraction -= FRACTION_ROW
        side = (numbers[row + LEADS] + numbers[row + CARD_COUNT]) & 1
        if side == 0:
            if value > fractions[fraction + BEST]:
                fractions[fraction + BEST] = value
                numbers[row + FAVOURITE] = numbers[row + TRIED]
                fractions[fraction + ALPHA] = max(fractions[fraction + ALPHA], value)
        elif value < fractions[fraction + BEST]:
            fractions[fraction + BEST] = value
            numbers[row + FAVOURITE] = numbers[row + TRIED]
            fractions[fraction + BETA] = min(fractions[fraction + BETA], value)
