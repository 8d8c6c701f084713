"""How the levels think: by the policy alone, or by trials within limits."""

import math
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import new_random_state
from games.compiled.time_limit import TimeLimit
from games.lunar.bots.choosing import best_of
from games.lunar.bots.reading import action_of, pass_of, read, table_of, worth_of
from games.lunar.bots.search.odds import new_odds
from games.lunar.bots.search.policy import choose_passes, new_values, value_moves, value_passes
from games.lunar.bots.search.rounds import is_late, new_room
from games.lunar.bots.search.stakes import new_stakes
from games.lunar.bots.search.state import CARDS, FIRST_SUIT, HANDS, MOST_MOVES, NONE, STARS, find_moves
from games.lunar.bots.search.trials import Knowledge, knows_all, try_moves, try_passes
from games.lunar.bots.search.weights import open_weights_for, weights_for
from games.lunar.engine import Action, Position, Stage
from games.titles.bots import Budget

LATE_SHARE = 3  # how much longer late rounds for two take
LEAST_ROUNDS_A_PASS = 16  # with fewer in all, fewer passes are tried


class Effort(NamedTuple):
    """How hard a level searches: until one of its limits is reached.

    `seconds` are of processor time (`TimeLimit`), `rollouts` are rounds that are played to their end.
    """

    rollouts: int
    seconds: float
    passes: int  # how many passes are tried, of those that the policy likes most

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
    knowledge, values, weights = read(position, seat), new_values(), weights_for(position.seats)
    state = knowledge.state
    if position.stage is Stage.PASSING:
        if share_noticed < 1:
            return pass_of(knowledge, rng.choice(_likely_passes(knowledge, values)))
        passed = np.full(4, NONE, np.int64)
        choose_passes(state, weights, seat, values, passed)
        return pass_of(knowledge, passed)
    moves, worth = _legal_moves(state), worth_of(position.setup.points)
    value_moves(state, worth, weights, moves, len(moves), values, new_odds())
    noticed = [i for i in range(len(moves)) if rng.random() < share_noticed] or range(len(moves))
    best = max(noticed, key=lambda i: (values[i], rng.random()))
    return action_of(knowledge, int(moves[best]))


def search(position: Position, seat: int, rng: Random, effort: Effort) -> Action:
    """Return the action that does best in trials."""
    limit = TimeLimit(effort.seconds)

    def has_time() -> bool:
        return limit.share_spent() < 1

    forced = position.forced(seat)
    if forced is not None:
        return forced
    knowledge, table = read(position, seat), table_of(position)
    stakes = new_stakes(table, open_weights_for(position.seats), knowledge.state[STARS : STARS + 2])
    random, room = new_random_state(rng.getrandbits(64)), new_room()
    if position.stage is Stage.PASSING:
        policy = weights_for(position.seats)
        value_passes(knowledge.state, policy, seat, room.values)
        most = max(1, min(effort.passes, effort.rollouts // LEAST_ROUNDS_A_PASS))
        passes = np.array(_likely_passes(knowledge, room.values)[:most], np.int64)

        def attempt(is_left: Any, totals: Any, guesses: int) -> None:
            try_passes(knowledge, table, stakes, policy, passes, is_left, totals, guesses, random, room)

        best = best_of(len(passes), effort.rollouts, has_time, attempt)
        return pass_of(knowledge, passes[best])
    moves = _legal_moves(knowledge.state)

    def attempt_moves(is_left: Any, totals: Any, guesses: int) -> None:
        try_moves(knowledge, table, stakes, moves, is_left, totals, guesses, random, room)

    best = best_of(len(moves), _rounds(knowledge.state, effort.rollouts), has_time, attempt_moves)
    return action_of(knowledge, int(moves[best]))


def _rounds(state: Any, rollouts: int) -> int:
    """Return how many rounds to play: fewer if they take long, and few if all guesses are the same."""
    if knows_all(state):
        return 1
    return rollouts // LATE_SHARE if is_late(state) else rollouts


def _legal_moves(state: Any) -> Any:
    moves = np.zeros(MOST_MOVES, np.int64)
    return moves[: find_moves(state, moves)]


def _likely_passes(knowledge: Knowledge, values: Any) -> list[tuple[int, ...]]:
    """Return all different passes, those that the policy likes most first."""
    hand = knowledge.state[HANDS + CARDS * knowledge.seat : HANDS + CARDS * (knowledge.seat + 1)]
    cards = [card for card in range(CARDS) for _ in range(hand[card])]
    ranks = {*combinations([card for card in cards if card < FIRST_SUIT], 2)}
    suits = {*combinations([card for card in cards if card >= FIRST_SUIT], 2)}
    found = [(*two, *others) for two, others in product(sorted(ranks), sorted(suits))]
    return sorted(found, key=lambda cards: -sum(values[card] for card in cards))
