"""A tree search over the turns until the next refill, for two to four players.

Until a refill there is no chance, so the tree is exact. A refill is a leaf: from there, the policy plays the
game to its end, on a draw pile that is shuffled for each rollout. Every seat is expected to choose the best
for itself. The policy chooses which turns become branches and in which order they are tried, and supplies
their prior probabilities (PUCT: D. Silver et al., "Mastering the game of Go without human knowledge", 2017).
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.novaluna.bots.search.policy import REFILL_BELOW, Places, Policy, find_places, new_places, play_out
from games.novaluna.bots.search.state import (
    DISCS,
    IN_PLAY,
    MOST_SEATS,
    ON_WHEEL,
    ORDER,
    OVER,
    SEATS,
    State,
    can_refill,
    copy,
    leader,
    new_state,
    place,
    refill,
    shuffle_pile,
    to_move,
)

REFILL = -1  # in the place of a wheel space
UNEXPANDED = -1


class Settings(NamedTuple):
    """How a tree is searched and how wide it is."""

    branches: int  # the most turns of a node that are searched
    root_branches: int  # the same at the root
    exploration: float  # weight of the prior, or of UCB1's bonus, against the results so far
    temperature: float  # of the softmax that turns the policy's values into priors
    margin_share: float  # the part of a result that is the difference in discs; the rest is the win
    uses_priors: bool = True  # true for PUCT; false for UCB1, which uses only the policy's order


class Tree(NamedTuple):
    """Nodes as arrays: for each, the turn that leads to it, its branches, and the results of its visits."""

    space: Any
    cell: Any
    seat: Any  # the seat that chose the turn that leads to the node
    first: Any  # the index of its first branch; the others follow
    count: Any  # of its branches
    prior: Any
    visits: Any
    total: Any  # the sum of each seat's results: [node, seat]
    wins: Any  # the number of visits that each seat has won: [node, seat]
    size: Any  # the number of nodes so far, in an array of one


def new_tree(nodes: int) -> Tree:
    """Return a tree with its root only, and room for this many nodes."""
    return Tree(
        space=np.zeros(nodes, np.int16),
        cell=np.zeros(nodes, np.int16),
        seat=np.zeros(nodes, np.int16),
        first=np.full(nodes, UNEXPANDED, np.int32),
        count=np.zeros(nodes, np.int16),
        prior=np.zeros(nodes, np.float32),
        visits=np.zeros(nodes, np.int32),
        total=np.zeros((nodes, MOST_SEATS)),
        wins=np.zeros((nodes, MOST_SEATS), np.int32),
        size=np.ones(1, np.int64),
    )


@compiled
def expand(tree: Tree, node: int, s: State, settings: Settings, policy: Policy, places: Places) -> None:
    """Add the branches of a node: the best turns by the policy, and a refill if allowed.

    Adds nothing if the tree has no room left.
    """
    count = find_places(s, policy, places)
    most = min(count, settings.root_branches if node == 0 else settings.branches)
    first = tree.size[0]
    if first + most + 1 > len(tree.space):
        return
    seat = to_move(s)
    for i in range(most):
        best = i
        for j in range(i + 1, count):
            if places.value[j] > places.value[best]:
                best = j
        for column in (places.space, places.cell):
            column[i], column[best] = column[best], column[i]
        places.value[i], places.value[best] = places.value[best], places.value[i]
    branches = most
    for i in range(most):
        tree.space[first + i] = places.space[i]
        tree.cell[first + i] = places.cell[i]
    if can_refill(s):
        tree.space[first + most] = REFILL
        places.value[most] = max(places.value[most - 1], policy.weights[REFILL_BELOW])
        branches += 1
    total = 0.0
    for i in range(branches):
        value = np.exp((min(places.value[i], places.value[0]) - places.value[0]) / settings.temperature)
        tree.prior[first + i] = value
        total += value
    for i in range(branches):
        tree.prior[first + i] /= total
        tree.seat[first + i] = seat
        tree.first[first + i] = UNEXPANDED
        tree.visits[first + i] = 0
        tree.wins[first + i, :] = 0
        tree.total[first + i, :] = 0
    tree.first[node] = first
    tree.count[node] = branches
    tree.size[0] = first + branches


@compiled
def choose_branch(tree: Tree, node: int, settings: Settings) -> int:
    """Return the branch with the highest sum of mean result and exploration bonus."""
    first = int(tree.first[node])
    seat = tree.seat[first]
    visited = float(tree.visits[node])
    bonus = settings.exploration * np.sqrt(visited + 1.0)
    untried = tree.total[node, seat] / visited if visited else 0.5
    best = first
    highest = -1.0
    for branch in range(first, first + tree.count[node]):
        visits = tree.visits[branch]
        value = tree.total[branch, seat] / visits if visits else untried
        if settings.uses_priors:
            value += bonus * tree.prior[branch] / (1.0 + visits)
        elif visits == 0:
            return branch
        else:
            value += settings.exploration * np.sqrt(np.log(visited) / visits)
        if value > highest:
            highest = value
            best = branch
    return best


@compiled
def find_results(s: State, margin_share: float, results: Any) -> None:
    """Write to `results` each seat's result of a finished game, from 0 to 1."""
    n = s.n
    winner = leader(s)
    for seat in range(n[SEATS]):
        results[seat] = 0.0
    for i in range(n[IN_PLAY]):
        seat = n[ORDER + i]
        best = 99
        for j in range(n[IN_PLAY]):
            if j != i:
                best = min(best, int(n[DISCS + n[ORDER + j]]))
        ahead = max(-10, min(10, best - n[DISCS + seat]))
        results[seat] = (1.0 - margin_share) * (seat == winner) + margin_share * (0.5 + 0.05 * ahead)


