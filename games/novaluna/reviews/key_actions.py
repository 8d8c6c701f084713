"""The key actions of a review: the action played and the better action, as pictures and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.marked import gettext as _
from games.novaluna.board.decision import lead_began, rivals
from games.novaluna.board.drawing.displays import DrawnTile, draw_display
from games.novaluna.board.drawing.geometry import (
    SPACE_RADIUS,
    SPACE_WIDTH,
    Point,
    number,
    point_at,
    space_angle,
)
from games.novaluna.board.drawing.wheel import DrawnWheel, draw_track, draw_wheel
from games.novaluna.board.events import describe_action, describe_step
from games.novaluna.board.game_view import GameView
from games.novaluna.board.try_line import better_line
from games.novaluna.board.words import format_goals, tile_name
from games.novaluna.board.worth import describe_loss
from games.novaluna.bots.face import Worth
from games.novaluna.engine import (
    TILES,
    Cell,
    Display,
    Ending,
    GoalAt,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
)
from games.novaluna.reviews.advice import Advice, advise
from games.shown.kept import keep_latest
from games.shown.words import join_words
from games.titles.people import Person
from games.titles.try_lines import BetterLine

# Lengths in a picture of a display, in units of its SVG. The templates also draw a tile 100 wide and high.
TILE, GAP, MARGIN = 100, 5, 10
PITCH = TILE + GAP
# The size of the letters along the edges: larger in a wide picture, which is shown smaller.
LEAST_LETTER, MOST_LETTER, LETTER_PER_COLUMN = 24, 44, 6.5
LETTER_WIDTH = 0.8  # as a part of the size, with some space

KEPT_KEY_ACTIONS = 128  # a review has three


@dataclass(frozen=True)
class Mistake:
    """An action that gave something away, the better one, and their comparison in words.

    `line` has the actions that the expert expects after the better one.
    """

    number: int  # number of the action in the log
    played: Place | Refill
    better: Place | Refill
    line: tuple[Place | Refill, ...]
    loss: Worth
    comparison: str


@dataclass(frozen=True)
class Label:
    """The name of a column or row on the edge of a picture, and where it is."""

    x: str
    y: str
    text: str


@dataclass(frozen=True)
class Frame:
    """The rectangle that a picture of a display shows, its width in cells, and the names on its edges."""

    view_box: str  # as the attribute of an SVG
    cols: int
    letter: str  # the size of the names
    columns: tuple[Label, ...]
    rows: tuple[Label, ...]


@dataclass(frozen=True)
class DisplayPicture:
    """A display as it is after an action.

    `tiles` has the left, the top and the drawing of each tile. `new` is the left and the top of the tile that
    the action placed; None for a refill.
    """

    caption: str
    label: str
    frame: Frame
    seat: int
    tiles: tuple[tuple[int, int, DrawnTile], ...]
    new: tuple[int, int] | None


@dataclass(frozen=True)
class WheelPicture:
    """The moon wheel before an action.

    `played` and `better` are the places of the tile that was taken and of the better tile; None for a refill.
    """

    label: str
    wheel: DrawnWheel
    tiles: tuple[tuple[DrawnTile, Point], ...]
    played: Point | None
    better: Point | None


@dataclass(frozen=True)
class KeyAction:
    """A key action: the action played and what it lost, advice, and pictures of both actions."""

    mistake: Mistake
    person: Person
    played: str
    lead: str  # that the player was ahead from here on; or empty
    loss: str
    advice: Advice
    played_display: DisplayPicture
    better_display: DisplayPicture
    wheel: WheelPicture

    @property
    def better_line(self) -> BetterLine | None:
        """The better action and what the expert expects after it; None if it is a refill."""
        return better_line(self.mistake.number, self.mistake.better, self.mistake.line)


@keep_latest(KEPT_KEY_ACTIONS)
def build_key_action(mistake: Mistake, view: GameView) -> KeyAction:
    """Return a key action with the advice and pictures for its page."""
    view = view.as_played(mistake.number)
    position, person = view.position_after(mistake.number - 1), view.people[mistake.played.seat]
    frame = _frame_of(position.displays[person.seat], mistake.played, mistake.better)
    return KeyAction(
        mistake=mistake,
        person=person,
        played=describe_step(view.steps[mistake.number - 1], view),
        lead=_describe_lead(mistake, view),
        loss=describe_loss(mistake.loss),
        advice=advise(view, mistake.number, mistake.better, mistake.loss, mistake.line),
        played_display=_draw_display_after(mistake.played, position, person, frame, _("Played")),
        better_display=_draw_display_after(mistake.better, position, person, frame, _("Better")),
        wheel=_draw_wheel_before(mistake, position, view.people),
    )


def _describe_lead(mistake: Mistake, view: GameView) -> str:
    """Return that the result names this action as the one that decided the game; empty if it does not."""
    position = view.newest
    if not isinstance(position, MultiplayerPosition) or position.winner != mistake.played.seat:
        return ""
    if position.ending is Ending.LEFT or rivals(position, position.winner):
        return ""
    if lead_began(view, position.winner) != mistake.number:
        return ""
    person = view.people[position.winner]
    if person.is_you:
        return _("From here on, you had the fewest discs left, but you could have gained more.")
    return _("From here on, %(name)s had the fewest discs left, but could have gained more.") % {
        "name": person.name
    }


def _frame_of(display: Display, *actions: Place | Refill) -> Frame:
    """Return the rectangle that contains the display and the tiles of all actions."""
    cells = [*display.tiles, *(action.cell for action in actions if isinstance(action, Place))]
    xs, ys = [cell.x for cell in cells] or [0], [cell.y for cell in cells] or [0]
    x0, y0, cols, rows = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    columns = [Cell(x0 + col, 0).name for col in range(cols)]
    row_names = [Cell(0, y0 + row).name for row in range(rows)]
    letter = min(MOST_LETTER, max(LEAST_LETTER, LETTER_PER_COLUMN * cols))
    edge = letter * LETTER_WIDTH * max(map(len, row_names))
    left, top = x0 * PITCH - MARGIN, y0 * PITCH - MARGIN
    box = (
        left - edge,
        top - letter,
        cols * PITCH - GAP + 2 * MARGIN + edge,
        rows * PITCH - GAP + 2 * MARGIN + letter,
    )
    return Frame(
        view_box=" ".join(map(number, box)),
        cols=cols,
        letter=number(letter),
        columns=tuple(
            Label(number((x0 + col) * PITCH + TILE / 2), number(top - letter / 2), name)
            for col, name in enumerate(columns)
        ),
        rows=tuple(
            Label(number(left - edge / 2), number((y0 + row) * PITCH + TILE / 2), name)
            for row, name in enumerate(row_names)
        ),
    )


def _draw_display_after(
    action: Place | Refill, position: Position, person: Person, frame: Frame, title: str
) -> DisplayPicture:
    display, cell = position.displays[action.seat], None
    covers: tuple[GoalAt, ...] = ()
    if isinstance(action, Place):
        covers, cell = position.apply(action).goals_covered, action.cell
        display = display.with_tile(TILES[action.tile], cell)
    drawn = draw_display(display, person, covers={cell: covers} if cell else None, chosen_cell=cell)
    return DisplayPicture(
        caption=_("%(caption)s: %(action)s") % {"caption": title, "action": describe_action(action)},
        label=_("%(display)s, %(goals)s covered by this action")
        % {"display": drawn.label, "goals": format_goals(len(covers))},
        frame=frame,
        seat=person.seat,
        tiles=tuple((one.x * PITCH, one.y * PITCH, one.tile) for one in drawn.cells if one.tile),
        new=(cell.x * PITCH, cell.y * PITCH) if cell else None,
    )


def _draw_wheel_before(mistake: Mistake, position: Position, people: Sequence[Person]) -> WheelPicture:
    track = (
        draw_track(position.track, people, position.to_move)
        if isinstance(position, MultiplayerPosition)
        else None
    )
    wheel = draw_wheel(position, track=track)
    names = [tile_name(TILES[tile.tile.code]) for tile in wheel.tiles]
    return WheelPicture(
        label=_("Moon wheel before the action, clockwise from the marker: %(tiles)s")
        % {"tiles": join_words(names)},
        wheel=wheel,
        tiles=tuple((tile.tile, _point_on_wheel(tile.space)) for tile in wheel.tiles),
        played=_point_of_tile(mistake.played, position),
        better=_point_of_tile(mistake.better, position),
    )


def _point_of_tile(action: Place | Refill, position: Position) -> Point | None:
    """Return the place on the wheel of the tile that an action takes; None for a refill."""
    if isinstance(action, Refill):
        return None
    codes = [tile and tile.code for tile in position.wheel.spaces]
    return _point_on_wheel(codes.index(action.tile))


def _point_on_wheel(space: int) -> Point:
    return point_at(SPACE_RADIUS, space_angle(space), SPACE_WIDTH)
