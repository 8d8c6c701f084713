"""The chart of a review: the chances to win, or the score, that the expert expects at each action."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from games.novaluna.board.worth import format_worth
from games.novaluna.bots.face import Chance, Score, Worth
from games.shown.charts import number
from games.titles.people import Person

# In the chart of a solo game, grid lines are at multiples of this score.
GRID_STEP = 10
# The size of a number on a chart, in per cent of the chart: on a narrow phone, and on a tablet or wider.
NARROW_MARK, WIDE_MARK = (12, 16), (5, 14)


class Point(NamedTuple):
    """A point of a line: its distance from the left in per cent of the width, and its value.

    The last point of a line is the result; every other one is before an action, with its `number`. If
    somebody has left the game, the result `is_left`, and the one of this player has the number of the action.
    """

    x: float
    worth: Worth
    number: int = 0
    is_left: bool = False


@dataclass(frozen=True)
class Line:
    """A person's line, as an SVG path in a box of 100 by 100, and the area below it.

    `end` is a path to the result that nobody played for: somebody left the game. It is empty in other games.
    """

    person: Person
    path: str
    area: str
    end: str


@dataclass(frozen=True)
class Mark:
    """The position after an action on the chart, with its distances from the left and the top in per cent."""

    number: int
    x: str
    y: str
    is_low: bool  # whether it is in the lower half
    # How far its number is moved to the side, in per cent, so that it covers no other
    shift: str = "0"
    wide_shift: str = "0"  # on a wide chart


@dataclass(frozen=True)
class GridLine:
    """A horizontal line of the grid: its label, and its distance from the top in per cent of the height."""

    label: str
    y: str


@dataclass(frozen=True)
class Chart:
    """A chart with a line for each player; in a game for two, both players share one line.

    `sides` are the players who share a line: the first at the top, the second at the bottom. The line is
    closer to the player with the better chance. Charts with a line for each player have no `sides`.
    """

    lines: Sequence[Line]
    marks: Mapping[int, Mark]  # by the number of the action
    grid: Sequence[GridLine]
    last_action: int  # number of the last action
    is_solo: bool
    sides: Sequence[Person] = ()


def draw_chance_chart(
    lines: Sequence[tuple[Person, Sequence[Point]]],
    last_action: int,
    sides: Sequence[Person],
) -> Chart:
    """Return a chart of chances to win."""
    best, even, worst = Chance(1.0), Chance(0.5), Chance(0.0)
    # At the bottom of a shared chart, the second player is certain to win.
    lowest_label = format_worth(worst.for_opponent() if sides else worst)
    scale: list[tuple[Worth, str]] = [
        (best, format_worth(best)),
        (even, format_worth(even)),
        (worst, lowest_label),
    ]
    return _draw_chart(lines, last_action, scale, is_solo=False, sides=sides)


def draw_score_chart(points: Sequence[Point], person: Person, last_action: int) -> Chart:
    """Return a chart of expected scores."""
    values = [point.worth.value for point in points] or [0.0]
    bottom, top = floor(min(values) / GRID_STEP), ceil(max(values) / GRID_STEP)
    top = max(top, bottom + 1)
    all_values = [line * GRID_STEP for line in range(top, bottom - 1, -1)]
    grid_values = all_values[:: max(1, (top - bottom) // 3)]
    if grid_values[-1] != all_values[-1]:
        # A label too close to the last one would cover it.
        step = grid_values[0] - grid_values[1]
        grid_values = [value for value in grid_values if value - all_values[-1] > step / 2]
        grid_values.append(all_values[-1])
    scale: list[tuple[Worth, str]] = [(Score(float(value)), str(value)) for value in grid_values]
    return _draw_chart([(person, points)], last_action, scale, is_solo=True, sides=())


def spread(marks: Mapping[int, Mark], numbers: Collection[int]) -> Mapping[int, Mark]:
    """Return the marks; the numbers of the actions `numbers` are moved apart if they would overlap."""
    shown = {one: marks[one] for one in sorted(numbers) if one in marks}
    narrow, wide = _shifts(shown, *NARROW_MARK), _shifts(shown, *WIDE_MARK)
    return {
        **marks,
        **{one: replace(mark, shift=narrow[one], wide_shift=wide[one]) for one, mark in shown.items()},
    }


def _shifts(marks: Mapping[int, Mark], width: int, height: int) -> Mapping[int, str]:
    """Return how far each number is moved so that none, of this size, covers another."""
    places = {one: float(mark.x) for one, mark in marks.items()}
    for _round in places:
        for left, right in pairwise(places):
            lack = width - (places[right] - places[left])
            if lack > 0 and abs(float(marks[left].y) - float(marks[right].y)) < height:
                places[left], places[right] = places[left] - lack / 2, places[right] + lack / 2
    return {one: number(place - float(marks[one].x)) for one, place in places.items()}


def _draw_chart(
    lines: Sequence[tuple[Person, Sequence[Point]]],
    last_action: int,
    scale: Sequence[tuple[Worth, str]],
    *,
    is_solo: bool,
    sides: Sequence[Person],
) -> Chart:
    top, bottom = scale[0][0].value, scale[-1][0].value

    def y_of(worth: Worth) -> str:
        return number(100 * (top - worth.value) / (top - bottom))

    def draw_path(points: Sequence[Point]) -> str:
        return "M" + "L".join(f"{number(point.x)} {y_of(point.worth)}" for point in points)

    def draw_line(person: Person, points: Sequence[Point]) -> Line:
        area = f"{draw_path(points)}L{number(points[-1].x)} 100L{number(points[0].x)} 100Z"
        if not points[-1].is_left:
            return Line(person, draw_path(points), area, "")
        return Line(person, draw_path(points[:-1] or points), area, draw_path(points[-2:]))

    def draw_mark(action: int, points: Sequence[Point]) -> Mark:
        x = 100 * action / last_action
        value = _value_at(x, points)
        y = number(100 * (top - value) / (top - bottom))
        return Mark(action, number(x), y, is_low=2 * value < top + bottom)

    return Chart(
        lines=[draw_line(person, points) for person, points in lines if points],
        marks={
            point.number: draw_mark(point.number, points)
            for _person, points in lines
            for point in points
            if point.number
        },
        grid=[GridLine(label, y_of(worth)) for worth, label in scale],
        last_action=last_action,
        is_solo=is_solo,
        sides=sides,
    )


def _value_at(x: float, points: Sequence[Point]) -> float:
    """Return the value of a line at this distance from the left; beyond its end, the value at its end."""
    for left, right in pairwise(points):
        if left.x <= x <= right.x:
            share = (x - left.x) / (right.x - left.x)
            return left.worth.value + share * (right.worth.value - left.worth.value)
    return points[-1].worth.value
