"""The search, applied to positions of the rules' engine: what each action is worth, and which is best."""

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.compiled.functions import new_random_state
from games.compiled.time_limit import TimeLimit
from games.novaluna.bots.search import beam, solo, tree
from games.novaluna.bots.search.policy import REFILL_BELOW, find_places, new_places
from games.novaluna.bots.search.reading import Reading, read
from games.novaluna.bots.search.state import WHEEL
from games.novaluna.bots.search.tiles import CODES
from games.novaluna.bots.search.weights import policy_for, policy_named
from games.novaluna.bots.worth import Chance, Score, Worth
from games.novaluna.engine import Place, Position, Refill, RefillRule, SoloPosition
from games.titles.bots import Budget

# Rollouts between two checks of the time: 5 ms for two seats, 22 ms for four.
ROLLOUTS_PER_CHECK = 96
MOST_NODES = 400_000
# An expected line goes on as long as the search has visited its next action this often.
VISITS_TO_EXPECT = 50
# A beginner gets this many chances, not one, to notice a turn that covers a goal.
CHANCES_TO_NOTICE_GOALS = 3
# A beginner always notices a turn that covers this many goals, or that wins.
STRIKING_GOALS = 3


class Effort(NamedTuple):
    """How hard a level searches, in games with others and in solo games."""

    tree: tree.Settings
    rollouts: int
    seconds: float  # of processor time, see `TimeLimit`
    solo: solo.Settings
    refill_trials: int  # refills that a solo search tries in total; it has no rollouts
    # The search ends when the best action leads by more than this share of the remaining rollouts. With 1,
    # they cannot change the choice. With less, they probably would not change it.
    decisive_lead: float = 1.0

    def with_budget(self, budget: Budget | None) -> "Effort":
        """Return this effort with the limits of a budget; refill trials scale with the rollouts."""
        if budget is None:
            return self
        seconds, rollouts = self.seconds, self.rollouts
        if budget.rollouts is not None:
            rollouts = budget.rollouts
            seconds = math.inf
        if budget.seconds is not None:
            seconds = budget.seconds
        scale = rollouts / self.rollouts
        trials = max(1, round(self.refill_trials * scale))
        return self._replace(rollouts=rollouts, seconds=seconds, refill_trials=trials)


class Estimate(NamedTuple):
    """An action, its worth to the seat that acts, and how often the search visited it."""

    action: Place | Refill
    worth: Worth
    visits: int


def choose_by_policy(position: Position, rng: random.Random, share_noticed: float = 1.0) -> Place | Refill:
    """Return the action with the highest value by the policy, among the turns that the bot notices.

    `share_noticed` is the chance to notice a turn that covers no goal.
    """
    assert position.to_move is not None
    if position.refill is RefillRule.FORCED:
        return Refill(position.to_move)
    reading, policy, places = read(position), policy_for(position), new_places()
    count = find_places(reading.state, policy, places)
    goals = [int(covered) for covered in places.goals[:count]]
    turns: Sequence[int] = range(count)
    if share_noticed < 1:
        turns = _turns_noticed(goals, position.discs[position.to_move], share_noticed, rng)
    best = max(turns, key=lambda i: (places.value[i], rng.random()))
    if position.refill is RefillRule.ALLOWED and places.value[best] < policy.weights[REFILL_BELOW]:
        return Refill(position.to_move)
    return _action(reading, position.to_move, int(places.space[best]), int(places.cell[best]))


def _turns_noticed(
    goals: Sequence[int], discs: int, share_noticed: float, rng: random.Random
) -> Sequence[int]:
    """Return the indices of the turns that a beginner notices: at least one.

    `goals` has the number of goals that each turn covers, `discs` is how many discs the beginner has left.
    """
    striking = [i for i, covered in enumerate(goals) if covered >= min(STRIKING_GOALS, discs)]
    if striking:
        return striking
    share_missed = 1.0 - share_noticed
    chances_to_miss = [share_missed ** (CHANCES_TO_NOTICE_GOALS if covered else 1) for covered in goals]
    noticed = [i for i, chance in enumerate(chances_to_miss) if rng.random() >= chance]
    return noticed or range(len(goals))


def estimate_actions(position: Position, rng: random.Random, effort: Effort) -> list[Estimate]:
    """Return estimates of the actions that the search visited, best first.

    Raises TooLarge if a display does not fit on the search's grid.
    """
    if isinstance(position, SoloPosition):
        return _estimate_solo_actions(position, rng, effort)
    seat = position.to_move
    assert seat is not None
    reading = read(position)
    search = _grow_tree(reading, position, rng, effort)
    if not search.branches:
        return [Estimate(Refill(seat), Chance(search.chance(seat, 0)), int(search.tree.visits[0]))]
    return [
        Estimate(
            _action(reading, seat, int(search.tree.space[node]), int(search.tree.cell[node])),
            Chance(search.chance(seat, node)),
            int(search.tree.visits[node]),
        )
        for node in search.branches
        if search.tree.visits[node]
    ]


