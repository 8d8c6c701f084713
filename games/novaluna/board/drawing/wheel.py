"""The drawing of the moon wheel and the moon track."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.novaluna.board.choice import CheckedChoice, Choice, page_query
from games.novaluna.board.drawing.displays import DrawnTile, draw_tile
from games.novaluna.board.drawing.geometry import (
    SPACE_RADIUS,
    TRACK_NUMBERS,
    WHEEL_SPACES,
    Moonlight,
    Point,
    WheelSpace,
    moonlight,
    point_at,
    space_angle,
    stack_points,
    track_angle,
    track_path,
)
from games.novaluna.engine import TRACK_SPACES, MoonTrack, Position, Tile
from games.shown.words import join_words
from games.titles.people import Person

NO_CHOICE = CheckedChoice()


@dataclass(frozen=True)
class WheelTile:
    """A tile on a space of the moon wheel."""

    space: int
    tile: DrawnTile
    label: str
    in_reach: bool
    can_choose: bool  # in reach, or for a plan
    reach_number: int  # 1 to 3 for the tiles in reach, 0 for the others
    is_chosen: bool
    query: str  # of the page on which this tile is chosen


@dataclass(frozen=True)
class TrackDisc:
    """A player's disc on the moon track."""

    seat: int
    point: Point
    angle: int  # of its space, clockwise from the top


@dataclass(frozen=True)
class Landing:
    """What a tile does on the moon track: the path of the mover's disc, and the disc on its new space."""

    tile: str
    disc: TrackDisc
    path: str
    is_shown: bool


@dataclass(frozen=True)
class DrawnTrack:
    """The moon track: discs from the bottom up, the mover's ring, and a landing for each tile to choose."""

    numbers: tuple[tuple[int, Point], ...]
    discs: tuple[TrackDisc, ...]
    ring: Point | None
    landings: tuple[Landing, ...]
    stack_texts: tuple[str, ...]


@dataclass(frozen=True)
class DrawnWheel:
    """The moon wheel, with moonlight on the tiles in reach: faint unless the viewer `can_take` one."""

    tiles: tuple[WheelTile, ...]
    empty: tuple[WheelSpace, ...]
    marker: Point
    marker_angle: int
    can_take: bool
    moonlight: Moonlight | None
    draw_pile: int
    track: DrawnTrack | None


def draw_wheel(
    position: Position, choice: CheckedChoice = NO_CHOICE, *, track: DrawnTrack | None
) -> DrawnWheel:
    """Return the drawing of the moon wheel. The links of its tiles keep a chosen cell."""
    wheel, can_take = position.wheel, bool(choice.options) and not choice.is_plan
    reach = () if position.over else wheel.spaces_in_reach
    tiles = []
    for space, tile in enumerate(wheel.spaces):
        if tile:
            in_reach = space in reach
            can_choose = tile in choice.options
            drawn = draw_tile(tile)
            label = "%(tile)s"
            if can_take and not in_reach:
                label = _("Out of reach: %(tile)s")
            elif in_reach:
                label = _("In reach: %(tile)s")
            if can_choose:
                label = _("Plan to take %(tile)s") if choice.is_plan else _("Take %(tile)s")
            tiles.append(
                WheelTile(
                    space=space,
                    tile=drawn,
                    label=label % {"tile": drawn.label},
                    in_reach=in_reach,
                    can_choose=can_choose,
                    reach_number=reach.index(space) + 1 if in_reach else 0,
                    is_chosen=tile == choice.tile,
                    query=page_query(choice=Choice(tile.code, choice.cell)),
                )
            )
    # Clockwise from the marker, so that the tiles in reach are first.
    clockwise = sorted(tiles, key=lambda tile: (tile.space - wheel.marker) % len(wheel.spaces))
    return DrawnWheel(
        tiles=tuple(clockwise),
        empty=tuple(
            space
            for space in WHEEL_SPACES
            if space.number not in (0, wheel.marker) and not wheel.spaces[space.number]
        ),
        marker=point_at(SPACE_RADIUS, space_angle(wheel.marker)),
        marker_angle=space_angle(wheel.marker),
        can_take=can_take,
        moonlight=moonlight(wheel.marker, reach) if reach else None,
        draw_pile=position.draw_pile,
        track=track,
    )


def draw_track(
    track: MoonTrack,
    people: Sequence[Person],
    mover: int | None,
    options: Collection[Tile] = (),
    chosen: Tile | None = None,
    chooser: int = 0,
) -> DrawnTrack:
    """Return the drawing of the moon track, with the landings of `chooser` for the tiles in `options`."""
    discs = [
        TrackDisc(seat, point, track_angle(space))
        for space, stack in track.stacks.items()
        for seat, point in zip(stack, stack_points(space, len(stack)), strict=True)
    ]
    return DrawnTrack(
        numbers=tuple(
            (space, point) for space, point in enumerate(TRACK_NUMBERS) if space not in track.stacks
        ),
        discs=tuple(discs),
        ring=next((disc.point for disc in discs if disc.seat == mover), None),
        landings=tuple(_landing(track, chooser, tile, is_shown=tile == chosen) for tile in options),
        stack_texts=tuple(_stack_text(space, stack, people) for space, stack in sorted(track.stacks.items())),
    )


def _landing(track: MoonTrack, chooser: int, tile: Tile, *, is_shown: bool) -> Landing:
    start = track.time[chooser] % TRACK_SPACES
    end = (start + tile.cost) % TRACK_SPACES
    height = len(track.stacks.get(end, ())) + 1
    disc = TrackDisc(chooser, stack_points(end, height)[-1], track_angle(end))
    return Landing(tile.code, disc, track_path(start, tile.cost), is_shown)


def _stack_text(space: int, stack: Sequence[int], people: Sequence[Person]) -> str:
    who = [_("you") if people[seat].is_you else people[seat].name for seat in reversed(stack)]
    text = _("Space %(space)d: %(names)s") % {"space": space, "names": join_words(who)}
    return _("%(stack)s, from the top down") % {"stack": text} if len(who) > 1 else text
