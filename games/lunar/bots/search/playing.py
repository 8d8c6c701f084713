"""Rounds that the policy plays on from a state to their end."""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.odds import Odds, new_odds
from games.lunar.bots.search.policy import (
    Values,
    Weights,
    best_of,
    choose_passes,
    new_values,
    pass_cards,
    value_moves,
)
from games.lunar.bots.search.state import (
    MOST_MOVES,
    NONE,
    SIZE,
    STARS,
    TRICKS,
    TURN,
    Moves,
    State,
    deal,
    find_moves,
    is_round_over,
    play,
)
from games.lunar.bots.search.worth import Worth


class Room(NamedTuple):
    """Room to work in, so that compiled code allocates nothing."""

    moves: Moves
    values: Values
    odds: Odds
    passed: Any  # [4 seats, 4 cards]
    state: State
    dealt: State


def new_room() -> Room:
    """Return room for one search."""
    return Room(
        np.zeros(MOST_MOVES, np.int64),
        new_values(),
        new_odds(),
        np.full((4, 4), -1, np.int64),
        np.zeros(SIZE, np.int64),
        np.zeros(SIZE, np.int64),
    )


@compiled
def choose_move(n: State, worth: Worth, weights: Weights, room: Room) -> int:
    """Return the move of the policy."""
    count = find_moves(n, room.moves)
    if count == 1:
        return int(room.moves[0])
    value_moves(n, worth, weights, room.moves, count, room.values, room.odds)
    return int(room.moves[best_of(room.values, count)])


@compiled
def play_out(n: State, worth: Worth, weights: Any, room: Room) -> None:
    """Play a round to its end. Each side has its own weights: [side, weight]."""
    while not is_round_over(n):
        play(n, choose_move(n, worth, weights[n[TURN] & 1], room))


@compiled
def pass_all(n: State, weights: Any, room: Room) -> None:
    """Let all four seats pass to their partners, as the policy of their side chooses."""
    for seat in range(4):
        for number in range(4):
            room.passed[seat, number] = NONE
        choose_passes(n, weights[seat & 1], seat, room.values, room.passed[seat])
    for seat in range(4):
        pass_cards(n, seat, room.passed[seat])


@compiled
def lead_of_round(n: State, points: Any) -> float:
    """Return how many points more side 0 gets for a round that is over."""
    return float(points[n[TRICKS]] + n[STARS] - points[n[TRICKS + 1]] - n[STARS + 1])


@compiled
def play_rounds(
    deck: Any, seats: int, rounds: int, points: Any, worth: Worth, weights: Any, random: Any, room: Room
) -> float:
    """Return the mean lead of the first weights over the second, on deals that both play on either side."""
    n = room.state
    dealt = room.dealt
    swapped = np.zeros_like(weights)
    swapped[0], swapped[1] = weights[1], weights[0]
    total = 0.0
    for number in range(rounds):
        deal(dealt, deck, seats, number % seats, random)
        for side in range(2):
            own = weights if side == 0 else swapped
            n[:] = dealt
            if seats == 4:
                pass_all(n, own, room)
            play_out(n, worth, own, room)
            total += lead_of_round(n, points) * (1 if side == 0 else -1)
    return total / (2 * rounds)


@compiled
def sample_rounds(
    deck: Any, seats: int, points: Any, worth: Worth, weights: Any, random: Any, room: Room, found: Any
) -> None:
    """Write the points of both sides in rounds that the policy plays: [round, side]."""
    n = room.state
    for number in range(len(found)):
        deal(n, deck, seats, number % seats, random)
        if seats == 4:
            pass_all(n, weights, room)
        play_out(n, worth, weights, room)
        for side in range(2):
            found[number, side] = points[n[TRICKS + side]] + n[STARS + side]
