"""Play the same actions in the search's fast core and in the rules' engine, and compare their facts."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from games.lunar.bots.reading import CARDS, NUMBERS, action_of, read
from games.lunar.bots.search import state as core
from games.lunar.bots.search.trials import Knowledge
from games.lunar.engine import (
    SUITS,
    Action,
    Flip,
    Pass,
    Play,
    Position,
    SeedDealer,
    Setup,
    Source,
    Stage,
    Stars,
    Step,
)


class Both(NamedTuple):
    """A position, and the core's state of it with all hidden cards."""

    position: Position
    state: core.State


def start(seats: int, seed: int, stars: Stars = Stars.SUITS) -> Position:
    """Return the start of a game in which seat 1 holds the black lead tile."""
    return Position.start(Setup(seats, (1, 0), stars=stars), SeedDealer(b"%d" % seed, stars))


def random_steps(position: Position, rng: random.Random) -> Iterator[Step]:
    """Yield the steps of a game whose actions are random."""
    while position.awaited:
        seat = rng.choice(sorted(position.awaited))
        step = position.apply(rng.choice(list(position.legal(seat))))
        yield step
        position = step.position


def read_whole(position: Position) -> core.State:
    """Read a position after the passes with its hidden cards."""
    state = read(position, min(position.awaited)).state
    for seat, hand in enumerate(position.hands):
        for number in range(core.CARDS):
            state[core.HANDS + core.CARDS * seat + number] = hand.count(CARDS[number])
    for kind, pile in enumerate(position.piles):
        cards = [NUMBERS[card] for card in reversed(pile)]
        state[core.PILES + core.PILE * kind : core.PILES + core.PILE * kind + len(cards)] = cards
    return state


def move_of(action: Action) -> int:
    """Return the move of an action in the core."""
    if isinstance(action, Flip):
        return core.FLIP_MOVE + SUITS.index(action.suit)
    assert isinstance(action, Play)
    return NUMBERS[action.card] + core.SKY_MOVE * (action.source is Source.SKY)


def legal_in_core(state: core.State, knowledge: Knowledge) -> set[Action]:
    """Return the actions that the core finds legal for the seat that acts."""
    return {action_of(knowledge, move) for move in moves_of(state)}


def moves_of(state: core.State) -> list[int]:
    """Return the legal moves of the seat that acts."""
    moves = np.zeros(core.MOST_MOVES, np.int64)
    return [int(move) for move in moves[: core.find_moves(state, moves)]]


def play_both(position: Position, actions: Sequence[Action]) -> Iterator[Both]:
    """Yield the positions of each round while tricks are played and trump tiles turned, in both forms."""
    state = None
    for action in actions:
        if position.stage in {Stage.TRUMP, Stage.PLAY} and state is None:
            state = read_whole(position)
        if state is not None:
            yield Both(position, state)
        before, position = position, position.apply(action).position
        if isinstance(action, Pass) or state is None:
            continue
        if not isinstance(action, Flip | Play):
            return
        core.play(state, move_of(action))
        if len(position.rounds) != len(before.rounds):
            result = position.rounds[-1]
            assert core.is_round_over(state)
            assert tuple(state[core.TRICKS : core.TRICKS + 2]) == result.tricks
            assert tuple(state[core.STARS : core.STARS + 2]) == result.stars
            state = None


# What a state has once for the whole round, or that means nothing in some stages.
IGNORED = {core.LEAD_SIDE}


def differences(both: Both) -> list[tuple[int, int, int]]:
    """Return where the core's state differs from one that is read again: the index and both numbers."""
    expected = read_whole(both.position)
    return [
        (index, int(both.state[index]), int(expected[index]))
        for index in range(core.PILES)
        if index not in IGNORED and both.state[index] != expected[index]
    ]
