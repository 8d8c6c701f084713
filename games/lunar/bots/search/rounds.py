"""Rounds that are played on by players who see all cards, and who look ahead to the end of each trick."""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.endings import Ending, new_ending, solve_ending
from games.lunar.bots.search.guesses import new_holders
from games.lunar.bots.search.policy import Values, Weights, choose_passes, new_values, pass_cards
from games.lunar.bots.search.stakes import (
    Stakes,
    Table,
    find_strengths,
    value_of_tricks,
)
from games.lunar.bots.search.state import (
    DONE,
    FLIP_MOVE,
    NONE,
    PLAYED,
    SEATS,
    SIZE,
    STARS,
    START,
    SUITS,
    TILES,
    TRICK_CARDS,
    TRICKS,
    TRICKS_IN_ROUND,
    TRUMP,
    TURN,
    State,
    deal,
    in_trump_stage,
    is_round_over,
    play,
)
from games.lunar.bots.search.tricks import LINE, ROW, Trick, new_trick, read_places, solve_trick

TRICKS_OF_ENDING = 2
TRICKS_OF_LATE_ENDING = 3  # for two, where few cards are hidden
LATE = 6  # tricks that are done


class Room(NamedTuple):
    """Room to work in, so that compiled code allocates nothing."""

    state: State
    dealt: State
    trick: Trick
    values: Values
    passed: Any  # [4 seats, 4 cards]
    holders: Any  # for guesses
    ending: Ending


def new_room() -> Room:
    """Return room for one search."""
    return Room(
        np.zeros(SIZE, np.int64),
        np.zeros(SIZE, np.int64),
        new_trick(),
        new_values(),
        np.full((4, 4), NONE, np.int64),
        new_holders(),
        new_ending(),
    )


@compiled
def choose_flip(n: State, numbers: Any, stakes: Stakes) -> int:
    """Return the trump tile to turn: the one whose suit would be the worst trump."""
    is_first = n[TURN] & 1 == 0
    worst, choice = 0.0, NONE
    for suit in range(SUITS):
        if n[TILES] >> suit & 1:
            find_strengths(stakes, suit)
            read_places(n, numbers, stakes)
            value = value_of_tricks(stakes, 0, 0, 1 - 2 * (n[START] & 1))
            if choice == NONE or (value < worst if is_first else value > worst):
                worst, choice = value, suit
    return choice


@compiled
def turn_tiles(n: State, numbers: Any, first: Stakes, second: Stakes) -> None:
    """Turn trump tiles until one is left, each by the stakes of its side, and find the strengths of cards."""
    while in_trump_stage(n):
        play(n, FLIP_MOVE + choose_flip(n, numbers, first if n[TURN] & 1 == 0 else second))
    find_strengths(first, n[TRUMP])
    find_strengths(second, n[TRUMP])


@compiled
def is_late(n: State) -> bool:
    """Return whether rounds from this position have a long ending, which takes most of their time."""
    return bool(n[SEATS] == 2 and n[DONE] >= LATE)


@compiled
def tricks_of_ending(n: State) -> int:
    """Return how many tricks an ending has in rounds from this position."""
    return TRICKS_OF_LATE_ENDING if is_late(n) else TRICKS_OF_ENDING


@compiled
def play_on(n: State, table: Table, stakes: Stakes, trick: Trick, ending: Ending, last_tricks: int) -> float:
    """Play a round trick by trick until its ending, and return what that is worth to side 0."""
    until = TRICKS_IN_ROUND - last_tricks
    numbers, fractions = trick
    turn_tiles(n, numbers, stakes, stakes)
    while n[DONE] < until:
        first = n[PLAYED]
        solve_trick(n, numbers, fractions, stakes)
        for number in range(first, TRICK_CARDS):
            play(n, numbers[ROW * first + LINE + number])
    return solve_ending(n, table, ending)


@compiled
def play_between(n: State, first: Stakes, second: Stakes, trick: Trick) -> None:
    """Play a round to its end. Each side has its own weights, and chooses each of its cards by them."""
    numbers, fractions = trick
    turn_tiles(n, numbers, first, second)
    while not is_round_over(n):
        solve_trick(n, numbers, fractions, first if n[TURN] & 1 == 0 else second)
        play(n, numbers[(ROW + 1) * n[PLAYED] + LINE])


@compiled
def pass_others(n: State, policy: Weights, seat: int, room: Room) -> None:
    """Write the passes of all seats but one, as the policy chooses them."""
    for other in range(4):
        if other != seat:
            for number in range(4):
                room.passed[other, number] = NONE
            choose_passes(n, policy, other, room.values, room.passed[other])


@compiled
def pass_all(n: State, room: Room) -> None:
    """Let all seats pass what is written."""
    for seat in range(4):
        pass_cards(n, seat, room.passed[seat])


@compiled
def play_rounds(
    deck: Any,
    seats: int,
    points: Any,
    first: Stakes,
    second: Stakes,
    policy: Weights,
    random: Any,
    room: Room,
    found: Any,
) -> None:
    """Write the points of both sides in rounds between two stakes: [round, side]."""
    n = room.state
    for number in range(len(found)):
        deal(n, deck, seats, number % seats, random)
        if seats == 4:
            pass_others(n, policy, NONE, room)
            pass_all(n, room)
        play_between(n, first, second, room.trick)
        for side in range(2):
            found[number, side] = points[n[TRICKS + side]] + n[STARS + side]