@compiled
def search(
    root: State,
    s: State,
    tree: Tree,
    rollouts: int,
    settings: Settings,
    policy: Policy,
    places: Places,
    random: Any,
) -> None:
    """Grow the tree by this many rollouts, games played to their end; `s` is scratch space."""
    path = np.empty(128, np.int64)
    results = np.zeros(MOST_SEATS)
    for _ in range(rollouts):
        copy(root, s)
        shuffle_pile(s, random)
        node = 0
        path[0] = 0
        depth = 1
        while not s.n[OVER] and s.n[ON_WHEEL]:
            if tree.first[node] == UNEXPANDED:
                if tree.visits[node] == 0 and node:
                    break
                expand(tree, node, s, settings, policy, places)
                if tree.first[node] == UNEXPANDED:
                    break
            node = choose_branch(tree, node, settings)
            path[depth] = node
            depth += 1
            if tree.space[node] == REFILL:
                refill(s)
                break
            place(s, tree.space[node], tree.cell[node])
        play_out(s, policy, places, random)
        find_results(s, settings.margin_share, results)
        winner = leader(s)
        for i in range(depth):
            tree.visits[path[i]] += 1
            tree.wins[path[i], winner] += 1
            for seat in range(MOST_SEATS):
                tree.total[path[i], seat] += results[seat]


class Search:
    """A search of one position, which can be continued."""

    def __init__(self, root: State, settings: Settings, policy: Policy, random: Any, nodes: int) -> None:
        """Start with the root only; `nodes` is the most that the tree may have."""
        self.tree = new_tree(nodes)
        self._root = root
        self._state = new_state(int(root.n[SEATS]))
        self._arguments = (settings, policy, new_places(), random)

    def grow(self, rollouts: int) -> None:
        """Play this many more games to their end."""
        search(self._root, self._state, self.tree, rollouts, *self._arguments)

    @property
    def branches(self) -> list[int]:
        """The root's branches as node indices, most visited first; the prior decides among equals."""
        first, count = int(self.tree.first[0]), int(self.tree.count[0])
        return sorted(
            range(first, first + count), key=lambda node: (-self.tree.visits[node], -self.tree.prior[node])
        )

    def is_decided(self, lead: float) -> bool:
        """Whether the most visited branch leads the next one by more than this many visits."""
        best, *others = self.branches or [0]
        if not others:
            return best != 0
        return bool(self.tree.visits[best] - self.tree.visits[others[0]] > lead)

    def chance(self, seat: int, node: int) -> float:
        """Return the share of a node's visits that the seat has won."""
        return float(self.tree.wins[node, seat] / self.tree.visits[node])
