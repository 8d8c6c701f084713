"""The chart of a review: how the expert saw the chances, or the score to come, from turn to turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from django.utils.translation import gettext as _

from games.board.drawing.geometry import number
from games.board.game_view import Person

Point = tuple[float, float]  # per cent of the width, and the value

STEP = 10  # points between the lines of a solo game's chart


@dataclass(frozen=True)
class Line:
    """A person's line as a path in a box of 100 by 100, and the area below it."""

    person: Person
    path: str
    area: str


@dataclass(frozen=True)
class Mark:
    """The number of a turn that mattered, in per cent of the width and from the top."""

    nth: int
    x: str
    y: str


@dataclass(frozen=True)
class Grid:
    """A horizontal line with what it stands for."""

    label: str
    y: str


@dataclass(frozen=True)
class Chart:
    """The lines with marks upon them; `last` is the number of the last turn.

    Two people share a line: the nearer it is to the `sides` of one of them, the better for that one.
    """

    lines: Sequence[Line]
    marks: Sequence[Mark]
    grid: Sequence[Grid]
    last: int
    is_solo: bool
    sides: Sequence[Person] = ()


def chances(
    values: Sequence[tuple[Person, Sequence[Point]]],
    marked: Sequence[Point],
    last: int,
    sides: Sequence[Person],
) -> Chart:
    """Return a chart of chances, from 0 to 1."""
    low = 100 if sides else 0  # at the bottom one of two is certain to win
    labelled = [(1.0, percent(100)), (0.5, percent(50)), (0.0, percent(low))]
    return _chart(values, marked, last, labelled, is_solo=False, sides=sides)


def scores(points: Sequence[Point], person: Person, marked: Sequence[Point], last: int) -> Chart:
    """Return a chart of the scores that were to be expected."""
    values = [value for _x, value in points] or [0.0]
    bottom, top = floor(min(values) / STEP), ceil(max(values) / STEP)
    top = max(top, bottom + 1)
    grid = [line * STEP for line in range(top, bottom - 1, -1)]
    labelled = [(float(value), str(value)) for value in grid[:: max(1, (top - bottom) // 3)]]
    if labelled[-1][0] != grid[-1]:
        labelled.append((float(grid[-1]), str(grid[-1])))
    return _chart([(person, points)], marked, last, labelled, is_solo=True, sides=())


def percent(whole: int) -> str:
    """Return so many per cent as people read them: "35%"."""
    return _("%(percent)d%%") % {"percent": whole}


def _chart(
    values: Sequence[tuple[Person, Sequence[Point]]],
    marked: Sequence[Point],
    last: int,
    labelled: Sequence[tuple[float, str]],
    *,
    is_solo: bool,
    sides: Sequence[Person],
) -> Chart:
    high, low = labelled[0][0], labelled[-1][0]

    def down(value: float) -> str:
        return number(100 * (high - value) / (high - low))

    def line(person: Person, points: Sequence[Point]) -> Line:
        path = "M" + "L".join(f"{number(x)} {down(value)}" for x, value in points)
        area = f"{path}L{number(points[-1][0])} 100L{number(points[0][0])} 100Z"
        return Line(person, path, area)

    return Chart(
        lines=[line(person, points) for person, points in values if points],
        marks=[Mark(nth, number(x), down(value)) for nth, (x, value) in enumerate(marked, 1)],
        grid=[Grid(label, down(value)) for value, label in labelled],
        last=last,
        is_solo=is_solo,
        sides=sides,
    )
