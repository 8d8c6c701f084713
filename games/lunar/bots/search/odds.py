"""The chance to win a trick, from what a seat knows: which cards the others may still play to it.

Each side plays a rank and a suit to a trick. What is not played yet has a distribution: over the cards hidden
from the seat, over the sky, or over its own cards of the game for two. Others follow suit if they can.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.state import (
    CARDS,
    FIRST_FROM,
    FIRST_SUIT,
    HANDS,
    HIDDEN,
    LEAD,
    LEAD_SIDE,
    LEADER,
    NONE,
    RANK_OF,
    RANKS,
    SEATS,
    SKY,
    SKY_MOVE,
    STARRED_RANK,
    SUIT_OF,
    SUITS,
    SUITS_IN,
    TRUMP,
    TURN,
    VOID,
    State,
    has_suit,
    is_suit,
    value_of,
)
from games.lunar.bots.search.weights import KNOWN_CHOICE, OTHERS_RANK, OTHERS_TRUMP

UNKNOWN_LEAD = 0.5  # the chance that the own side plays the first suit, if nobody has and the card is a rank

Shares = Any  # of ranks or suits, which add up to 1


class Odds(NamedTuple):
    """What others may play to the running trick, and room for working it out.

    Of each row of `ranks` and `suits`, row 0 is from the seat's own side, row 1 from the other; rows 2 and 3
    are the same for the second place of the game for two: 0 and 1 are hidden hands or the own one, 2 and 3
    the sky.
    """

    ranks: Any  # [4, 8]
    suits: Any  # [4, 4]: by preference, before following suit
    own: Any  # [4]
    other: Any  # [4]
    rank: Any  # [8]


def new_odds() -> Odds:
    """Return room for odds."""
    return Odds(np.zeros((4, RANKS)), np.zeros((4, SUITS)), np.zeros(SUITS), np.zeros(SUITS), np.zeros(RANKS))


@compiled
def find_odds(n: State, weights: Any, direction: float, odds: Odds) -> None:
    """Work out what others may play, if they want to win the trick (direction 1) or to lose it (-1)."""
    seat = n[TURN]
    hand = HANDS + CARDS * seat
    for row in range(4):
        is_sky = row >= 2
        is_own_hand = row == 0 and n[SEATS] == 2
        if is_sky and n[SEATS] == 4:
            break
        choice = direction * (weights[KNOWN_CHOICE] if is_sky or is_own_hand else 1.0)
        total = 0.0
        for rank in range(RANKS):
            count = 0
            for card in (rank, rank + STARRED_RANK):
                if is_sky:
                    count += n[SKY + card]
                elif is_own_hand:
                    count += n[hand + card]
                else:
                    count += n[HIDDEN + card] - n[hand + card]
            share = count * math.exp(choice * weights[OTHERS_RANK] * (rank - 3.5) / 3.5) if count else 0.0
            odds.ranks[row, rank] = share
            total += share
        for rank in range(RANKS):
            odds.ranks[row, rank] = odds.ranks[row, rank] / total if total else 1.0 / RANKS
        for suit in range(SUITS):
            count = 0
            for card in (FIRST_SUIT + suit, FIRST_SUIT + SUITS + suit):
                if is_sky:
                    count += n[SKY + card]
                elif is_own_hand:
                    count += n[hand + card]
                else:
                    count += n[HIDDEN + card] - n[hand + card]
            is_trump = suit == n[TRUMP]
            share = count * (math.exp(choice * weights[OTHERS_TRUMP]) if is_trump and count else 1.0)
            odds.suits[row, suit] = share


@compiled
def chance_of_suit(n: State, seat: int, suit: int) -> float:
    """Return the chance that the hidden hand of a seat has a suit, for the seat that acts."""
    if n[VOID + seat] >> suit & 1:
        return 0.0
    own = HANDS + CARDS * n[TURN]
    unseen = 0
    for card in range(FIRST_SUIT, CARDS):
        unseen += n[HIDDEN + card] - n[own + card]
    first, second = FIRST_SUIT + suit, FIRST_SUIT + SUITS + suit
    of_suit = n[HIDDEN + first] - n[own + first] + n[HIDDEN + second] - n[own + second]
    none = 1.0
    for drawn in range(n[SUITS_IN + seat]):
        left = unseen - drawn
        if left <= of_suit:
            return 1.0
        none *= (left - of_suit) / left
    return 1.0 - none


@compiled
def suit_shares(n: State, odds: Odds, row: int, lead: int, follows: float, shares: Shares) -> None:
    """Write the shares of the suits from a row, if the lead suit (or NONE) is followed with a chance."""
    total = 0.0
    for suit in range(SUITS):
        if suit != lead:
            total += odds.suits[row, suit]
    for suit in range(SUITS):
        if suit == lead:
            shares[suit] = follows if total else 1.0
        elif total:
            shares[suit] = (1.0 - follows if lead != NONE else 1.0) * odds.suits[row, suit] / total
        else:
            shares[suit] = 0.0 if lead != NONE else 1.0 / SUITS


@compiled
def missing_suit(n: State, odds: Odds, side: int, seat: int, place: int, lead: int, shares: Shares) -> None:
    """Write the shares of the suits that a side may still play.

    `seat` plays it. `place` is where its card is from in the game for two: 0 the hand, 1 the sky, NONE
    either. `lead` is the lead suit that it must follow, or NONE.
    """
    acts = n[TURN]
    own_row = 0 if side == acts & 1 else 1
    follows = 0.0
    if n[SEATS] == 2 and place != 0:
        if lead != NONE:
            follows = 1.0 if has_suit(n, SKY, lead) else 0.0
        suit_shares(n, odds, own_row + 2, lead, follows, shares)
        if place == 1:
            return
        # Either place: half of both.
        for suit in range(SUITS):
            odds.rank[suit] = shares[suit]
    if lead != NONE:
        if seat == acts:
            follows = 1.0 if has_suit(n, HANDS + CARDS * seat, lead) else 0.0
        else:
            follows = chance_of_suit(n, seat, lead)
    suit_shares(n, odds, own_row, lead, follows, shares)
    if n[SEATS] == 2 and place == NONE:
        for suit in range(SUITS):
            shares[suit] = (shares[suit] + odds.rank[suit]) / 2


@compiled
def share_of_rank(n: State, odds: Odds, own_row: int, place: int, rank: int) -> float:
    """Return the share of a rank that a side may still play, from a place as in `missing_suit`."""
    if n[SEATS] == 4 or place == 0:
        return float(odds.ranks[own_row, rank])
    if place == 1:
        return float(odds.ranks[own_row + 2, rank])
    return float((odds.ranks[own_row, rank] + odds.ranks[own_row + 2, rank]) / 2)


@compiled
def chance_to_win(n: State, weights: Any, odds: Odds, move: int) -> float:
    """Return the chance of the seat's side to win the trick if it makes a move."""
    seat = n[TURN]
    side = seat & 1
    card = move - SKY_MOVE if move >= SKY_MOVE else move
    own_rank, own_suit = n[RANK_OF + side], n[SUIT_OF + side]
    lead, lead_share = n[LEAD], UNKNOWN_LEAD
    if lead != NONE:
        lead_share = 1.0 if n[LEAD_SIDE] == side else 0.0
    if is_suit(card):
        own_suit = card
        if lead == NONE:
            lead, lead_share = value_of(card), 1.0
    else:
        own_rank = card
    # The game for two: where the second card of each side is from.
    own_place, other_place = NONE, NONE
    if n[SEATS] == 2:
        own_place = 0 if move >= SKY_MOVE else 1
        other_place = NONE if n[FIRST_FROM + 1 - side] == NONE else 1 - n[FIRST_FROM + 1 - side]
    partner = (seat + 2) % n[SEATS]
    next_other = (seat + 1) % n[SEATS]
    if own_suit == NONE:
        must = lead if lead_share == 0.0 else NONE
        missing_suit(n, odds, side, partner, own_place, must, odds.own)
    else:
        for suit in range(SUITS):
            odds.own[suit] = 1.0 if suit == value_of(own_suit) else 0.0
    other_suit = n[SUIT_OF + 1 - side]
    if other_suit == NONE:
        must = lead if lead_share == 1.0 else NONE
        missing_suit(n, odds, 1 - side, next_other, other_place, must, odds.other)
    else:
        for suit in range(SUITS):
            odds.other[suit] = 1.0 if suit == value_of(other_suit) else 0.0
    same = 0.0
    for suit in range(SUITS):
        same += odds.own[suit] * odds.other[suit]
    chance = 0.0
    if same > 0.0:
        is_last = (n[LEADER] + 1) & 1 == side
        chance += same * chance_of_higher_rank(n, odds, own_rank, own_place, other_place, is_last)
    trump = n[TRUMP]
    chance += odds.own[trump] * (1.0 - odds.other[trump])
    different = (1.0 - odds.own[trump]) * (1.0 - odds.other[trump]) - same
    different += odds.own[trump] * odds.other[trump]
    return float(min(1.0, max(0.0, chance + max(0.0, different) * lead_share)))


@compiled
def chance_of_higher_rank(
    n: State, odds: Odds, own_rank: int, own_place: int, other_place: int, is_last: bool
) -> float:
    """Return the chance that the own rank is higher, or equal if the own side plays the last card."""
    other_rank = n[RANK_OF + 1 - (n[TURN] & 1)]
    below, chance = 0.0, 0.0
    for rank in range(RANKS):
        if other_rank == NONE:
            other = share_of_rank(n, odds, 1, other_place, rank)
        else:
            other = 1.0 if rank == value_of(other_rank) else 0.0
        if own_rank == NONE:
            own = share_of_rank(n, odds, 0, own_place, rank)
        else:
            own = 1.0 if rank == value_of(own_rank) else 0.0
        chance += own * (below + (other if is_last else 0.0))
        below += other
    return float(chance)
