"""The rules of a round, in a form made for speed: one array of whole numbers for each position.

A card is a number: a plain rank is its number of moons less one (0 to 7), a rank with a star is 8 more; the
suits wolf, owl, lynx and bat are 16 to 19, with a star 20 to 23. Hands and the sky are counts by card,
because equal cards are interchangeable.

A move is a number too: a card from the hand is the card, one from the sky is 24 more, and turning a trump
tile face down is 48 and the suit. The game for two has one seat for each side, so a seat's side is its lowest
bit in both games.
"""

from typing import Any

import numpy as np

from games.compiled.functions import compiled, draw_below

CARDS = 24
FIRST_SUIT = 16
STARRED_SUIT = 20
STARRED_RANK = 8
SUITS = 4
RANKS = 8
SKY_MOVE = 24
FLIP_MOVE = 48
MOST_MOVES = 52

TRICKS_IN_ROUND = 12
TRICK_CARDS = 4
NONE = -1

# Where the array has what. Lists have their length behind them.
SEATS = 0
TURN = 1  # the seat that acts
START = 2  # the start player
LEADER = 3
TRUMP = 4  # NONE until one trump tile is left
TILES = 5  # a bit for each suit whose trump tile is face up
PLAYED = 6  # cards in the running trick
LEAD = 7  # the lead suit, or NONE
LEAD_SIDE = 8
STARS_IN_TRICK = 9
DONE = 10  # tricks
RANK_OF = 11  # of each side, in the running trick: the card or NONE [2]
SUIT_OF = 13  # [2]
FIRST_FROM = 15  # of each side, in the game for two: 0 hand, 1 sky or NONE [2]
HOLDER = 17  # the holder of each side's lead tile [2]
TRICKS = 19  # of each side [2]
STARS = 21  # [2]
RANKS_IN = 23  # rank cards in each hand [4]
SUITS_IN = 27  # [4]
VOID = 31  # of each hand, a bit for each suit that it is known not to have [4]
HANDS = 35  # [4 * 24]
SKY = HANDS + 4 * CARDS  # [24]
HIDDEN = SKY + CARDS  # by card, how many are in the hands and piles together [24]
PILE_COUNT = HIDDEN + CARDS  # rank cards and suit cards in the piles [2]
PILES = PILE_COUNT + 2  # from their bottom; in what a seat knows, their cards are NONE [2 * 9]
PILE = 9
SIZE = PILES + 2 * PILE

State = Any  # an array of int64
Moves = Any


def new_state() -> State:
    """Return a state with nothing in it."""
    state = np.zeros(SIZE, np.int64)
    for index in (TRUMP, LEAD, RANK_OF, RANK_OF + 1, SUIT_OF, SUIT_OF + 1, FIRST_FROM, FIRST_FROM + 1):
        state[index] = NONE
    return state


@compiled
def is_suit(card: int) -> bool:
    """Return whether a card is a suit card."""
    return card >= FIRST_SUIT


@compiled
def is_star(card: int) -> bool:
    """Return whether a card has a star."""
    return card >= STARRED_SUIT or STARRED_RANK <= card < FIRST_SUIT


@compiled
def value_of(card: int) -> int:
    """Return the rank of a rank card less one, or the number of the suit."""
    # Both numbers are powers of two, and the first card of each kind is a multiple of them.
    return card & (SUITS - 1 if card >= FIRST_SUIT else RANKS - 1)


@compiled
def in_trump_stage(n: State) -> bool:
    """Return whether the next move turns a trump tile."""
    return bool(n[TRUMP] == NONE)


@compiled
def is_round_over(n: State) -> bool:
    """Return whether all tricks are played."""
    return bool(n[DONE] == TRICKS_IN_ROUND)


@compiled
def has_suit(n: State, place: int, suit: int) -> bool:
    """Return whether a hand or the sky, which begins at an index of the array, has a suit."""
    return bool(n[place + FIRST_SUIT + suit] + n[place + STARRED_SUIT + suit] > 0)


