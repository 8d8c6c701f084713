"""The choice of an action for a position record."""

from typing import Any, NamedTuple

import numpy as np

from tests.novaluna.independent import rules, search
from tests.novaluna.independent.rules import CODES, State

GAMES = 1024
WIDEST = 24  # actions of a node in the tree


class Policy(NamedTuple):
    """The weights of the policy. The unit is a disc on a goal."""

    lacks_one: float = 0.627  # potential of a goal that lacks one dot
    lacks_two: float = 0.33
    lacks_three: float = 0.203
    lacks_four: float = 0.067
    untouched: float = 0.865  # factor for each colour of which it has none
    time: float = 0.431
    again: float = 0.166
    late: float = 0.309  # factor of all potential at the end of the game
    refill_below: float = 0.566
    tight: float = 0.511
    compact: float = 0.014  # loss for each empty neighbour of a new tile

    def row(self) -> list[float]:
        """Return the row of weights for `rules.update` and `search.rate`."""
        by_dots = (1.0, self.lacks_one, self.lacks_two, self.lacks_three, self.lacks_four)
        potential = [value * self.untouched**colours for value in by_dots for colours in range(5)]
        return [*potential, self.time, self.again, self.late, self.refill_below, self.tight, self.compact]


class Settings(NamedTuple):
    """The settings of the search."""

    explore: float = 0.6
    warmth: float = 0.3  # of the prior chances: the lower, the more they follow the policy
    noise: float = 0.1  # added to the values in playouts, in discs
    margin: float = 0.15  # share of discs in the reward; the rest is the win
    widest: float = WIDEST


POLICY = Policy()
SETTINGS = Settings()


def read(record: dict[str, Any], weights: Any) -> State:
    """Return the position after all actions of a record."""
    seats = record["seats"]
    state = rules.new_state(seats, record["goal_discs"])
    for place, seat in enumerate(record["start_order"]):
        state.seats[seat, rules.STAMP] = -place
    seen = [CODES.index(code) for code in record["deck"]]
    state.deck[:] = [*seen, *(tile for tile in range(rules.TILES) if tile not in seen)]
    rules.refill(state)
    for action in record["actions"]:
        apply(state, action, weights)
    return state


def apply(state: State, action: dict[str, Any], weights: Any) -> None:
    """Play an action of the record format."""
    match action["do"]:
        case "refill":
            rules.refill(state)
        case "resign":
            state.seats[action["seat"], rules.OUT] = 1
        case "place":
            space = int(np.flatnonzero(state.wheel == CODES.index(action["tile"]) + 1)[0])
            cell = rules.MIDDLE + action["x"] + rules.WIDTH * action["y"]
            rules.place(state, space, cell, weights[action["seat"]])


def action_of(state: State, space: int, cell: int) -> dict[str, Any]:
    """Return an action of the seat to move in the record format."""
    seat = rules.mover(state)
    if cell == rules.REFILL:
        return {"seat": seat, "do": "refill"}
    row, column = divmod(cell - rules.MIDDLE + rules.WIDTH // 2, rules.WIDTH)
    return {
        "seat": seat,
        "do": "place",
        "tile": CODES[state.wheel[space] - 1],
        "x": column - rules.WIDTH // 2,
        "y": row,
    }


def choices_of(state: State) -> list[dict[str, Any]]:
    """Return all legal actions of the seat to move."""
    seat = rules.mover(state)
    cells = state.free[seat, : state.seats[seat, rules.FRONT]].tolist()
    spaces = [space for number in range(rules.REACH) if (space := rules.reach(state, number)) >= 0]
    choices = [action_of(state, space, cell) for space in spaces for cell in cells]
    return choices + ([action_of(state, -1, rules.REFILL)] if rules.may_refill(state) else [])


class Player:
    """A player that searches a number of games for each action."""

    def __init__(self, games: int, seed: int, policy: Policy = POLICY, settings: Settings = SETTINGS) -> None:
        self._games, self._settings = games, tuple(map(float, settings))
        self._weights = np.array([policy.row()] * 4)
        self._dice = np.array([seed * 0x9E3779B97F4A7C15 % 2**64 | 1], np.uint64)
        nodes = games * int(settings.widest) + 64
        self._tree = search.Tree(
            first=np.zeros(nodes, np.int32),
            children=np.zeros(nodes, np.int32),
            visits=np.zeros(nodes, np.int32),
            worth=np.zeros((nodes, 4)),
            prior=np.zeros(nodes),
            cell=np.zeros(nodes, np.int32),
            space=np.zeros(nodes, np.int32),
        )

    def choose(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the action for a position record."""
        return self.choose_in(read(record, self._weights))

    def choose_in(self, state: State) -> dict[str, Any]:
        """Return the action for a position."""
        if not rules.on_wheel(state):
            return action_of(state, -1, rules.REFILL)
        trial = rules.new_state(len(state.seats), 20)
        trial.deck[:] = state.deck
        trial.deck[state.whole[rules.DRAWN] :].sort()  # The order is hidden, even if a record has it.
        space, cell = search.search(
            state, trial, self._tree, self._games, self._settings, self._weights, self._dice
        )
        return action_of(state, space, cell)
