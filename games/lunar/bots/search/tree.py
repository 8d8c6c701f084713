"""A tree search over guesses of the hidden cards (SO-ISMCTS with the policy's priors).

Each iteration guesses what is hidden, descends the tree along moves that are legal in this guess, adds a
node, and lets the policy play the round to its end. All guesses share one tree, so no choice in it depends on
what is hidden: P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012. Which branch is next follows PUCT (D.
Silver et al., "Mastering the game of Go without human knowledge", 2017), with the visits in which a branch
was legal.

Passes are chosen at the same time and in secret, so they have no tree: all are tried on the same guesses.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.guesses import Known, guess, new_holders
from games.lunar.bots.search.playing import Room, new_room, play_out
from games.lunar.bots.search.policy import choose_passes, pass_cards, value_moves
from games.lunar.bots.search.state import (
    MOST_MOVES,
    NONE,
    PILE_COUNT,
    STARS,
    TRICKS,
    TURN,
    State,
    find_moves,
    is_round_over,
    play,
)

DEEPEST = 64


class Table(NamedTuple):
    """What the results of a round are worth, at the table of a game and with the points before the round."""

    points: Any  # of 0 to 12 tricks
    worth: Any  # of tricks, for the policy
    weights: Any  # of the policy: [2, weight]
    chances: Any  # of side 0 to win the game, by the points of both sides after the round
    before: Any  # the points of both sides before it [2]


class Settings(NamedTuple):
    """How a tree is searched."""

    exploration: float  # weight of the prior against the results so far
    temperature: float  # in points, of the softmax that makes priors of the policy's values
    margin: float  # what a point of the lead in a round is worth, beside the chance to win


class Tree(NamedTuple):
    """Nodes as arrays: for each, its branches by move, its visits and the results for who moved to it."""

    child: Any  # [node, move]
    visits: Any
    legal: Any  # the visits of its parent in which the move to it was legal
    total: Any
    size: Any  # [1]
    path: Any  # the nodes of an iteration
    movers: Any  # the side whose results the root has, and that moved to each of them
    priors: Any
    holders: Any  # room for guesses


def new_tree(nodes: int) -> Tree:
    """Return a tree with its root only, and room for this many nodes."""
    return Tree(
        np.zeros((nodes, MOST_MOVES), np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes),
        np.ones(1, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(MOST_MOVES),
        new_holders(),
    )


@compiled
def worth_of_round(n: State, table: Table, margin: float) -> float:
    """Return what a finished round is worth to side 0."""
    first = table.points[n[TRICKS]] + n[STARS]
    second = table.points[n[TRICKS + 1]] + n[STARS + 1]
    return float(table.chances[table.before[0] + first, table.before[1] + second] + margin * (first - second))


@compiled
def find_priors(n: State, table: Table, temperature: float, room: Room, count: int, priors: Any) -> None:
    """Write the prior of each legal move: a softmax of the policy's values."""
    value_moves(n, table.worth, table.weights[0], room.moves, count, room.values, room.odds)
    highest = room.values[:count].max()
    total = 0.0
    for i in range(count):
        priors[i] = math.exp((room.values[i] - highest) / temperature)
        total += priors[i]
    for i in range(count):
        priors[i] /= total


@compiled
def choose_branch(
    n: State, table: Table, settings: Settings, tree: Tree, node: int, mover: int, room: Room
) -> int:
    """Return the move to try next from a node to which a side has moved; count which ones were legal."""
    count = find_moves(n, room.moves)
    if count == 1:
        tree.priors[0] = 1.0
    else:
        find_priors(n, table, settings.temperature, room, count, tree.priors)
    mean = tree.total[node] / tree.visits[node] if tree.visits[node] else 0.5
    # The results of a node are those of who moved to it; a branch that was never tried is worth the node.
    first = mean if n[TURN] & 1 == mover else 1.0 - mean
    best, highest = 0, -1e9
    for i in range(count):
        branch = tree.child[node, room.moves[i]]
        visits, legal, value = 0, tree.visits[node], first
        if branch:
            tree.legal[branch] += 1
            visits, legal = tree.visits[branch], tree.legal[branch]
            value = tree.total[branch] / visits if visits else first
        value += settings.exploration * tree.priors[i] * math.sqrt(legal + 1.0) / (1.0 + visits)
        if value > highest:
            best, highest = i, value
    return int(room.moves[best])


