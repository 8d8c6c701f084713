"""The parts of the board as they are drawn: tiles, displays, the moon wheel with the moon track."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.engine import Cell, Display, GoalAt, MoonTrack, Position, Tile
from games.geometry import (
    DISC,
    PLATE_SPACES,
    RING,
    SPACE_REACH,
    TRACK_NUMBERS,
    PlateSpace,
    Spot,
    beam,
    number,
    sockets,
    space_angle,
    spot,
    stack_spots,
    track_path,
)
from games.words import Person

TRACK_SPACES = 24
WIDE = 10  # columns or rows from which a small picture scrolls


@dataclass(frozen=True)
class DrawnDisc:
    """A disc on a goal, or one that would be placed there, with the place of the ring around it."""

    x: str
    y: str
    is_coming: bool
    ring_x: str
    ring_y: str


@dataclass(frozen=True)
class DrawnTile:
    """A tile by its code, the discs on its goals, and its description."""

    code: str
    label: str
    discs: tuple[DrawnDisc, ...] = ()


@dataclass(frozen=True)
class DrawnCell:
    """A cell of a display: a tile, a cell where the chosen tile may go, or the chosen tile on trial."""

    x: int
    y: int
    name: str
    tile: DrawnTile | None = None
    is_trial: bool = False
    gain: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the chosen tile may go here."""
        return self.tile is None or self.is_trial

    @property
    def label(self) -> str:
        """What a screen reader says of the cell."""
        if self.tile and not self.is_open:
            return f"{self.name}: {self.tile.label}"
        name = _("Place at %(cell)s") % {"cell": self.name}
        if not self.gain:
            return _("%(place)s: covers no goal") % {"place": name}
        return _("%(place)s: covers %(goals)s") % {"place": name, "goals": words.goals(self.gain)}


@dataclass(frozen=True)
class DrawnDisplay:
    """A display in its own coordinates, `x0` and `y0` being its top left cell; cells row by row."""

    person: Person
    cells: tuple[DrawnCell, ...]
    x0: int
    y0: int
    cols: int
    rows: int
    tiles: int

    @property
    def label(self) -> str:
        """Whose display it is, and how large."""
        count = ngettext("%(count)d tile", "%(count)d tiles", self.tiles) % {"count": self.tiles}
        return _("%(name)s, %(tiles)s") % {"name": self.person.name, "tiles": count}

    @property
    def is_wide(self) -> bool:
        """Whether the picture is too wide for its frame, which then scrolls."""
        return self.cols > WIDE or self.rows > WIDE


def draw_display(
    display: Display,
    person: Person,
    *,
    open_cells: Mapping[Cell, int] | None = None,
    trial: tuple[Cell, Tile] | None = None,
    coming: Collection[GoalAt] = (),
    margin: bool = False,
) -> DrawnDisplay:
    """Return a display as it is drawn.

    `open_cells` are those to choose from with the number of goals each would cover, `trial` the tile that
    lies on one of them for now, and `coming` the goals that it would cover. With `margin` there is room for
    all cells where a next tile may lie, so that nothing moves when a tile is chosen.
    """
    open_cells = open_cells or {}
    tiles = dict(display.tiles)
    cells = [
        DrawnCell(cell.x, cell.y, cell.name, draw_tile(tile, cell, display.covered, coming))
        for cell, tile in tiles.items()
    ]
    for cell, gain in open_cells.items():
        if trial and cell == trial[0]:
            drawn = draw_tile(trial[1], cell, (), coming)
            cells.append(DrawnCell(cell.x, cell.y, cell.name, drawn, is_trial=True, gain=gain))
        else:
            cells.append(DrawnCell(cell.x, cell.y, cell.name, gain=gain))
    room = [*tiles, *(display.cells if margin else ())] or [Cell(0, 0)]
    xs, ys = [cell.x for cell in room], [cell.y for cell in room]
    return DrawnDisplay(
        person=person,
        cells=tuple(sorted(cells, key=lambda cell: (cell.y, cell.x))),
        x0=min(xs),
        y0=min(ys),
        cols=max(xs) - min(xs) + 1,
        rows=max(ys) - min(ys) + 1,
        tiles=len(tiles),
    )


