"""What the search thinks of a position of the rules' engine: its actions, each with what it is worth."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.bots.search import alone, beam, tree
from games.bots.search.compiled import seeded
from games.bots.search.policy import REFILL_BELOW, find_places, new_places
from games.bots.search.reading import Reading, read
from games.bots.search.state import WHEEL
from games.bots.search.tiles import CODES
from games.bots.search.weights import policy_for, policy_named
from games.engine import Place, Position, Refill, RefillRule, SoloPosition

# Games played out between two looks at the clock: about 10 ms.
CHUNK = 96
MOST_NODES = 400_000
LOOKS_FOR_GOALS = 3
# A turn that covers this many goals at once, or wins, is what a beginner jumps at.
MANY_GOALS = 3


@dataclass(frozen=True)
class Budget:
    """How long a search may take; what is not given is the level's own.

    With `rollouts` alone, answers repeat.
    """

    seconds: float | None = None
    rollouts: int | None = None


class Effort(NamedTuple):
    """How hard a level thinks: with others, and alone."""

    tree: tree.Settings
    rollouts: int
    seconds: float
    alone: alone.Settings
    tries: int  # refills that are tried, all in all, in the place of rollouts
    # A choice is made once it leads by this share of the games still to come: with 1 they cannot change it,
    # with less they hardly would.
    lead: float = 1.0

    def within(self, budget: Budget | None) -> "Effort":
        """Return this effort with the bounds that are given."""
        if budget is None:
            return self
        seconds, rollouts = self.seconds, self.rollouts
        if budget.rollouts is not None:
            rollouts = budget.rollouts
            seconds = float("inf")
        if budget.seconds is not None:
            seconds = budget.seconds
        scale = rollouts / self.rollouts
        return self._replace(rollouts=rollouts, seconds=seconds, tries=max(1, round(self.tries * scale)))


class Estimate(NamedTuple):
    """An action, what it is worth to its seat, and how often it was looked at.

    `value` is the chance to win from 0 to 1; alone, the score that it is expected to lead to: the less, the
    better.
    """

    action: Place | Refill
    value: float
    visits: int


def by_policy(position: Position, rng: random.Random, sight: float = 1.0) -> Place | Refill:
    """Return the action that the policy values most, of those that are seen: each with the chance `sight`."""
    assert position.to_move is not None
    if position.refill is RefillRule.FORCED:
        return Refill(position.to_move)
    reading, policy, places = read(position), policy_for(position), new_places()
    count = find_places(reading.state, policy, places)
    goals = [int(covered) for covered in places.goals[:count]]
    seen = range(count) if sight >= 1 else _seen(goals, position.discs[position.to_move], sight, rng)
    best = max(seen, key=lambda i: (places.value[i], rng.random()))
    if position.refill is RefillRule.ALLOWED and places.value[best] < policy.weights[REFILL_BELOW]:
        return Refill(position.to_move)
    return _action(reading, position.to_move, int(places.space[best]), int(places.cell[best]))


def _seen(goals: Sequence[int], discs: int, sight: float, rng: random.Random) -> Sequence[int]:
    """Return what a beginner with `discs` left sees of turns that cover so many goals each: at least one.

    What completes goals is what everybody looks for: it is seen sooner.
    """
    striking = [i for i, covered in enumerate(goals) if covered >= min(MANY_GOALS, discs)]
    overlooked = [(1.0 - sight) ** (LOOKS_FOR_GOALS if covered else 1) for covered in goals]
    return (
        striking or [i for i, missed in enumerate(overlooked) if rng.random() >= missed] or range(len(goals))
    )


def think(position: Position, rng: random.Random, effort: Effort) -> list[Estimate]:
    """Return the estimates of the actions that the search looked at, best first.

    Raises TooLarge where a display does not fit on the search's grid.
    """
    if isinstance(position, SoloPosition):
        return _think_alone(position, rng, effort)
    seat = position.to_move
    assert seat is not None
    reading = read(position)
    found = _grown(reading, position, rng, effort)
    if not found.branches:
        return [Estimate(Refill(seat), found.chance(seat, 0), int(found.tree.visits[0]))]
    return [
        Estimate(
            _action(reading, seat, int(found.tree.space[node]), int(found.tree.cell[node])),
            found.chance(seat, node),
            int(found.tree.visits[node]),
        )
        for node in found.branches
        if found.tree.visits[node]
    ]


def worth(position: Position, seat: int, rng: random.Random, effort: Effort) -> float:
    """Return the chance of a seat to win, whoever is to move; alone, the score to expect.

    Of a game that is over, 1 or 0, or its score. Raises TooLarge as `think` does.
    """
    if isinstance(position, SoloPosition):
        return float(position.score_so_far) if position.over else _think_alone(position, rng, effort)[0].value
    if position.over:
        return float(position.state()["winner"] == seat)
    found = _grown(read(position), position, rng, effort)
    return found.chance(seat, (found.branches or [0])[0])


def _grown(reading: Reading, position: Position, rng: random.Random, effort: Effort) -> tree.Search:
    """Return a tree that has grown for as long as it may, or until its choice is made."""
    nodes = min(MOST_NODES, 1000 + effort.rollouts * (effort.tree.branches + 1))
    random_numbers = seeded(rng.getrandbits(64))
    search = tree.Search(reading.state, effort.tree, policy_for(position), random_numbers, nodes)
    began = time.perf_counter()
    done = 0
    while done < effort.rollouts:
        search.grow(min(CHUNK, effort.rollouts - done))
        done += CHUNK
        passed = time.perf_counter() - began
        if passed >= effort.seconds:
            break
        within_time = (effort.seconds - passed) * done / passed
        if search.is_decided(effort.lead * min(effort.rollouts - done, within_time)):
            break
    return search


def _think_alone(position: SoloPosition, rng: random.Random, effort: Effort) -> list[Estimate]:
    reading, policy = read(position), policy_for(position)
    if position.phase == 2:
        width = effort.alone.finish_width
        score, space, cell = beam.finish(reading.state, width, policy, beam.new_room(width))
        return [Estimate(_action(reading, 0, int(space), int(cell)), float(score), width)]
    search = alone.Search(reading.state, effort.alone, policy, policy_named("phase 2"), rng.getrandbits(32))
    end = time.perf_counter() + effort.seconds
    for tries in _rounds(search, effort.tries):
        search.compare(tries)
        if time.perf_counter() > end:
            break
    return [
        Estimate(_action(reading, 0, option.space, option.cell), option.score, option.tries)
        for option in search.options
    ]


def _rounds(search: alone.Search, tries: int) -> Iterator[int]:
    """Yield how many refills to try on each end, dropping the worse ends after each round."""
    rounds = 1
    ends = search.left
    while ends > 2:
        ends = max(2, ends // 3)
        rounds += 1
    for _ in range(rounds):
        for _ in range(max(1, tries // rounds // search.left)):
            yield 1
        search.drop()


def _action(reading: Reading, seat: int, space: int, at: int) -> Place | Refill:
    if space == tree.REFILL:
        return Refill(seat)
    cell = reading.cell(seat, at)
    return Place(seat, CODES[reading.state.n[WHEEL + space]], cell.x, cell.y)