@compiled
def grow(
    view: State,
    known: Known,
    seat: int,
    table: Table,
    settings: Settings,
    tree: Tree,
    room: Room,
    iterations: int,
    random: Any,
) -> None:
    """Add iterations to a tree whose root is what a seat knows before its move."""
    n = room.state
    piles = view[PILE_COUNT] + view[PILE_COUNT + 1]
    for _ in range(iterations):
        guess(view, known, seat, random, tree.holders, n)
        node, depth = 0, 0
        tree.movers[0] = view[TURN] & 1  # as if the root's results were those of its own side
        while not is_round_over(n) and depth < DEEPEST:
            # Cards from the piles are chance, so the tree ends before them.
            if n[PILE_COUNT] + n[PILE_COUNT + 1] != piles:
                break
            side = n[TURN] & 1
            move = choose_branch(n, table, settings, tree, node, tree.movers[depth], room)
            play(n, move)
            branch = tree.child[node, move]
            depth += 1
            is_new = branch == 0
            if is_new:
                if tree.size[0] == len(tree.visits):
                    depth -= 1
                    break
                branch = tree.size[0]
                tree.size[0] += 1
                tree.child[node, move] = branch
                tree.legal[branch] = 1
            tree.path[depth - 1] = branch
            tree.movers[depth] = side
            node = branch
            if is_new or depth == DEEPEST - 1:
                break
        play_out(n, table.worth, table.weights, room)
        result = worth_of_round(n, table, settings.margin)
        tree.visits[0] += 1
        tree.total[0] += result if view[TURN] & 1 == 0 else 1.0 - result
        for at in range(depth):
            branch = tree.path[at]
            tree.visits[branch] += 1
            tree.total[branch] += result if tree.movers[at + 1] == 0 else 1.0 - result


@compiled
def try_passes(
    view: State,
    known: Known,
    seat: int,
    table: Table,
    margin: float,
    passes: Any,
    is_left: Any,
    totals: Any,
    tree: Tree,
    room: Room,
    guesses: int,
    random: Any,
) -> None:
    """Add to the total of each pass that is left what rounds after it were worth, on the same guesses."""
    n, dealt = room.state, room.dealt
    for _ in range(guesses):
        guess(view, known, seat, random, tree.holders, dealt)
        for other in range(4):
            if other != seat:
                for number in range(4):
                    room.passed[other, number] = NONE
                choose_passes(dealt, table.weights[0], other, room.values, room.passed[other])
        for i in range(len(passes)):
            if is_left[i]:
                n[:] = dealt
                room.passed[seat] = passes[i]
                for giver in range(4):
                    pass_cards(n, giver, room.passed[giver])
                play_out(n, table.worth, table.weights, room)
                result = worth_of_round(n, table, margin)
                totals[i] += result if seat & 1 == 0 else 1.0 - result


class Search:
    """A search from what a seat knows."""

    def __init__(
        self, view: State, known: Known, seat: int, table: Table, settings: Settings, random: Any, nodes: int
    ) -> None:
        """Prepare a search with room for this many nodes."""
        self._arguments = (view, known, seat, table)
        self._settings, self._random = settings, random
        self.tree, self._room = new_tree(nodes), new_room()

    def grow(self, iterations: int) -> None:
        """Add iterations."""
        grow(*self._arguments, self._settings, self.tree, self._room, iterations, self._random)

    def try_passes(self, passes: Any, is_left: Any, totals: Any, guesses: int) -> None:
        """Try passes on some guesses, and add up what they were worth."""
        try_passes(
            *self._arguments,
            self._settings.margin,
            passes,
            is_left,
            totals,
            self.tree,
            self._room,
            guesses,
            self._random,
        )

    @property
    def visits(self) -> dict[int, int]:
        """How often each move of the root was visited."""
        tree = self.tree
        return {
            move: int(tree.visits[tree.child[0, move]]) for move in range(MOST_MOVES) if tree.child[0, move]
        }
