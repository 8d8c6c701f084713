"""The turns of a review that mattered most: what was played and what was better, drawn and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.board.drawing.displays import DrawnTile, draw_display
from games.board.drawing.geometry import SPACE_RADIUS, SPACE_WIDTH, Point, point_at, space_angle
from games.board.drawing.wheel import DrawnWheel, draw_track, draw_wheel
from games.board.events import describe_action, describe_step
from games.board.game_view import GameView, Person
from games.board.words import format_goals, join_words, tile_name
from games.engine import TILES, Display, GoalAt, MultiplayerPosition, Place, Position, Refill
from games.reviews.advice import describe_better, reasons

TILE, PITCH = 100, 105  # the width of a tile as it is drawn, and the way to the next one


@dataclass(frozen=True)
class Mistake:
    """A turn that gave something away, as figures and actions; `query` is of the page as it was before."""

    nth: int
    number: int
    played: Place | Refill
    better: Place | Refill
    gave_away: str
    compared: str
    query: str


@dataclass(frozen=True)
class Room:
    """The part of the plane that a display takes, as an SVG's view box, and the length of its rows."""

    box: str
    cols: int


@dataclass(frozen=True)
class Shot:
    """A display with the tile of one action on it, drawn in hundredths of a tile.

    `new` is where that tile lies; no action but a place brings one.
    """

    caption: str
    label: str
    room: Room
    seat: int
    tiles: Sequence[tuple[int, int, DrawnTile]]
    new: tuple[int, int] | None


@dataclass(frozen=True)
class ShownWheel:
    """The moon wheel before a turn, and on it what was taken and what was better."""

    label: str
    plate: DrawnWheel
    tiles: Sequence[tuple[DrawnTile, Point]]
    played: Point | None
    better: Point | None


@dataclass(frozen=True)
class KeyTurn:
    """A turn that mattered: what was played, what was better and why, both drawn on the board as it was."""

    turn: Mistake
    person: Person
    played: str
    better: str
    reasons: Sequence[str]
    shot: Shot
    better_shot: Shot
    wheel: ShownWheel


def key_turn(turn: Mistake, view: GameView) -> KeyTurn:
    """Return a turn that mattered, with the reasons and drawings of its page."""
    position, person = view.position_after(turn.number - 1), view.people[turn.played.seat]
    room = _room(position.displays[person.seat], turn.played, turn.better)
    return KeyTurn(
        turn=turn,
        person=person,
        played=describe_step(view.steps[turn.number - 1], view),
        better=describe_better(turn.played, turn.better),
        reasons=reasons(view, turn.number, turn.better),
        shot=_shot(_("Played"), position, turn.played, person, room),
        better_shot=_shot(_("Better"), position, turn.better, person, room),
        wheel=_wheel(position, turn, view.people),
    )


def _room(display: Display, *actions: Place | Refill) -> Room:
    """Return the part of the plane that shows a display with the tiles of both actions."""
    cells = [*display.tiles, *(action.cell for action in actions if isinstance(action, Place))]
    xs, ys = [cell.x for cell in cells] or [0], [cell.y for cell in cells] or [0]
    cols, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    margin = 10
    left, top = min(xs) * PITCH - margin, min(ys) * PITCH - margin
    return Room(f"{left} {top} {cols * PITCH + 2 * margin - 5} {rows * PITCH + 2 * margin - 5}", cols)


def _shot(caption: str, position: Position, action: Place | Refill, person: Person, room: Room) -> Shot:
    display, cell = position.displays[action.seat], None
    covers: tuple[GoalAt, ...] = ()
    if isinstance(action, Place):
        covers, cell = position.apply(action).goals_covered, action.cell
        display = display.with_tile(TILES[action.tile], cell)
    drawn = draw_display(display, person, covers={cell: covers} if cell else None, chosen_cell=cell)
    return Shot(
        caption=_("%(caption)s: %(action)s") % {"caption": caption, "action": describe_action(action)},
        label=_("%(display)s, %(goals)s covered by this turn")
        % {"display": drawn.label, "goals": format_goals(len(covers))},
        room=room,
        seat=person.seat,
        tiles=[(one.x * PITCH, one.y * PITCH, one.tile) for one in drawn.cells if one.tile],
        new=(cell.x * PITCH, cell.y * PITCH) if cell else None,
    )


def _wheel(position: Position, turn: Mistake, people: Sequence[Person]) -> ShownWheel:
    track = (
        draw_track(position.track, people, position.to_move)
        if isinstance(position, MultiplayerPosition)
        else None
    )
    plate = draw_wheel(position, track=track)
    names = [tile_name(TILES[tile.tile.code]) for tile in plate.tiles]
    return ShownWheel(
        label=_("Moon wheel before the turn, clockwise from the marker: %(tiles)s")
        % {"tiles": join_words(names)},
        plate=plate,
        tiles=[(tile.tile, _on_wheel(tile.space)) for tile in plate.tiles],
        played=_taken(position, turn.played),
        better=_taken(position, turn.better),
    )


def _taken(position: Position, action: Place | Refill) -> Point | None:
    """Return where on the wheel the tile lies that an action takes."""
    if isinstance(action, Refill):
        return None
    codes = [tile and tile.code for tile in position.wheel.spaces]
    return _on_wheel(codes.index(action.tile))


def _on_wheel(space: int) -> Point:
    return point_at(SPACE_RADIUS, space_angle(space), SPACE_WIDTH)
