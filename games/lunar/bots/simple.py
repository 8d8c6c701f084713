"""Actions without any search, which need only the engine."""

from random import Random

from games.lunar.engine import Action, Position


def choose_at_random(position: Position, seat: int, rng: Random) -> Action:
    """Return a random legal action. Raises ValueError if the seat is not awaited."""
    legal = list(position.legal(seat))
    if not legal:
        raise ValueError(f"Seat {seat} is not awaited.")
    return rng.choice(legal)
