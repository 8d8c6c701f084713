"""Boards of recorded games."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from games.novaluna.board.board import Board, build_board
from games.novaluna.board.choice import Choice
from games.novaluna.board.events import describe_step
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import (
    Cell,
    GoalsCompleted,
    Place,
    Position,
    RefillRule,
    Step,
    read_record,
    replay,
    start,
)
from games.titles.people import Person

RECORDS = Path(__file__).parents[2] / "records"
GAMES = sorted(RECORDS.glob("*.json"))
THREE = "00022-multiplayer-3"
SOLO = "00007-solo-1"
NOTHING = Choice()
NAMES = ("Tobias", "Ines", "Halley", "Kepler")


def steps_of(name: str, count: int | None = None) -> list[Step]:
    """Return the first steps of a recorded game, as views get them: without the undrawn tiles."""
    steps = list(replay(*read_record((RECORDS / f"{name}.json").read_bytes())))[:count]
    return [step._replace(position=step.position.public()) for step in steps]


def opening(name: str) -> Position:
    return start(read_record((RECORDS / f"{name}.json").read_bytes()).setup).public()


def people(seats: int, viewer: int | None = None) -> tuple[Person, ...]:
    return tuple(
        Person(seat, NAMES[seat], bot="medium" if seat == 2 else "", is_you=seat == viewer)
        for seat in range(seats)
    )


def board_of(
    steps: Sequence[Step],
    viewer: int | None,
    choice: Choice = NOTHING,
    at: int | None = None,
) -> Board:
    first = steps[0].position
    return build_board(GameView(first, tuple(steps), people(first.seats, viewer), at), choice)


def words_for(step: Step, viewer: int | None, names: Sequence[str] = NAMES) -> str:
    """Return a step in words for the person on seat `viewer`."""
    players = tuple(Person(seat, names[seat], is_you=seat == viewer) for seat in range(step.position.seats))
    return describe_step(step, GameView(step.position, (step,), players))


def open_cells(shown: Board) -> dict[Cell, int]:
    return {Cell(cell.x, cell.y): cell.gain for cell in shown.display.cells if cell.is_open}


def place_steps(name: str) -> Iterator[tuple[list[Step], Step]]:
    """Yield each place step of a recorded game, as the steps before it and the step itself."""
    steps = steps_of(name)
    for number, step in enumerate(steps):
        if number and isinstance(step.action, Place):
            yield steps[:number], step


def covered(step: Step) -> int:
    return sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))


def logs_with_refill(name: str, rule: RefillRule) -> Iterator[tuple[list[Step], Step]]:
    """Yield the log up to each position with this rule for the refill, and its last step."""
    steps = steps_of(name)
    for number, step in enumerate(steps, 1):
        if step.position.refill is rule:
            yield steps[:number], step
