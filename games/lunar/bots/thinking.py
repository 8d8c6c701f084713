"""How the levels think: by the policy alone, or by a search within limits."""

import math
import time
from collections.abc import Callable
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import new_random_state
from games.lunar.bots.reading import Reading, action_of, pass_of, read, table_of, worth_of
from games.lunar.bots.search.playing import new_room
from games.lunar.bots.search.policy import choose_passes, value_moves, value_passes
from games.lunar.bots.search.state import CARDS, FIRST_SUIT, HANDS, find_moves
from games.lunar.bots.search.tree import Search, Settings, Table
from games.lunar.bots.search.weights import weights_for
from games.lunar.engine import Action, Pass, Position, Stage
from games.titles.bots import Budget

# Rounds between two checks of the clock: about 5 ms.
ROUNDS_PER_CHECK = 64
# Rounds that the choice of a pass plays. These are whole rounds, so fewer fit into the time than later.
MOST_ROUNDS_FOR_PASSES = 12_000
LEAST_ROUNDS_A_PASS = 16  # with fewer in all, fewer passes are tried
MOST_NODES = 100_000  # 20 MB; a tree that is full goes on to count results
# How the tree for each number of seats is searched.
SETTINGS = {
    2: Settings(exploration=0.5, temperature=1.0, margin=0.005),
    4: Settings(exploration=1.0, temperature=1.0, margin=0.005),
}


class Effort(NamedTuple):
    """How hard a level searches: until one of its limits is reached, or until its choice is decided.

    `seconds` are of the thread's processor time, `rollouts` are rounds that are played to their end.
    """

    rollouts: int
    seconds: float
    passes: int  # how many passes are tried, of those that the policy likes most
    decisive_lead: float = 1.0  # the share of the remaining rollouts by which the best move must lead

    def within(self, budget: Budget | None) -> "Effort":
        """Return this effort with the limits of a budget."""
        if budget is None:
            return self
        free = self.seconds if budget.rollouts is None else math.inf
        return self._replace(
            rollouts=budget.rollouts or self.rollouts,
            seconds=free if budget.seconds is None else budget.seconds,
        )


def choose_by_policy(position: Position, seat: int, rng: Random, share_noticed: float = 1.0) -> Action:
    """Return the best action by the policy, of those that the bot notices: each with this chance."""
    reading, room = read(position, seat), new_room()
    values, weights = room.values, weights_for(position.seats)
    if position.stage is Stage.PASSING:
        if share_noticed < 1:
            return pass_of(reading, rng.choice(_likely_passes(reading, values)))
        passed = room.passed[seat]  # NONE so far
        choose_passes(reading.state, weights, seat, values, passed)
        return pass_of(reading, passed)
    count = find_moves(reading.state, room.moves)
    worth = worth_of(position.setup.points)
    value_moves(reading.state, worth, weights, room.moves, count, values, room.odds)
    noticed = [i for i in range(count) if rng.random() < share_noticed] or range(count)
    best = max(noticed, key=lambda i: (values[i], rng.random()))
    return action_of(reading, int(room.moves[best]))


def search(
    position: Position,
    seat: int,
    rng: Random,
    effort: Effort,
    clock: Callable[[], float] = time.thread_time,
) -> Action:
    """Return the action that a search finds best."""
    end = clock() + effort.seconds
    forced = position.forced(seat)
    if forced is not None:
        return forced
    reading = read(position, seat)
    random = new_random_state(rng.getrandbits(64))
    if position.stage is Stage.PASSING:
        return _search_passes(reading, table_of(position), random, effort, lambda: clock() < end)
    table, settings = table_of(position), SETTINGS[position.seats]
    nodes = min(MOST_NODES, effort.rollouts + 1)
    search = Search(reading.state, reading.known, seat, table, settings, random, nodes)
    done = 0
    began = clock()
    while done < effort.rollouts:
        search.grow(min(ROUNDS_PER_CHECK, effort.rollouts - done))
        done += ROUNDS_PER_CHECK
        now = clock()
        if now >= end:
            break
        within_time = (end - now) * done / max(now - began, 1e-6)
        left = min(effort.rollouts - done, within_time)
        if is_decided(search.visits, effort.decisive_lead * left):
            break
    visits = search.visits
    return action_of(reading, max(visits, key=lambda move: (visits[move], -move)))


def is_decided(visits: dict[int, int], lead: float) -> bool:
    """Return whether the move that was visited most leads by more than this."""
    first, *others = sorted(visits.values(), reverse=True)
    return not others or first - others[0] > lead


def _search_passes(
    reading: Reading, table: Table, random: Any, effort: Effort, has_time: Callable[[], bool]
) -> Pass:
    """Return the best of the passes that the policy likes most: the worse half leaves every round."""
    room = new_room()
    value_passes(reading.state, table.weights[0], reading.seat, room.values)
    rollouts = min(effort.rollouts, MOST_ROUNDS_FOR_PASSES)
    tried_first = max(1, min(effort.passes, rollouts // LEAST_ROUNDS_A_PASS))
    passes = np.array(_likely_passes(reading, room.values)[:tried_first], np.int64)
    search = Search(reading.state, reading.known, reading.seat, table, SETTINGS[4], random, 2)
    totals, is_left = np.zeros(len(passes)), np.ones(len(passes), np.bool_)
    rounds = max(1, math.ceil(math.log2(len(passes))))
    for number in range(rounds):
        left = int(is_left.sum())
        guesses = max(1, rollouts // (rounds * left))
        while guesses > 0 and has_time():
            tried = min(guesses, max(1, ROUNDS_PER_CHECK // left))
            search.try_passes(passes, is_left, totals, tried)
            guesses -= tried
        ranked = np.argsort(np.where(is_left, totals, -np.inf), kind="stable")
        is_left[ranked[: len(passes) - (left + 1) // 2]] = False
        if not has_time() or number == rounds - 1:
            break
    return pass_of(reading, passes[int(np.argmax(np.where(is_left, totals, -np.inf)))])


def _likely_passes(reading: Reading, values: Any) -> list[tuple[int, ...]]:
    """Return all different passes, those that the policy likes most first."""
    hand = reading.state[HANDS + CARDS * reading.seat : HANDS + CARDS * (reading.seat + 1)]
    cards = [card for card in range(CARDS) for _ in range(hand[card])]
    ranks = {*combinations([card for card in cards if card < FIRST_SUIT], 2)}
    suits = {*combinations([card for card in cards if card >= FIRST_SUIT], 2)}
    found = [(*two, *others) for two, others in product(sorted(ranks), sorted(suits))]
    return sorted(found, key=lambda cards: -sum(values[card] for card in cards))
