"""The rest of a round by a simple policy, compiled on first use.

The difference of points counts, so both sides want to win a trick, or both want to lose it. Which one follows
from the tricks so far and from the strength of the hands. A player who knows all cards finds out by search
which cards get this trick as wished, and plays one of them, rather one that is of little use later. Nobody
looks beyond the trick.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit

from tests.lunar.independent import rounds
from tests.lunar.independent.rounds import (
    HAND_FACES,
    HANDS,
    IN_SKY,
    LEAD,
    LEADER,
    PLAYED,
    SEATS,
    SKY_FACES,
    TILES,
    TRICK_PLACE,
    TRICK_RANK,
    TRICK_SUIT,
    TRICKS,
    TRUMP,
    WON,
)

STARS_PER_TRICK = {"suits": 4 / 12, "ranks": 8 / 12, "none": 0.0}


@cache
def low_wishes(points: tuple[int, ...], stars: str) -> Any:
    """Return whether both sides want to lose the next trick, by chance, tricks played and tricks of side 0.

    A trick is worth what it changes if side 0 wins each later one with the same chance, in tenths.
    """
    lows = np.zeros((11, 13, 13), np.int64)
    for chance in range(11):
        worth = np.zeros((13, 14))
        worth[12, :13] = np.subtract(points, points[::-1])
        for played in range(11, -1, -1):
            for won in range(played + 1):
                more, less = worth[played + 1, won + 1], worth[played + 1, won]
                lows[chance, played, won] = more - less + 2 * STARS_PER_TRICK[stars] < 0
                worth[played, won] = (chance * more + (10 - chance) * less) / 10
    return lows


@njit(cache=True)
def chance_of_tricks(round_: Any) -> int:
    """Return the chance of side 0 to win a trick, in tenths, from the strength of the hands.

    In playouts of 3,000 deals, a side won about 0.7 tricks more for each trump card that it had more than the
    other side, and 0.07 more for each point that its ranks had more.
    """
    ahead = 0.0
    for seat in range(round_[SEATS]):
        hand = HANDS + 24 * seat
        strength = 0.0
        for card in range(16):
            strength += 0.07 * (card >> 1) * round_[hand + card]
        trump = hand + 16 + 2 * round_[TRUMP]
        strength += 0.7 * (round_[trump] + round_[trump + 1])
        ahead += strength if seat & 1 == 0 else -strength
    chance = 5 + round(10 * ahead / (12 - round_[TRICKS]))
    return min(max(chance, 1), 9)


@njit(cache=True)
def below(dice: Any, limit: int) -> int:
    """Return a random number below the limit, by Knuth's linear congruential generator."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return (((dice[0] >> 33) & 0x7FFFFFFF) * limit) >> 31


@njit(cache=True)
def trick_of(round_: Any) -> tuple[int, ...]:
    """Return the running trick for a search: faces of the sky, lead suit, and what each parity has in it."""
    return (
        round_[SKY_FACES],
        round_[LEAD],
        round_[TRICK_RANK],
        round_[TRICK_RANK + 1],
        round_[TRICK_SUIT],
        round_[TRICK_SUIT + 1],
        round_[TRICK_PLACE],
        round_[TRICK_PLACE + 1],
    )


@njit(cache=True)
def with_choice(trick: tuple[int, ...], played: int, choice: int) -> tuple[int, ...]:
    """Return the trick with one card more. A choice is a face, with 12 added if it comes from the sky."""
    sky, lead, rank, other_rank, suit, other_suit, place, other_place = trick
    face = choice % 12
    from_place = choice // 12
    if from_place == 1:
        sky = rounds.without_face(sky, face)
    if face >= 8 and lead < 0:
        lead = face - 8
    if played & 1 == 0:
        if face < 8:
            rank = face
        else:
            suit = face - 8
        if played < 2:
            place = from_place
    else:
        if face < 8:
            other_rank = face
        else:
            other_suit = face - 8
        if played < 2:
            other_place = from_place
    return sky, lead, rank, other_rank, suit, other_suit, place, other_place


@njit(cache=True)
def legal_choices(round_: Any, trick: tuple[int, ...], played: int) -> int:
    """Return the legal choices for the next card of a trick, as a bit for each."""
    parity = played & 1
    seat = (round_[LEADER] + played) % round_[SEATS]
    return rounds.legal_faces(
        round_[SEATS] == 2,
        round_[HAND_FACES + seat],
        trick[0],
        trick[2 + parity],
        trick[4 + parity],
        trick[6 + parity],
        trick[1],
    )


