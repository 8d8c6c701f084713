"""The coordinates of everything in the board's drawings.

A tile is drawn in a box 100 wide and high. The moon wheel is 420 wide, with 0,0 at its centre; its angles are
degrees clockwise from the top. Coordinates are text, because templates would format numbers as the language
of the page does, and SVG accepts only decimal points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import NamedTuple

from games.novaluna.engine import Colour, Goal, Tile
from games.shown.charts import number

# The centres of sockets by their corners of the tile, and the corners of the goals by their number.
CORNERS = {"ne": (74, 26), "sw": (26, 74), "se": (74, 74)}
GOAL_CORNERS = {0: (), 1: ("se",), 2: ("sw", "se"), 3: ("ne", "sw", "se")}
# The dots of a goal, by their number: x and y from the socket's centre, and radius.
DOTS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0, 0, 11),),
    2: ((-10, 0, 9.2), (10, 0, 9.2)),
    3: ((0, -10.6, 9), (-9.6, 6.2, 9), (9.6, 6.2, 9)),
    4: ((-8.8, -8.8, 8.2), (8.8, -8.8, 8.2), (-8.8, 8.8, 8.2), (8.8, 8.8, 8.2)),
}
DISC_WIDTH = 49  # the width of a disc on a tile

# The moon wheel: the radii of its circles of spaces, phases and discs, and the widths of things on them.
SPACE_RADIUS = 158.0
SPACE_WIDTH = 54
PHASE_RADIUS = 112.0
MOONLIGHT_RADII = (124, 206)  # the inner and the outer edge
TRACK_RADIUS = 88.0
TRACK_DISC_WIDTH = 23


@dataclass(frozen=True)
class Dot:
    """A dot of a goal: the letter of its colour's glyph, and the glyph's square with its top left at x, y."""

    letter: str
    x: str
    y: str
    size: str


@dataclass(frozen=True)
class Socket:
    """A goal of a tile: its corner of the tile, the centre of its socket there, and its dots."""

    corner: str
    x: int
    y: int
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Point:
    """A point of the wheel, and the top left corner of a thing centred on it."""

    x: str
    y: str
    left: str
    top: str


class Sector(NamedTuple):
    """A slice of the wheel: the angle where it starts, how wide it is, and its radius."""

    start: int
    span: int
    radius: float


class Moonlight(NamedTuple):
    """The sectors of the moonlight on the wheel: areas, which have outer edges, and its inner edge."""

    areas: tuple[Sector, ...]
    edge: Sector

    @property
    def area_path(self) -> str:
        """The path around all areas."""
        inner = self.edge.radius
        return "".join(
            f"{_arc(radius, start, span)}L{_at(inner, start + span)}"
            f"A{inner} {inner} 0 {int(span > 180)} 0 {_at(inner, start)}Z"
            for start, span, radius in self.areas
        )

    @property
    def edge_path(self) -> str:
        """The path of the outer edges and the inner one."""
        return "".join(_arc(radius, start, span) for start, span, radius in (*self.areas, self.edge))


def letter(colour: Colour) -> str:
    """Return the letter that names a colour in the symbols' ids: `b`."""
    return colour.value.lower()


def sockets(tile: Tile) -> tuple[Socket, ...]:
    """Return the sockets of a tile's goals, in the order of the goals."""
    corners = goal_corners(tile)
    return tuple(
        Socket(corner, *CORNERS[corner], _dots(goal))
        for corner, goal in zip(corners, tile.goals, strict=True)
    )


def goal_corners(tile: Tile) -> tuple[str, ...]:
    """Return the corners of a tile in which its goals are, in the order of the goals."""
    return GOAL_CORNERS[len(tile.goals)]


def _dots(goal: Goal) -> tuple[Dot, ...]:
    places = DOTS[len(goal.dots)]
    return tuple(
        Dot(letter(colour), number(x - r), number(y - r), number(2 * r))
        for colour, (x, y, r) in zip(goal.dots, places, strict=True)
    )


def point_at(radius: float, angle: float, size: float = 0, shift: tuple[float, float] = (0, 0)) -> Point:
    """Return the point at `radius` and `angle`, moved by `shift`, for a thing `size` wide."""
    x = radius * sin(radians(angle)) + shift[0]
    y = -radius * cos(radians(angle)) + shift[1]
    return Point(number(x), number(y), number(x - size / 2), number(y - size / 2))


def space_angle(space: int) -> int:
    """Return the angle of a space of the moon wheel."""
    return space * 30


def track_angle(space: int) -> int:
    """Return the angle of a space of the moon track."""
    return space * 15


def stack_points(space: int, count: int) -> list[Point]:
    """Return the points of the discs in a stack on the moon track, from the bottom to the top."""
    start = (-3.0 * (count - 1), 5.0 * (count - 1))
    return [
        point_at(
            TRACK_RADIUS,
            track_angle(space),
            TRACK_DISC_WIDTH,
            (start[0] + 8 * height, start[1] - 12 * height),
        )
        for height in range(count)
    ]


def moonlight(marker: int, reach: Sequence[int]) -> Moonlight:
    """Return the light on the tiles in reach: one area around each row of them.

    The inner edge leads from the marker to the last tile in reach, also past empty spaces, which stay dark.
    """
    inner, outer = MOONLIGHT_RADII
    areas = [
        Sector(space_angle(marker + first) - 13, space_angle(last - first) + 28, outer)
        for first, last in _rows(marker, reach)
    ]
    edge = Sector(space_angle(marker) + 17, space_angle((reach[-1] - marker) % len(WHEEL_SPACES)) - 2, inner)
    return Moonlight(tuple(areas), edge)


def _rows(marker: int, reach: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each row of neighbouring spaces in reach, counted from the marker."""
    rows: list[tuple[int, int]] = []
    for distance in ((space - marker) % len(WHEEL_SPACES) for space in reach):
        if rows and distance == rows[-1][1] + 1:
            rows[-1] = rows[-1][0], distance
        else:
            rows.append((distance, distance))
    return rows


def track_path(start: int, steps: int) -> str:
    """Return the path of a disc that moves along the moon track; empty if it moves by one space."""
    return _arc(TRACK_RADIUS, track_angle(start) + 9, track_angle(steps) - 17) if steps > 1 else ""


def _arc(radius: float, angle: float, span: float) -> str:
    r = f"{radius:g}"
    return f"M{_at(radius, angle)}A{r} {r} 0 {int(span > 180)} 1 {_at(radius, angle + span)}"


def _at(radius: float, angle: float) -> str:
    point = point_at(radius, angle)
    return f"{point.x} {point.y}"


@dataclass(frozen=True)
class WheelSpace:
    """A space of the moon wheel: its socket, its moon phase, and the faint moon drawn while it is empty."""

    number: int
    socket: Point
    phase: Point
    faint_moon: Point


WHEEL_SPACES: Sequence[WheelSpace] = tuple(
    WheelSpace(
        number=space,
        socket=point_at(SPACE_RADIUS, space_angle(space), SPACE_WIDTH),
        phase=point_at(PHASE_RADIUS, space_angle(space), 14),
        faint_moon=point_at(SPACE_RADIUS, space_angle(space), 30),
    )
    for space in range(12)
)
TRACK_NUMBERS: Sequence[Point] = tuple(point_at(TRACK_RADIUS, track_angle(space)) for space in range(24))
TRACK_LINES = "".join(
    f"M{_at(75.5, track_angle(space) + 7.5)}L{_at(100.5, track_angle(space) + 7.5)}" for space in range(24)
)