def evaluate_position(position: Position, seat: int, rng: random.Random, effort: Effort) -> Worth:
    """Return the worth of a position to a seat, which need not be the one to move.

    If the game is over, the worth is its result. Raises TooLarge as `estimate_actions` does.
    """
    return evaluate_for_all(position, rng, effort)[seat]


def evaluate_for_all(position: Position, rng: random.Random, effort: Effort) -> Sequence[Worth]:
    """Return the worth of a position to each seat.

    If the game is over, the worth is its result. Raises TooLarge as `estimate_actions` does.
    """
    if isinstance(position, SoloPosition):
        if position.over:
            return [Score(float(position.score_so_far))]
        return [_estimate_solo_actions(position, rng, effort)[0].worth]
    seats = range(position.seats)
    if position.over:
        return [Chance(float(position.state()["winner"] == seat)) for seat in seats]
    search = _grow_tree(read(position), position, rng, effort)
    node = (search.branches or [0])[0]
    return [Chance(search.chance(seat, node)) for seat in seats]


def expect_line(position: Position, rng: random.Random, effort: Effort, length: int) -> list[Place | Refill]:
    """Return the next actions that the search expects of all seats, at most `length`.

    The line ends with a refill, because nobody knows the tiles after it, and before actions that the search
    has hardly visited. It is empty if the game is over. Raises TooLarge as `estimate_actions` does.
    """
    if isinstance(position, SoloPosition):
        return _expect_solo_line(position, rng, effort, length)
    line: list[Place | Refill] = []
    if position.over:
        return line
    reading = read(position)
    tree, node = _grow_tree(reading, position, rng, effort).tree, 0
    while len(line) < length and tree.count[node]:
        branches = range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))
        node = max(branches, key=lambda branch: int(tree.visits[branch]))
        if tree.visits[node] < VISITS_TO_EXPECT:
            break
        seat, space, cell = (int(column[node]) for column in (tree.seat, tree.space, tree.cell))
        line.append(_action(reading, seat, space, cell))
    return line


def _expect_solo_line(
    position: SoloPosition, rng: random.Random, effort: Effort, length: int
) -> list[Place | Refill]:
    line: list[Place | Refill] = []
    after: Position = position
    while isinstance(after, SoloPosition) and len(line) < length and not after.over:
        action = _estimate_solo_actions(after, rng, effort)[0].action
        line.append(action)
        if isinstance(action, Refill):
            break
        after = after.apply(action).position
    return line


def _grow_tree(reading: Reading, position: Position, rng: random.Random, effort: Effort) -> tree.Search:
    """Return a search that has run until its budget was spent or its choice was decided."""
    nodes = min(MOST_NODES, 1000 + effort.rollouts * (effort.tree.branches + 1))
    random_state = new_random_state(rng.getrandbits(64))
    search = tree.Search(reading.state, effort.tree, policy_for(position), random_state, nodes)
    limit = TimeLimit(effort.seconds)
    done = 0
    while done < effort.rollouts:
        search.grow(min(ROLLOUTS_PER_CHECK, effort.rollouts - done))
        done += ROLLOUTS_PER_CHECK
        spent = limit.share_spent()
        if spent >= 1:
            break
        rollouts_within_time = done * (1 - spent) / spent if spent else math.inf
        still_to_come = min(effort.rollouts - done, rollouts_within_time)
        if search.is_decided(effort.decisive_lead * still_to_come):
            break
    return search


def _estimate_solo_actions(position: SoloPosition, rng: random.Random, effort: Effort) -> list[Estimate]:
    reading, policy = read(position), policy_for(position)
    if position.phase == 2:
        width = effort.solo.phase_2_width
        score, space, cell = beam.search_phase_2(reading.state, width, policy, beam.new_workspace(width))
        return [Estimate(_action(reading, 0, int(space), int(cell)), Score(float(score)), width)]
    search = solo.Search(reading.state, effort.solo, policy, policy_named("phase 2"), rng.getrandbits(32))
    limit = TimeLimit(effort.seconds)
    for trials in _trials(search, effort.refill_trials):
        search.try_refills(trials)
        if limit.share_spent() >= 1:
            break
    return [
        Estimate(_action(reading, 0, option.space, option.cell), Score(option.score), option.trials)
        for option in search.options
    ]


def _trials(search: solo.Search, trials: int) -> Iterator[int]:
    """Yield how many refills to try next on each remaining end of phase 1; drop the worse ends every round.

    `trials` is the total, divided equally among the rounds.
    """
    rounds = 1
    ends = search.ends_left
    while ends > 2:
        ends = max(2, ends // 3)
        rounds += 1
    for _ in range(rounds):
        for _ in range(max(1, trials // rounds // search.ends_left)):
            yield 1
        search.drop_worse_ends()


def _action(reading: Reading, seat: int, space: int, grid_cell: int) -> Place | Refill:
    if space == tree.REFILL:
        return Refill(seat)
    cell = reading.cell(seat, grid_cell)
    return Place(seat, CODES[reading.state.n[WHEEL + space]], cell.x, cell.y)
