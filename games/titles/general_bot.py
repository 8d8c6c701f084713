"""A bot for every title that has only rules: it searches over `guess`, `legal` and `apply` of a position.

The search is an information set Monte Carlo tree search with a tree for each seat (MO-ISMCTS): P. I. Cowling,
E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on Computational
Intelligence and AI in Games 4 (2), 2012, pages 120-143, doi:10.1109/TCIAIG.2012.2200894. Each iteration

- draws a whole position that fits what the seat knows;
- descends all trees together, each along what its seat sees of the steps. So nobody in the search acts on
  what is hidden from them: neither the hands of others, nor choices that are made at the same time;
- plays the rest of the game at random, and adds the result of each seat to its own tree.

Nodes widen with their visits, because hundreds of actions cannot all be tried (progressive widening: R.
Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", ICGA Journal 30 (4), 2007).
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Generic

from games.titles.bots import Budget, Level
from games.titles.rules import Action, AnyPosition, Position, Step

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """How long a search goes on: until either limit is reached.

    `seconds` are of the thread's processor time. Only with a search that `iterations` end is the choice
    reproducible.
    """

    seconds: float
    iterations: int

    def within(self, budget: Budget | None) -> Limits:
        """Return these limits, or those of a budget."""
        if budget is None:
            return self
        free = self.seconds if budget.rollouts is None else math.inf
        return Limits(budget.seconds or free, budget.rollouts or self.iterations)


LEVELS: Mapping[str, Limits] = {
    "easy": Limits(0.05, 40),
    "medium": Limits(0.3, 400),
    "hard": Limits(1.5, 4000),
}
RANDOM = "random"

EXPLORATION = 0.7  # how much seldom tried actions are preferred, as in the paper
WIDTH = 8  # the number of actions that a node tries before it widens
WIDENING = 1.5  # further actions are tried up to this many times the root of the node's visits
LONGEST_PLAY = 400  # steps after which an unfinished game counts as a draw

DRAW = 0.5

# What the end of a game is worth to a seat: more is better, on any scale.
Worth = Callable[[AnyPosition, int], float]


@dataclass(frozen=True)
class GeneralBots:
    """The bots of a title that has none of its own: three levels, by budget.

    Places say what a result is worth, unless the title has a `worth`. A game for one player has no places, so
    there the bots need it: a function of a module, because bots are pickled.
    """

    worth: Worth | None = None

    # How strong a level is depends on the title. One that has measured it can say so in a subclass.
    levels = MappingProxyType(
        {"easy": Level(1350, is_quick=True), "medium": Level(1500), "hard": Level(1650)}
    )

    references = (RANDOM,)

    def choose(
        self,
        position: Position[Action],
        seat: int,
        level: str,
        rng: Random,
        budget: Budget | None = None,
    ) -> Action:
        """Return the action of a level, as the function `choose` does, or a random one."""
        if level == RANDOM:
            return self.choose_without_search(position, seat, rng)
        return choose(position, seat, level, rng, worth=self.worth, budget=budget)

    def choose_without_search(self, position: Position[Action], seat: int, rng: Random) -> Action:
        """Return a random legal action of an awaited seat."""
        return rng.choice(_choices(position, seat))

    seconds_to_compile = 0.0

    def compile(self) -> Iterator[float]:
        """Do nothing: the search is plain Python."""
        return iter(())

    def warm_up(self) -> None:
        """Do nothing, too."""


GENERAL_BOTS = GeneralBots()


def choose(
    position: Position[Action],
    seat: int,
    level: str,
    rng: Random,
    clock: Callable[[], float] = time.thread_time,
    worth: Worth | None = None,
    budget: Budget | None = None,
) -> Action:
    """Return a legal action of an awaited seat, chosen within the limits of a level, or a budget.

    The bot uses only what this seat sees of the position. An action without alternative is returned without a
    search. Raises ValueError if the seat is not awaited, and in a game for one player without `worth`.
    """
    limits = LEVELS[level].within(budget)
    seen = position.seen_by(seat)
    legal = _choices(seen, seat)
    if len(legal) == 1:
        return legal[0]
    if seen.seats == 1 and worth is None:
        raise ValueError(
            "A game for one player has no places, so the general bot cannot tell which end is better. "
            "Register the title with GeneralBots(worth=…)."
        )
    search = _Search(seen, seat, rng, worth)
    end = clock() + limits.seconds
    for _ in range(limits.iterations):
        try:
            search.iterate(seen.guess(seat, rng))
        except Exception:
            # The conformance suite finds such a title. A weak move is better than a game that waits for ever.
            logger.exception("The general bot cannot search, because a guess does not follow the rules.")
            break
        if clock() >= end:
            break
    return search.best_of(legal)


@dataclass(slots=True)
class _Arm:
    """What is known of one action: how often it was legal, how often chosen, and the sum of its results."""

    available: int = 0
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits


@dataclass(slots=True)
class _Node(Generic[Action]):
    """All positions that a seat cannot tell apart, with its actions and what it can see next."""

    visits: int = 0
    arms: dict[Action, _Arm] = field(default_factory=dict)
    following: dict[Hashable, _Node[Action]] = field(default_factory=dict)


class _Search(Generic[Action]):
    """The trees of all seats, which grow with each iteration."""

    def __init__(self, seen: Position[Action], seat: int, rng: Random, worth: Worth | None = None) -> None:
        self.seat = seat
        self.seats = seen.seats
        self.rng = rng
        self.worth = worth
        # The range of the results so far, because exploration is for results from 0 to 1.
        self.lowest, self.highest = (0.0, 1.0) if worth is None else (math.inf, -math.inf)
        self.roots: list[_Node[Action]] = [_Node() for _ in range(self.seats)]

    @property
    def root(self) -> _Node[Action]:
        """The node from which the seat of the bot chooses."""
        return self.roots[self.seat]

    def best_of(self, legal: Sequence[Action]) -> Action:
        """Return the legal action that was chosen most often; if none was, a random one."""
        arms = self.root.arms
        tried = [action for action in legal if action in arms]
        if not tried:
            return self.rng.choice(legal)
        return max(tried, key=lambda action: (arms[action].visits, arms[action].total))

    def iterate(self, position: Position[Action]) -> None:
        """Play a whole position to its end, and add what followed to the trees."""
        # A seat without a node has left its tree, and plays at random.
        nodes: dict[int, _Node[Action]] = dict(enumerate(self.roots))
        chosen: list[tuple[int, _Arm]] = []
        for _ in range(LONGEST_PLAY):
            if not position.awaited:
                break
            # Which of several awaited seats is first does not matter, but trees stay smaller if it is fixed.
            # The bot is first, because it acts now.
            seat = min(position.awaited, key=self._turns_away)
            legal = _listed(position.legal(seat))
            node = nodes.get(seat)
            if node is None:
                action = self.rng.choice(legal)
            else:
                action, is_new = self._selected(node, legal)
                chosen.append((seat, node.arms[action]))
                if is_new:
                    del nodes[seat]
            step = position.apply(action)
            for viewer, node in nodes.items():
                nodes[viewer] = node.following.setdefault(_sight(step, viewer), _Node())
            position = step.position
        results = [self._result(position, seat) for seat in range(self.seats)]
        self.lowest, self.highest = min(self.lowest, *results), max(self.highest, *results)
        for seat, arm in chosen:
            arm.visits += 1
            arm.total += results[seat]

    def _result(self, position: Position[Action], seat: int) -> float:
        if self.worth is None:
            return result(position.places, seat)
        return self.worth(position, seat)

    def _turns_away(self, seat: int) -> int:
        return (seat - self.seat) % self.seats

    def _selected(self, node: _Node[Action], legal: Sequence[Action]) -> tuple[Action, bool]:
        """Return the action to try in a node, and whether it is tried for the first time."""
        arms = node.arms
        tried = [action for action in legal if action in arms]
        for action in tried:
            arms[action].available += 1
        node.visits += 1
        widest = max(WIDTH, WIDENING * math.sqrt(node.visits))
        if len(tried) < min(len(legal), widest):
            action = self.rng.choice([action for action in legal if action not in arms])
            arms[action] = _Arm(available=1)
            return action, True
        return max(tried, key=lambda action: self._upper_bound(arms[action])), False

    def _upper_bound(self, arm: _Arm) -> float:
        """Return the mean of an action, and more for one that was seldom chosen when it was legal (UCB1)."""
        mean = (arm.mean - self.lowest) / ((self.highest - self.lowest) or 1.0)
        return mean + EXPLORATION * math.sqrt(math.log(arm.available) / arm.visits)


def result(places: Sequence[int], seat: int) -> float:
    """Return the share of the other seats that are placed below a seat; those that are level count half.

    Without places, and for a single seat, it is a draw.

    >>> [result((1, 3, 1, 3), seat) for seat in range(4)] == [5 / 6, 1 / 6, 5 / 6, 1 / 6]
    True
    """
    if len(places) < 2:
        return DRAW
    below = sum(place > places[seat] for place in places)
    level = sum(place == places[seat] for place in places) - 1
    return (below + level / 2) / (len(places) - 1)


def _sight(step: Step[Action], seat: int) -> Hashable:
    """Return what a seat sees of a step."""
    seen = step.seen_by(seat)
    return seen.seat, seen.action, seen.events


def _choices(position: Position[Action], seat: int) -> Sequence[Action]:
    """Return the legal actions of an awaited seat; only one, if it is forced. Raises ValueError."""
    forced = position.forced(seat)
    if forced is not None:
        return [forced]
    legal = _listed(position.legal(seat))
    if not legal:
        raise ValueError(f"Seat {seat} is not awaited.")
    return legal


def _listed(legal: Collection[Action]) -> Sequence[Action]:
    """Return actions in an order that is the same in each process."""
    return sorted(legal, key=repr) if isinstance(legal, Set) else list(legal)
