"""Values of actions by a quick policy, games to their end, and the search; compiled."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tests.novaluna.independent.rules import (
    AGAIN,
    COLOUR,
    COMPACT,
    COST,
    DISCS,
    FRONT,
    GOALS,
    OUT,
    REACH,
    REFILL,
    REFILL_BELOW,
    STEPS,
    TIGHT,
    TIME,
    TIME_COST,
    WINNER,
    below,
    copy,
    lacks,
    look,
    may_refill,
    mover,
    on_wheel,
    place,
    reach,
    refill,
    shuffle,
)


@njit(cache=True)
def rate(state: Any, seat: int, weights: Any) -> int:
    """Put the value of each tile in reach on each free cell into `scores`; return how many there are.

    The first is the first tile on the first free cell, the second is the second tile on the same cell.
    """
    tiles = min(REACH, on_wheel(state))
    front = state.seats[seat, FRONT]
    others = 1000
    for other in range(len(state.seats)):
        if other != seat and not state.seats[other, OUT]:
            others = min(others, state.seats[other, TIME])
    late = state.late[seat]
    number = 0
    for free in range(front):
        cell = state.free[seat, free]
        groups, empty = look(state, seat, cell)
        for choice in range(tiles):
            tile = state.wheel[reach(state, choice)] - 1
            colour = COLOUR[tile]
            value = -weights[TIME_COST] * COST[tile] - weights[COMPACT] * empty
            if state.seats[seat, TIME] + COST[tile] <= others:
                value += weights[AGAIN]
            for group in range(groups):
                if COLOUR[state.tiles[seat, state.near[group]]] == colour:
                    value += state.grows[seat, state.near[group]]
            for step in STEPS:
                slot = state.board[seat, cell + step] - 1
                if slot < 0 or COLOUR[state.tiles[seat, slot]] == colour or state.open[seat, slot] == 0:
                    continue
                wanted = state.wants[seat, slot, colour]
                if wanted == 0:
                    value -= weights[TIGHT] * state.tight[seat, slot]
                elif not touches(state, seat, slot, groups, colour):
                    value += wanted
            for goal in range(GOALS[tile]):
                dots, colours = lacks(state, tile, goal)
                if dots == 0:
                    value += 1
                elif colours <= empty:
                    value += weights[5 * dots + colours] * late
            state.scores[number] = value
            number += 1
    return number


@njit(cache=True)
def touches(state: Any, seat: int, slot: int, groups: int, colour: int) -> bool:
    """Return whether one of the groups in `near` has a colour and touches a slot already."""
    for step in STEPS:
        there = state.board[seat, state.cells[seat, slot] + step] - 1
        if there >= 0 and COLOUR[state.tiles[seat, there]] == colour:
            for number in range(groups):
                if state.near[number] == state.groups[seat, there]:
                    return True
    return False


@njit(cache=True)
def play_out(state: Any, weights: Any, noise: float, dice: Any) -> None:
    """Play to the end by the policy of each seat's row of weights."""
    while state.whole[WINNER] < 0:
        seat = mover(state)
        tiles = min(REACH, on_wheel(state))
        if tiles == 0:
            refill(state)
            continue
        best, chosen = -1e9, 0
        for number in range(rate(state, seat, weights[seat])):
            score = state.scores[number] + noise * below(dice, 1024) / 1024
            if score > best:
                best, chosen = score, number
        if may_refill(state) and best < weights[seat, REFILL_BELOW]:
            refill(state)
        else:
            cell = state.free[seat, chosen // tiles]
            place(state, reach(state, chosen % tiles), cell, weights[seat])


@njit(cache=True)
def expand(state: Any, tree: Any, node: int, size: int, widest: int, warmth: float, weights: Any) -> int:
    """Give a node its best actions by the policy as children; return the size of the tree after it."""
    seat = mover(state)
    tiles = min(REACH, on_wheel(state))
    actions = rate(state, seat, weights[seat])
    if may_refill(state):
        state.scores[actions] = weights[seat, REFILL_BELOW]
        actions += 1
    first, total, top = size, 0.0, 0.0
    for number in range(min(actions, widest)):
        best = 0
        for action in range(actions):
            if state.scores[action] > state.scores[best]:
                best = action
        if number == 0:
            top = state.scores[best]
        tree.prior[size] = np.exp((state.scores[best] - top) / warmth)
        total += tree.prior[size]
        tree.visits[size], tree.worth[size], tree.children[size] = 0, 0, 0
        is_refill = best == actions - 1 and may_refill(state)
        tree.cell[size] = REFILL if is_refill else state.free[seat, best // tiles]
        tree.space[size] = -1 if is_refill else reach(state, best % tiles)
        state.scores[best] = -1e9
        size += 1
    tree.first[node], tree.children[node] = first, size - first
    for child in range(first, size):
        tree.prior[child] /= total
    return size


class Tree(NamedTuple):
    """The nodes of a search, as arrays. A node is the position after an action of its parent's mover."""

    first: Any
    children: Any
    visits: Any
    worth: Any  # by seat: the sum of the rewards
    prior: Any
    cell: Any
    space: Any


@njit(cache=True)
def search(
    root: Any, state: Any, tree: Any, games: int, settings: Any, weights: Any, dice: Any
) -> tuple[int, int]:
    """Play games; return the space and the cell of the action that was tried most.

    The tree ends at refills: there each game goes on with a draw pile of its own.
    """
    explore, warmth, noise, margin, widest = settings
    path = np.zeros(100, np.int64)
    reward = np.zeros(len(root.seats))
    size = 1
    tree.visits[0], tree.worth[0], tree.children[0] = 0, 0, 0
    for _game in range(games):
        copy(root, state)
        shuffle(state, dice)
        node, depth = 0, 1
        while state.whole[WINNER] < 0 and on_wheel(state):
            if tree.children[node] == 0:
                if tree.visits[node] == 0 and node:
                    break
                size = expand(state, tree, node, size, int(widest), warmth, weights)
            seat = mover(state)
            parent = tree.worth[node, seat] / max(1, tree.visits[node])
            root_of_visits = np.sqrt(tree.visits[node] + 1)
            best, chosen = -1e9, 0
            for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                visits = tree.visits[child]
                mean = tree.worth[child, seat] / visits if visits else parent - 0.1
                score = mean + explore * tree.prior[child] * root_of_visits / (1 + visits)
                if score > best:
                    best, chosen = score, child
            node = chosen
            path[depth] = node
            depth += 1
            if tree.cell[node] == REFILL:
                refill(state)
                break
            place(state, tree.space[node], tree.cell[node], weights[seat])
        play_out(state, weights, noise, dice)
        for seat in range(len(reward)):
            rival = 20
            for other in range(len(reward)):
                if other != seat and not state.seats[other, OUT]:
                    rival = min(rival, max(0, state.seats[other, DISCS]))
            ahead = (rival - max(0, state.seats[seat, DISCS])) / 10
            reward[seat] = (1 - margin) * (state.whole[WINNER] == seat)
            reward[seat] += margin * (0.5 + 0.5 * max(-1.0, min(1.0, ahead)))
        for number in range(depth):
            tree.visits[path[number]] += 1
            for seat in range(len(reward)):
                tree.worth[path[number], seat] += reward[seat]
    best = tree.first[0]
    for child in range(tree.first[0], size):
        if child < tree.first[0] + tree.children[0] and tree.visits[child] > tree.visits[best]:
            best = child
    return tree.space[best], tree.cell[best]
