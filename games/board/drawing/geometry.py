"""Where things lie in the board's drawings.

A tile is drawn in a box 100 wide and high. The moon wheel is drawn in units of 1/420 of its width around 0,0;
its angles are degrees clockwise from the top. Coordinates are text, as SVG writes numbers in every language.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from games.engine import Colour, Goal, Tile

# The centres of the goals' sockets by how many goals a tile has.
SOCKETS = {
    0: (),
    1: ((74, 74),),
    2: ((26, 74), (74, 74)),
    3: ((74, 26), (26, 74), (74, 74)),
}
# The dots of a goal by their count: offset from the socket's centre, and radius.
DOTS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0, 0, 11),),
    2: ((-10, 0, 9.2), (10, 0, 9.2)),
    3: ((0, -10.6, 9), (-9.6, 6.2, 9), (9.6, 6.2, 9)),
    4: ((-8.8, -8.8, 8.2), (8.8, -8.8, 8.2), (-8.8, 8.8, 8.2), (8.8, 8.8, 8.2)),
}
DISC = 49  # the width of a disc on a tile
RING = 52  # the width of the ring around a disc that would be placed

SPACE_REACH = 158.0  # the radius on which the wheel's spaces lie
SOCKET = 54  # the width of a space
PHASE_REACH = 112.0
BEAM = (124, 206)  # the inner and outer radius of the moonlight
TRACK = 88.0  # the middle of the moon track
TRACK_DISC = 23


@dataclass(frozen=True)
class Dot:
    """A dot of a goal: its glyph, by the colour's letter, in a square with its top left at x, y."""

    letter: str
    x: str
    y: str
    size: str


@dataclass(frozen=True)
class Socket:
    """A goal of a tile as it is drawn."""

    x: int
    y: int
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Spot:
    """A point of the wheel, by its own coordinates and by those of the top left of a thing centred on it."""

    x: str
    y: str
    left: str
    top: str


def letter(colour: Colour) -> str:
    """Return the letter that names a colour in the symbols' ids: `b`."""
    return colour.value.lower()


def sockets(tile: Tile) -> tuple[Socket, ...]:
    """Return the sockets of a tile's goals, in the order of the goals."""
    places = SOCKETS[len(tile.goals)]
    return tuple(Socket(x, y, _dots(goal)) for (x, y), goal in zip(places, tile.goals, strict=True))


def _dots(goal: Goal) -> tuple[Dot, ...]:
    places = DOTS[len(goal.dots)]
    return tuple(
        Dot(letter(colour), number(x - r), number(y - r), number(2 * r))
        for colour, (x, y, r) in zip(goal.dots, places, strict=True)
    )


def spot(radius: float, angle: float, size: float = 0, shift: tuple[float, float] = (0, 0)) -> Spot:
    """Return the point at `radius` and `angle`, moved by `shift`, for a thing `size` wide."""
    x = radius * sin(radians(angle)) + shift[0]
    y = -radius * cos(radians(angle)) + shift[1]
    return Spot(number(x), number(y), number(x - size / 2), number(y - size / 2))


def space_angle(space: int) -> int:
    """Return the angle of a space of the moon wheel."""
    return space * 30


def track_angle(space: int) -> int:
    """Return the angle of a space of the moon track."""
    return space * 15


def stack_spots(space: int, count: int) -> list[Spot]:
    """Return where the discs of a stack on the moon track lie, from the bottom to the top."""
    start = (-3.0 * (count - 1), 5.0 * (count - 1))
    return [
        spot(TRACK, track_angle(space), TRACK_DISC, (start[0] + 8 * place, start[1] - 12 * place))
        for place in range(count)
    ]


def beam(marker: int, last: int) -> tuple[str, str]:
    """Return the paths of the moonlight's area and edge, from the marker to the last tile in reach."""
    start, end = space_angle(marker) + 17, space_angle(last) + 15
    span = (end - start) % 360
    inner, outer = BEAM
    out = _arc(outer, start, span)
    back = f"A{inner} {inner} 0 {int(span > 180)} 0 {_at(inner, start)}"
    area = f"M{_at(inner, start)}L{out[1:]}L{_at(inner, start + span)}{back}Z"
    return area, out + _arc(inner, start, span)


def track_path(start: int, steps: int) -> str:
    """Return the path from one disc of the moon track to its next place; empty where they are neighbours."""
    return _arc(TRACK, track_angle(start) + 9, track_angle(steps) - 17) if steps > 1 else ""


def _arc(radius: float, angle: float, span: float) -> str:
    r = f"{radius:g}"
    return f"M{_at(radius, angle)}A{r} {r} 0 {int(span > 180)} 1 {_at(radius, angle + span)}"


def _at(radius: float, angle: float) -> str:
    place = spot(radius, angle)
    return f"{place.x} {place.y}"


def number(value: float) -> str:
    """Return a coordinate as SVG writes it, as short as a drawing needs it."""
    return f"{round(value, 2) + 0:g}"  # adding 0 makes -0 a plain 0


@dataclass(frozen=True)
class PlateSpace:
    """A space of the empty wheel: its socket, its moon phase, and the faint moon of an empty space."""

    number: int
    socket: Spot
    phase: Spot
    ghost: Spot


PLATE_SPACES: Sequence[PlateSpace] = tuple(
    PlateSpace(
        number=space,
        socket=spot(SPACE_REACH, space_angle(space), SOCKET),
        phase=spot(PHASE_REACH, space_angle(space), 14),
        ghost=spot(SPACE_REACH, space_angle(space), 30),
    )
    for space in range(12)
)
TRACK_NUMBERS: Sequence[Spot] = tuple(spot(TRACK, track_angle(space)) for space in range(24))
TRACK_LINES = "".join(
    f"M{_at(75.5, track_angle(space) + 7.5)}L{_at(100.5, track_angle(space) + 7.5)}" for space in range(24)
)