@compiled
def add_from(n: State, place: int, wants_suits: bool, offset: int, moves: Moves, count: int) -> int:
    """Add the cards of one kind that a place may play to the moves; return how many moves there are."""
    first, last = (FIRST_SUIT, CARDS) if wants_suits else (0, FIRST_SUIT)
    must_follow = wants_suits and n[LEAD] != NONE and has_suit(n, place, n[LEAD])
    for card in range(first, last):
        if n[place + card] and not (must_follow and value_of(card) != n[LEAD]):
            moves[count] = card + offset
            count += 1
    return count


@compiled
def count_kind(n: State, place: int, wants_suits: bool) -> int:
    """Return how many cards of a kind a hand or the sky has."""
    first, last = (FIRST_SUIT, CARDS) if wants_suits else (0, FIRST_SUIT)
    total = 0
    for card in range(first, last):
        total += n[place + card]
    return total


@compiled
def find_moves(n: State, moves: Moves) -> int:
    """Write the legal moves of the seat that acts; return how many there are."""
    count = 0
    if in_trump_stage(n):
        for suit in range(SUITS):
            if n[TILES] >> suit & 1:
                moves[count] = FLIP_MOVE + suit
                count += 1
        return count
    seat = n[TURN]
    side = seat & 1
    hand = HANDS + CARDS * seat
    for wants_suits in (False, True):
        if n[(SUIT_OF if wants_suits else RANK_OF) + side] != NONE:
            continue
        if n[SEATS] == 4:
            count = add_from(n, hand, wants_suits, 0, moves, count)
            continue
        is_first = n[FIRST_FROM + side] == NONE
        if (is_first and count_kind(n, SKY, not wants_suits)) or n[FIRST_FROM + side] == 1:
            count = add_from(n, hand, wants_suits, 0, moves, count)
        if (is_first and count_kind(n, hand, not wants_suits)) or n[FIRST_FROM + side] == 0:
            count = add_from(n, SKY, wants_suits, SKY_MOVE, moves, count)
    return count


@compiled
def flip(n: State, suit: int) -> None:
    """Turn a trump tile face down. The last one that is left is trump, and the first trick begins."""
    n[TILES] &= ~(1 << suit)
    n[TURN] = (n[TURN] + 1) % n[SEATS]
    for left in range(SUITS):
        if n[TILES] == 1 << left:
            n[TRUMP] = left
            n[TURN] = n[START]
            n[LEADER] = n[START]


@compiled
def play(n: State, move: int) -> None:
    """Make a legal move of the seat that acts."""
    if move >= FLIP_MOVE:
        flip(n, move - FLIP_MOVE)
        return
    seat = n[TURN]
    side = seat & 1
    card = move
    if move >= SKY_MOVE:
        card = move - SKY_MOVE
        n[SKY + card] -= 1
    else:
        n[HANDS + CARDS * seat + card] -= 1
        n[HIDDEN + card] -= 1
        n[(SUITS_IN if is_suit(card) else RANKS_IN) + seat] -= 1
    if n[SEATS] == 2:
        n[FIRST_FROM + side] = 1 if move >= SKY_MOVE else 0
    if is_star(card):
        n[STARS_IN_TRICK] += 1
    if is_suit(card):
        n[SUIT_OF + side] = card
        suit = value_of(card)
        if n[LEAD] == NONE:
            n[LEAD] = suit
            n[LEAD_SIDE] = side
        elif suit != n[LEAD] and move < SKY_MOVE:
            n[VOID + seat] |= 1 << n[LEAD]
    else:
        n[RANK_OF + side] = card
    n[PLAYED] += 1
    n[TURN] = (seat + 1) % n[SEATS]
    if n[PLAYED] == TRICK_CARDS:
        finish_trick(n)


