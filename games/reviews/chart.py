"""The chart of a review: the expert's estimate of the chances, or of the score, from turn to turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple

from games.board.drawing.geometry import number
from games.board.game_view import Person
from games.bots import Chance, Score, Worth
from games.reviews.worth import format_worth

STEP = 10  # points between two possible lines of the grid in a solo game's chart


class Point(NamedTuple):
    """A point of a line: its place in per cent of the width, and its value."""

    x: float
    worth: Worth


@dataclass(frozen=True)
class Line:
    """A person's line, as an SVG path in a box of 100 by 100, and the area below it."""

    person: Person
    path: str
    area: str


@dataclass(frozen=True)
class Mark:
    """The number of a key turn, with its place in per cent of the width and from the top."""

    nth: int
    x: str
    y: str


@dataclass(frozen=True)
class Grid:
    """A horizontal line of the grid, with its label."""

    label: str
    y: str


@dataclass(frozen=True)
class Chart:
    """The lines of a chart, with the marks on them; `last` is the number of the last turn.

    In a game for two, the players share one line. `sides` are the players at the top and at the bottom: the
    line is closer to the player with the better chance.
    """

    lines: Sequence[Line]
    marks: Sequence[Mark]
    grid: Sequence[Grid]
    last: int
    is_solo: bool
    sides: Sequence[Person] = ()


def chance_chart(
    lines: Sequence[tuple[Person, Sequence[Point]]],
    marked: Sequence[Point],
    last: int,
    sides: Sequence[Person],
) -> Chart:
    """Return a chart of chances to win."""
    best, even, worst = Chance(1.0), Chance(0.5), Chance(0.0)
    # At the bottom of a shared line, the second player is certain to win.
    lowest_label = format_worth(worst.for_opponent() if sides else worst)
    scale: list[tuple[Worth, str]] = [
        (best, format_worth(best)),
        (even, format_worth(even)),
        (worst, lowest_label),
    ]
    return _chart(lines, marked, last, scale, is_solo=False, sides=sides)


def score_chart(points: Sequence[Point], person: Person, marked: Sequence[Point], last: int) -> Chart:
    """Return a chart of expected scores."""
    values = [point.worth.value for point in points] or [0.0]
    bottom, top = floor(min(values) / STEP), ceil(max(values) / STEP)
    top = max(top, bottom + 1)
    grid = [line * STEP for line in range(top, bottom - 1, -1)]
    labelled = grid[:: max(1, (top - bottom) // 3)]
    if labelled[-1] != grid[-1]:
        labelled.append(grid[-1])
    scale: list[tuple[Worth, str]] = [(Score(float(value)), str(value)) for value in labelled]
    return _chart([(person, points)], marked, last, scale, is_solo=True, sides=())


def _chart(
    lines: Sequence[tuple[Person, Sequence[Point]]],
    marked: Sequence[Point],
    last: int,
    scale: Sequence[tuple[Worth, str]],
    *,
    is_solo: bool,
    sides: Sequence[Person],
) -> Chart:
    top, bottom = scale[0][0].value, scale[-1][0].value

    def y_of(worth: Worth) -> str:
        return number(100 * (top - worth.value) / (top - bottom))

    def draw_line(person: Person, points: Sequence[Point]) -> Line:
        path = "M" + "L".join(f"{number(point.x)} {y_of(point.worth)}" for point in points)
        area = f"{path}L{number(points[-1].x)} 100L{number(points[0].x)} 100Z"
        return Line(person, path, area)

    return Chart(
        lines=[draw_line(person, points) for person, points in lines if points],
        marks=[Mark(nth, number(point.x), y_of(point.worth)) for nth, point in enumerate(marked, 1)],
        grid=[Grid(label, y_of(worth)) for worth, label in scale],
        last=last,
        is_solo=is_solo,
        sides=sides,
    )
