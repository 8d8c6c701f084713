"""Games of LUNAR as a viewer sees them, for tests of the board."""

from collections.abc import Callable
from random import Random

from games.lunar.board.game_view import GameView
from games.lunar.engine import Position, SeedDealer, Setup, Stars
from games.marked import name
from games.titles.people import Person

NAMES = ("Ines", "Tobias", "Halley", "Mina")


def game(seats: int, ends: Callable[[Position], bool], seed: int = 1) -> tuple[Position, list[object]]:
    """Return the start of a game, and random legal actions until a condition is true or the game is over."""
    start = Position.start(Setup(seats, leads=(0, 1)), SeedDealer(bytes([seed]) * 32, Stars.SUITS))
    rng, position, actions = Random(seed), start, []
    while position.awaited and not ends(position):
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return start, actions


def view_of(
    viewer: int | None, seats: int, ends: Callable[[Position], bool], seed: int = 1, at: int | None = None
) -> GameView:
    """Return a random game as a seat sees it once a condition is true."""
    start, actions = game(seats, ends, seed)
    position, steps = start, []
    for action in actions:
        steps.append(position.apply(action))
        position = steps[-1].position
    people = tuple(Person(seat, name(NAMES[seat]), is_you=seat == viewer) for seat in range(seats))
    return GameView(start.seen_by(viewer), tuple(step.seen_by(viewer) for step in steps), people, at)
