"""Trials of moves and of passes: each is tried on the same guesses of the hidden cards.

After it, players who see all cards of the guess play the round to its end. So a trial knows more than the
seat does, but the mean over many guesses is close to what a move is worth. Programs for bridge and skat
choose in this way (M. L. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game",
Journal of Artificial Intelligence Research 14, 2001).
"""

from typing import Any, NamedTuple

from games.compiled.functions import compiled
from games.lunar.bots.search.guesses import Known, guess
from games.lunar.bots.search.policy import Weights
from games.lunar.bots.search.rounds import Room, pass_all, pass_others, play_on, tricks_of_ending
from games.lunar.bots.search.stakes import Stakes, Table
from games.lunar.bots.search.state import PILE_COUNT, SEATS, State, play


class Knowledge(NamedTuple):
    """What a seat knows: the state, and which cards hidden hands certainly have."""

    seat: int
    state: State
    known: Known


def knows_all(n: State) -> bool:
    """Return whether a seat knows all cards: those that it misses are in the other hand of a game for two."""
    return bool(n[SEATS] == 2 and n[PILE_COUNT] + n[PILE_COUNT + 1] == 0)


@compiled
def try_moves(
    knowledge: Knowledge,
    table: Table,
    stakes: Stakes,
    moves: Any,
    is_left: Any,
    totals: Any,
    guesses: int,
    random: Any,
    room: Room,
) -> None:
    """Add to the total of each move that is left what rounds after it were worth to the seat's side."""
    n, dealt, last_tricks = room.state, room.dealt, tricks_of_ending(knowledge.state)
    for _ in range(guesses):
        guess(knowledge.state, knowledge.known, knowledge.seat, random, room.holders, dealt)
        for i in range(len(moves)):
            if is_left[i]:
                n[:] = dealt
                play(n, moves[i])
                worth = play_on(n, table, stakes, room.trick, room.ending, last_tricks)
                totals[i] += worth if knowledge.seat & 1 == 0 else -worth


@compiled
def try_passes(
    knowledge: Knowledge,
    table: Table,
    stakes: Stakes,
    policy: Weights,
    passes: Any,
    is_left: Any,
    totals: Any,
    guesses: int,
    random: Any,
    room: Room,
) -> None:
    """Add to the total of each pass that is left what rounds after it were worth to the seat's side.

    The others pass as the policy does.
    """
    n, dealt, last_tricks = room.state, room.dealt, tricks_of_ending(knowledge.state)
    for _ in range(guesses):
        guess(knowledge.state, knowledge.known, knowledge.seat, random, room.holders, dealt)
        pass_others(dealt, policy, knowledge.seat, room)
        for i in range(len(passes)):
            if is_left[i]:
                n[:] = dealt
                room.passed[knowledge.seat] = passes[i]
                pass_all(n, room)
                worth = play_on(n, table, stakes, room.trick, room.ending, last_tricks)
                totals[i] += worth if knowledge.seat & 1 == 0 else -worth