@compiled
def winner_of_trick(n: State) -> int:
    """Return the side that wins the four cards of a trick."""
    suits = value_of(n[SUIT_OF]), value_of(n[SUIT_OF + 1])
    ranks = value_of(n[RANK_OF]), value_of(n[RANK_OF + 1])
    if suits[0] == suits[1]:
        if ranks[0] == ranks[1]:
            return int(n[LEADER] + 1) & 1
        return 0 if ranks[0] > ranks[1] else 1
    for side in range(2):
        if suits[side] == n[TRUMP]:
            return side
    return int(n[LEAD_SIDE])


@compiled
def finish_trick(n: State) -> None:
    """Count a trick for its winner, fill the sky, and begin the next trick."""
    side = winner_of_trick(n)
    n[TRICKS + side] += 1
    n[STARS + side] += n[STARS_IN_TRICK]
    n[DONE] += 1
    n[LEADER] = n[HOLDER + side]
    n[TURN] = n[LEADER]
    n[PLAYED] = 0
    n[STARS_IN_TRICK] = 0
    n[LEAD] = NONE
    for one in range(2):
        n[RANK_OF + one] = NONE
        n[SUIT_OF + one] = NONE
        n[FIRST_FROM + one] = NONE
    if n[SEATS] == 2:
        fill_sky(n)


@compiled
def fill_sky(n: State) -> None:
    """Draw cards from the piles until the sky has three of each kind, or a pile is empty."""
    for kind in range(2):
        for _ in range(3 - count_kind(n, SKY, kind == 1)):
            if n[PILE_COUNT + kind] == 0:
                break
            n[PILE_COUNT + kind] -= 1
            card = n[PILES + kind * PILE + n[PILE_COUNT + kind]]
            n[SKY + card] += 1
            n[HIDDEN + card] -= 1


@compiled
def deal(n: State, deck: Any, seats: int, start: int, random: Any) -> None:
    """Deal a round from a deck: its 24 rank cards, then its 24 suit cards. It is shuffled.

    Lead tiles are held by the start player and the seat behind it.
    """
    for index in range(SIZE):
        n[index] = 0
    n[SEATS] = seats
    n[TURN] = start
    n[START] = start
    n[LEADER] = start
    n[TRUMP] = NONE
    n[LEAD] = NONE
    n[TILES] = (1 << SUITS) - 1
    for side in range(2):
        n[RANK_OF + side] = NONE
        n[SUIT_OF + side] = NONE
        n[FIRST_FROM + side] = NONE
    n[HOLDER + start % 2] = start
    n[HOLDER + 1 - start % 2] = (start + 1) % seats
    for kind in range(2):
        first = kind * CARDS
        for last in range(CARDS - 1, 0, -1):
            other = draw_below(random, last + 1)
            deck[first + last], deck[first + other] = deck[first + other], deck[first + last]
        for number in range(CARDS):
            card = deck[first + number]
            n[HIDDEN + card] += 1
            if number < 6 * seats:
                n[HANDS + CARDS * (number // 6) + card] += 1
            elif number < 6 * seats + 3:
                n[SKY + card] += 1
                n[HIDDEN + card] -= 1
            else:
                n[PILES + kind * PILE + n[PILE_COUNT + kind]] = card
                n[PILE_COUNT + kind] += 1
        for seat in range(seats):
            n[(SUITS_IN if kind else RANKS_IN) + seat] = 6


def deck_of(stars: str) -> Any:
    """Return a deck with these stars, as `deal` takes it."""
    ranks = [card for rank in range(RANKS) for card in (rank,) * 2 + (rank + 8 * (stars == "ranks"),)]
    suits = [
        card
        for suit in range(FIRST_SUIT, FIRST_SUIT + SUITS)
        for card in (suit,) * 5 + (suit + 4 * (stars == "suits"),)
    ]
    return np.array(ranks + suits, np.int64)
