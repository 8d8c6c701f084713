"""How the policy chooses: by what a trick is worth, by the chance to win it, and by what a card is for later.

It uses only what the seat that acts may know: its hand, the sky, how many cards of each kind the others have,
and how many of each card are hidden from it. Its weights were tuned by self-play.
"""

from typing import Any

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.odds import Odds, chance_to_win, find_odds
from games.lunar.bots.search.state import (
    CARDS,
    DONE,
    FIRST_SUIT,
    FLIP_MOVE,
    HANDS,
    HIDDEN,
    NONE,
    RANK_OF,
    SKY_MOVE,
    STARRED_SUIT,
    STARS_IN_TRICK,
    SUIT_OF,
    SUITS,
    TRICKS,
    TRICKS_IN_ROUND,
    TRUMP,
    TURN,
    Moves,
    State,
    in_trump_stage,
    is_star,
    is_suit,
    value_of,
)
from games.lunar.bots.search.weights import (
    FLIP_COUNT,
    FLIP_STAR,
    HOLD_STAR,
    PASS_LENGTH,
    PASS_RANK,
    PASS_STAR,
    RANK_STRENGTH,
    SKY_SHARE,
    STRENGTH_TO_CHANCE,
    SUIT_FIRST,
    SUIT_FIRST_WANTED,
    SUIT_STRENGTH,
    TRUMP_STRENGTH,
)
from games.lunar.bots.search.worth import Worth, layer_of, worth_of_strength, worth_of_winning

Weights = Any
Values = Any


@compiled
def strength(n: State, weights: Weights, card: int) -> float:
    """Return by how much a card raises the chance to win a trick."""
    if not is_suit(card):
        return float(weights[RANK_STRENGTH + value_of(card)])
    return float(weights[TRUMP_STRENGTH] if value_of(card) == n[TRUMP] else weights[SUIT_STRENGTH])


@compiled
def chance_of_side(n: State, weights: Weights, seat: int) -> float:
    """Return the chance of a seat's side to win one of the tricks to come, by the strength of its hand."""
    hand = HANDS + CARDS * seat
    total = 0.0
    for first, last in ((0, FIRST_SUIT), (FIRST_SUIT, CARDS)):
        own, unseen, own_strength, unseen_strength = 0, 0, 0.0, 0.0
        for card in range(first, last):
            if n[HIDDEN + card]:
                value = strength(n, weights, card)
                own += n[hand + card]
                own_strength += n[hand + card] * value
                unseen += n[HIDDEN + card] - n[hand + card]
                unseen_strength += (n[HIDDEN + card] - n[hand + card]) * value
        if own and unseen:
            total += own_strength - own * unseen_strength / unseen
    return float(0.5 + weights[STRENGTH_TO_CHANCE] * total / max(1, TRICKS_IN_ROUND - n[DONE]))


@compiled
def value_moves(
    n: State, worth: Worth, weights: Weights, moves: Moves, count: int, values: Values, odds: Odds
) -> None:
    """Write the value of each of these moves, in points."""
    seat = n[TURN]
    side = seat & 1
    if in_trump_stage(n):
        hand = HANDS + CARDS * seat
        for i in range(count):
            suit = FIRST_SUIT + moves[i] - FLIP_MOVE
            stars = n[hand + suit + SUITS]
            values[i] = weights[FLIP_COUNT] * (n[hand + suit] + stars) + weights[FLIP_STAR] * stars
        return
    layer = layer_of(chance_of_side(n, weights, seat))
    own, other = n[TRICKS + side], n[TRICKS + 1 - side]
    wanted = worth_of_winning(worth, layer, own, other)
    won_later = worth_of_strength(worth, layer, own + 1, other)
    lost_later = worth_of_strength(worth, layer, own, other + 1)
    direction = max(-1.0, min(1.0, (wanted + n[STARS_IN_TRICK]) / 3.0))
    find_odds(n, weights, direction, odds)
    is_first = n[SUIT_OF + side] == NONE and n[RANK_OF + side] == NONE
    for i in range(count):
        move = moves[i]
        card = move - SKY_MOVE if move >= SKY_MOVE else move
        chance = chance_to_win(n, weights, odds, move)
        star = 1 if is_star(card) else 0
        stars = n[STARS_IN_TRICK] + star
        later = chance * won_later + (1 - chance) * lost_later
        share = weights[SKY_SHARE] if move >= SKY_MOVE else 1.0
        value = wanted * chance + stars * (2 * chance - 1) - later * share * strength(n, weights, card)
        value -= weights[HOLD_STAR] * star
        if is_first and is_suit(card):
            value += weights[SUIT_FIRST] + weights[SUIT_FIRST_WANTED] * direction
        values[i] = value


@compiled
def best_of(values: Values, count: int) -> int:
    """Return the index of the highest value, the first of equal ones."""
    best = 0
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
    return best


@compiled
def value_passes(n: State, weights: Weights, seat: int, values: Values) -> None:
    """Write for each card in a hand how much the policy would like to pass it."""
    hand = HANDS + CARDS * seat
    for card in range(CARDS):
        if is_suit(card):
            suit = FIRST_SUIT + value_of(card)
            length = n[hand + suit] + n[hand + suit + SUITS]
            values[card] = weights[PASS_LENGTH] * length + (weights[PASS_STAR] if card >= STARRED_SUIT else 0)
        else:
            values[card] = weights[PASS_RANK + value_of(card)]


@compiled
def choose_passes(n: State, weights: Weights, seat: int, values: Values, passed: Any) -> None:
    """Write the two rank cards and the two suit cards that the policy passes, by how much it values each."""
    value_passes(n, weights, seat, values)
    hand = HANDS + CARDS * seat
    for number in range(4):
        first, last = (0, FIRST_SUIT) if number < 2 else (FIRST_SUIT, CARDS)
        best = NONE
        for card in range(first, last):
            left = n[hand + card]
            for earlier in range(number):
                if passed[earlier] == card:
                    left -= 1
            if left > 0 and (best == NONE or values[card] > values[best]):
                best = card
        passed[number] = best


@compiled
def pass_cards(n: State, seat: int, passed: Any) -> None:
    """Move four cards from a hand to the partner's, who passes as many back."""
    for number in range(4):
        n[HANDS + CARDS * seat + passed[number]] -= 1
        n[HANDS + CARDS * ((seat + 2) % 4) + passed[number]] += 1


def new_values() -> Values:
    """Return room for the values of moves or cards."""
    return np.zeros(64)