def draw_tile(
    tile: Tile, cell: Cell | None = None, covered: Collection[GoalAt] = (), coming: Collection[GoalAt] = ()
) -> DrawnTile:
    """Return a tile as it is drawn, with its discs where it lies on a `cell`."""
    if cell is None:
        return DrawnTile(tile.code, words.described(tile))
    has_disc = [nth for nth in range(len(tile.goals)) if GoalAt(cell, nth) in covered]
    gets_disc = [nth for nth in range(len(tile.goals)) if GoalAt(cell, nth) in coming]
    places = sockets(tile)
    discs = tuple(
        DrawnDisc(
            x=number(places[nth].x - DISC / 2),
            y=number(places[nth].y - DISC / 2),
            is_coming=nth in gets_disc,
            ring_x=number(places[nth].x - RING / 2),
            ring_y=number(places[nth].y - RING / 2),
        )
        for nth in sorted({*has_disc, *gets_disc})
    )
    return DrawnTile(tile.code, words.described(tile, has_disc, gets_disc), discs)


@dataclass(frozen=True)
class WheelTile:
    """A tile on a space of the moon wheel."""

    space: int
    tile: DrawnTile
    name: str
    in_reach: bool
    is_chosen: bool


@dataclass(frozen=True)
class TrackDisc:
    """A player's disc on the moon track."""

    seat: int
    spot: Spot


@dataclass(frozen=True)
class DrawnTrack:
    """The moon track: discs from the bottom up, the mover's ring, and where the chosen tile would lead."""

    numbers: tuple[tuple[int, Spot], ...]
    discs: tuple[TrackDisc, ...]
    ring: Spot | None
    path: str
    landing: TrackDisc | None
    told: tuple[str, ...]


@dataclass(frozen=True)
class DrawnWheel:
    """The moon wheel. `can_take` tells whether the viewer may take a tile now: then the moonlight shows."""

    tiles: tuple[WheelTile, ...]
    empty: tuple[PlateSpace, ...]
    marker: Spot
    marker_angle: int
    can_take: bool
    beam: tuple[str, str] | None
    draw_pile: int
    track: DrawnTrack | None


def draw_wheel(
    position: Position, *, can_take: bool, chosen: Tile | None, track: DrawnTrack | None
) -> DrawnWheel:
    """Return the moon wheel as it is drawn."""
    wheel = position.wheel
    reach = wheel.in_reach if can_take else ()
    tiles = tuple(
        WheelTile(space, draw_tile(tile), words.named(tile), space in reach, tile == chosen)
        for space, tile in enumerate(wheel.spaces)
        if tile
    )
    # The next tile clockwise first, as they may be taken.
    clockwise = sorted(tiles, key=lambda tile: (tile.space - wheel.marker) % len(wheel.spaces))
    return DrawnWheel(
        tiles=tuple(clockwise),
        empty=tuple(
            space
            for space in PLATE_SPACES
            if space.number not in (0, wheel.marker) and not wheel.spaces[space.number]
        ),
        marker=spot(SPACE_REACH, space_angle(wheel.marker)),
        marker_angle=space_angle(wheel.marker),
        can_take=can_take,
        beam=beam(wheel.marker, reach[-1]) if reach else None,
        draw_pile=position.draw_pile,
        track=track,
    )


def draw_track(
    track: MoonTrack, people: Sequence[Person], mover: int | None, chosen: Tile | None
) -> DrawnTrack:
    """Return the moon track as it is drawn; with the tile that `mover` has chosen, where it leads."""
    discs = [
        TrackDisc(seat, place)
        for space, stack in track.stacks.items()
        for seat, place in zip(stack, stack_spots(space, len(stack)), strict=True)
    ]
    path, landing, passed = "", None, set(track.stacks)
    if chosen is not None and mover is not None:
        start = track.time[mover] % TRACK_SPACES
        end = (start + chosen.cost) % TRACK_SPACES
        passed |= {(start + step) % TRACK_SPACES for step in range(1, chosen.cost + 1)}
        path = track_path(start, chosen.cost)
        height = len(track.stacks.get(end, ()))
        landing = TrackDisc(mover, stack_spots(end, height + 1)[-1])
    return DrawnTrack(
        numbers=tuple((space, TRACK_NUMBERS[space]) for space in range(TRACK_SPACES) if space not in passed),
        discs=tuple(discs),
        ring=next((disc.spot for disc in discs if disc.seat == mover), None),
        path=path,
        landing=landing,
        told=tuple(_told_stack(space, stack, people) for space, stack in sorted(track.stacks.items())),
    )


def _told_stack(space: int, stack: Sequence[int], people: Sequence[Person]) -> str:
    who = [_("you") if people[seat].is_you else people[seat].name for seat in reversed(stack)]
    told = _("Space %(space)d: %(names)s") % {"space": space, "names": get_text_list(who, _("and"))}
    return _("%(stack)s, from the top down") % {"stack": told} if len(who) > 1 else told
