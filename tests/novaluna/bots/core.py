"""Play the same actions in the search's fast core and in the rules' engine, and compare their facts."""

import random
from collections.abc import Iterator

from games.novaluna.bots.search import state as core
from games.novaluna.bots.search.policy import find_places, new_places
from games.novaluna.bots.search.reading import Reading, read
from games.novaluna.bots.search.tiles import CODES, NUMBERS
from games.novaluna.bots.search.weights import policy_for
from games.novaluna.engine import (
    Action,
    Cell,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    Setup,
    SoloPosition,
    start,
)


def play_both(setup: Setup, rng: random.Random, resigning: float = 0.0) -> Iterator[tuple[Position, Reading]]:
    """Yield the positions of a random game, each as the engine's position and as the core's state.

    `resigning` is the probability of a resignation at each action. The core has no such action, so it reads
    the position again afterwards.
    """
    position = start(setup)
    reading = read_with_pile(position)
    yield position, reading
    while position.to_move is not None:
        if rng.random() < resigning:
            position = position.apply(Resign(rng.choice(seats_in_play(position)))).position
            reading = read_with_pile(position)
        else:
            action = rng.choice(list(position.legal_actions))
            play_in_core(action, position, reading)
            position = position.apply(action).position
        yield position, reading


def seats_in_play(position: Position) -> list[int]:
    """Return the seats that can resign."""
    return [seat for seat in range(position.seats) if seat not in position.resigned_seats]


def read_with_pile(position: Position) -> Reading:
    """Read a position with its hidden tiles, and copy its draw pile to the state."""
    reading = read(position)
    hidden = [NUMBERS[code] for code in position.setup.deck[position.revealed_count :]]
    reading.state.n[core.PILE : core.PILE + len(hidden)] = hidden[::-1]
    return reading


def play_in_core(action: Action, position: Position, reading: Reading) -> None:
    """Play an action in the core."""
    if isinstance(action, Refill):
        core.refill(reading.state)
        return
    assert isinstance(action, Place)
    core.place(
        reading.state, spaces_of(position).index(action.tile), reading.grid_cell(action.seat, action.cell)
    )


def spaces_of(position: Position) -> list[str | None]:
    """Return the codes of the tiles on the moon wheel."""
    return [tile.code if tile else None for tile in position.wheel.spaces]


def facts_from_engine(position: Position) -> dict[str, object]:
    """Return the facts of a position that both the engine and the core know."""
    running = position.to_move is not None
    facts: dict[str, object] = {
        "to move": position.to_move,
        "over": position.over,
        "wheel": spaces_of(position),
        "marker": position.wheel.marker,
        "draw pile": len(position.setup.deck) - position.revealed_count,
        "discs": list(position.discs),
        "can refill": position.refill is RefillRule.ALLOWED if running else None,
        "displays": [
            {code.code: (cell, display.support(cell)) for cell, code in display.tiles.items()}
            for display in position.displays
        ],
        "cells": [set(display.free_cells) for display in position.displays],
        "legal": {a for a in position.legal_actions if isinstance(a, Place)} if running else None,
    }
    if isinstance(position, MultiplayerPosition):
        facts |= {"winner": position.winner, "order": list(position.track.order)}
        facts["time"] = list(position.track.time)
    if isinstance(position, SoloPosition):
        finished = position.over and not position.resigned_seats
        facts |= {"phase": position.phase, "score": position.score if finished else None}
    return facts


def facts_from_core(reading: Reading, position: Position) -> dict[str, object]:
    """Return the same facts from the core's arrays.

    `position` is needed for the resignations, which the core does not know, and for the policy.
    """
    s = reading.state
    n = s.n
    over = bool(n[core.OVER])
    seats = range(int(n[core.SEATS]))
    facts: dict[str, object] = {
        "to move": None if over else core.to_move(s),
        "over": over,
        "wheel": [
            CODES[n[core.WHEEL + space]] if n[core.WHEEL + space] != core.NO_TILE else None
            for space in range(core.SPACES)
        ],
        "marker": int(n[core.MARKER]),
        "draw pile": int(n[core.PILE_COUNT]),
        "discs": [int(n[core.DISCS + seat]) for seat in seats],
        "can refill": None if over else bool(core.can_refill(s) and n[core.ON_WHEEL]),
        "displays": [tiles(reading, seat) for seat in seats],
        "cells": [open_cells(reading, seat) for seat in seats],
        "legal": None if over else legal_places(reading, position),
    }
    if not n[core.SOLO]:
        facts["winner"] = core.leader(s) if over else None
        facts["order"] = [int(seat) for seat in n[core.ORDER : core.ORDER + n[core.IN_PLAY]]]
        facts["time"] = [int(n[core.TIME + seat]) for seat in seats]
    else:
        facts["phase"] = int(n[core.PHASE])
        facts["score"] = core.score(s) if over and not position.resigned_seats else None
    return facts


def tiles(reading: Reading, seat: int) -> dict[str, tuple[Cell, tuple[int, ...]]]:
    """Return each tile of a display with its cell and its support."""
    n = reading.state.n
    d = core.DISPLAYS + seat * core.DISPLAY
    return {
        CODES[n[d + core.TILE + slot]]: (
            reading.cell(seat, int(n[d + core.CELL + slot])),
            tuple(int(dots) for dots in n[d + core.SUPPORT + 4 * slot : d + core.SUPPORT + 4 * slot + 4]),
        )
        for slot in range(n[d + core.COUNT])
    }


def open_cells(reading: Reading, seat: int) -> set[Cell]:
    """Return the cells where the core may place the next tile."""
    n = reading.state.n
    d = core.DISPLAYS + seat * core.DISPLAY
    return {reading.cell(seat, int(at)) for at in n[d + core.CELLS : d + core.CELLS + n[d + core.CELL_COUNT]]}


def legal_places(reading: Reading, position: Position) -> set[Place]:
    """Return the place actions that the policy chooses from."""
    if not reading.state.n[core.ON_WHEEL]:
        return set()
    return set(predicted_goals(reading, position))


def predicted_goals(reading: Reading, position: Position) -> dict[Place, int]:
    """Return how many goals each place action completes, as the policy predicts without placing the tile."""
    seat = core.to_move(reading.state)
    places = new_places()
    count = find_places(reading.state, policy_for(position), places)
    predicted = {}
    for i in range(count):
        cell = reading.cell(seat, int(places.cell[i]))
        tile = CODES[reading.state.n[core.WHEEL + places.space[i]]]
        predicted[Place(seat, tile, cell.x, cell.y)] = int(places.goals[i])
    return predicted