@njit(cache=True)
def trick_winner(round_: Any, trick: tuple[int, ...], played: int, low: int) -> int:
    """Return the parity that wins the trick if everybody plays the rest of it well and knows all cards."""
    if played == 4:
        return rounds.winner(trick[2], trick[4], trick[3], trick[5], trick[1], round_[TRUMP])
    wished = (played & 1) ^ low
    choices = legal_choices(round_, trick, played)
    choice = 0
    while choices:
        if choices & 1:
            longer = with_choice(trick, played, choice)
            if trick_winner(round_, longer, played + 1, low) == wished:
                return wished
        choices >>= 1
        choice += 1
    return 1 - wished


@njit(cache=True)
def choose_play(round_: Any, dice: Any, low: int) -> int:
    """Return a card that gets the running trick as wished, if there is one."""
    played = round_[PLAYED]
    parity = played & 1
    trick = trick_of(round_)
    choices = legal_choices(round_, trick, played)
    good, bad = np.empty(24, np.int64), np.empty(24, np.int64)
    goods = bads = 0
    for choice in range(24):
        if (choices >> choice) & 1:
            if trick_winner(round_, with_choice(trick, played, choice), played + 1, low) == parity ^ low:
                good[goods] = choice
                goods += 1
            else:
                bad[bads] = choice
                bads += 1
    wins = (goods > 0) != (low == 1)
    if goods == 0:
        good, goods = bad, bads
    return _with_star(round_, rounds.awaited(round_), _spare(round_, dice, good, goods, low), wins)


@njit(cache=True)
def _spare(round_: Any, dice: Any, choices: Any, count: int, low: int) -> int:
    """Return one of the choices: of two random ones of a kind, the one that is of less use later."""
    first, second = choices[below(dice, count)], choices[below(dice, count)]
    face, other = first % 12, second % 12
    if (face < 8) != (other < 8):
        return first
    strength = face if face < 8 else int(face - 8 == round_[TRUMP])
    other_strength = other if other < 8 else int(other - 8 == round_[TRUMP])
    # Who wants tricks now wants them later too, and keeps strong cards.
    return first if (strength < other_strength) != (low == 1) else second


@njit(cache=True)
def _with_star(round_: Any, seat: int, choice: int, wins: bool) -> int:
    """Return the play of a choice: with a star if the side wins the trick, without one if it loses it."""
    plain = 2 * (choice % 12) + (IN_SKY if choice >= 12 else 0)
    wished = plain + int(wins)
    return wished if rounds.has_card(round_, seat, wished) else plain + int(not wins)


@njit(cache=True)
def play_out(round_: Any, dice: Any, lows: Any) -> None:
    """Play a round to its end. Tiles that are left to turn are turned at random."""
    while round_[TRUMP] < 0:
        suit = below(dice, 4)
        if (round_[TILES] >> suit) & 1:
            rounds.turn_tile(round_, suit)
    chance = chance_of_tricks(round_)
    while round_[TRICKS] < 12:
        if round_[PLAYED] == 0:
            chance = chance_of_tricks(round_)
        rounds.play_card(round_, choose_play(round_, dice, lows[chance, round_[TRICKS], round_[WON]]))


@njit(cache=True)
def pass_cards(round_: Any, seat: int, cards: Any) -> None:
    """Move the cards from the seat's hand to its partner's."""
    for card in cards:
        round_[HANDS + 24 * seat + card] -= 1
        round_[HANDS + 24 * ((seat + 2) % 4) + card] += 1


@njit(cache=True)
def random_pass(round_: Any, seat: int, dice: Any) -> Any:
    """Return two random ranks and two random suits of the seat's hand."""
    cards = np.empty(4, np.int64)
    left = round_[HANDS + 24 * seat : HANDS + 24 * seat + 24].copy()
    for number in range(4):
        first, after = (0, 16) if number < 2 else (16, 24)
        skipped = below(dice, left[first:after].sum())
        card = first
        while skipped >= left[card]:
            skipped -= left[card]
            card += 1
        left[card] -= 1
        cards[number] = card
    return cards
