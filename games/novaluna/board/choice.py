"""What a player has chosen on the page so far, which part of it is legal, and the step to each option."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from games import marked
from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import (
    ORIGIN,
    Cell,
    GoalAt,
    MoonTrack,
    MultiplayerPosition,
    Place,
    Position,
    RefillRule,
    SoloPosition,
    Step,
    Tile,
    Wheel,
)


@dataclass(frozen=True)
class Choice:
    """The tile and cell that the viewer has chosen so far, not yet checked."""

    tile: str | None = None
    cell: Cell | None = None


NOTHING_CHOSEN = Choice()


def page_query(at: int | None = None, choice: Choice = NOTHING_CHOSEN) -> str:
    """Return the query of a page that shows action `at` (None: the newest) with this choice.

    >>> page_query(3, Choice("B1", Cell(2, -1)))
    '?at=3&tile=B1&x=2&y=-1'
    >>> page_query()
    ''
    """
    fields: dict[str, object] = {} if at is None else {"at": at}
    if choice.tile is not None:
        fields["tile"] = choice.tile
        if choice.cell is not None:
            fields |= {"x": choice.cell.x, "y": choice.cell.y}
    return f"?{urlencode(fields)}" if fields else ""


@dataclass(frozen=True)
class CheckedChoice:
    """The legal part of a choice, all options, and why the rest of the choice is not legal.

    `options` maps each tile in reach and each cell for it to the step of that place action. It is empty if
    the viewer may not take a tile now. If they choose for a plan (`is_plan`), it has all tiles on the wheel.
    """

    tile: Tile | None = None
    cell: Cell | None = None
    options: Mapping[Tile, Mapping[Cell, Step]] = field(default_factory=dict)
    problem: str = ""
    is_plan: bool = False

    @property
    def steps(self) -> Mapping[Cell, Step]:
        """The step for each cell of the chosen tile; empty without a tile."""
        return self.options[self.tile] if self.tile is not None else {}

    @property
    def step(self) -> Step | None:
        """The step that the viewer can confirm; None until tile and cell are chosen."""
        return self.steps[self.cell] if self.cell is not None else None

    @property
    def as_choice(self) -> Choice:
        """The legal part as a `Choice`, for `page_query`."""
        return Choice(self.tile.code if self.tile else None, self.cell)


@dataclass(frozen=True)
class RefillOffer:
    """Whether the viewer may or must refill the wheel, and a sentence that explains it."""

    is_allowed: bool
    is_forced: bool
    explanation: str

    @property
    def is_free(self) -> bool:
        """Whether the viewer may refill, but need not."""
        return self.is_allowed and not self.is_forced


class Steps(Mapping[Cell, Step]):
    """The step of a tile on each free cell of a display. Each is worked out when it is needed first."""

    def __init__(self, position: Position, seat: int, tile: Tile) -> None:
        """Take a position in which the seat is to move and the tile is in reach."""
        self._position, self._seat, self._tile = position, seat, tile
        self._cells = position.displays[seat].free_cells
        self._steps: dict[Cell, Step] = {}

    def __getitem__(self, cell: Cell) -> Step:
        """Return the step of the tile on a cell. Raises KeyError if the cell is not free."""
        if cell not in self._steps:
            if cell not in self._cells:
                raise KeyError(cell)
            self._steps[cell] = self._position.apply(Place(self._seat, self._tile.code, *cell))
        return self._steps[cell]

    def __iter__(self) -> Iterator[Cell]:
        """Yield the free cells in their order."""
        return iter(self._cells)

    def __len__(self) -> int:
        """Return the number of free cells."""
        return len(self._cells)

    def goals_covered(self) -> dict[Cell, tuple[GoalAt, ...]]:
        """Return the goals that the tile covers, for each cell where it covers any, without playing it."""
        position, seat = self._position, self._seat
        goals = {cell: position.goals_covered_by(seat, self._tile, cell) for cell in self._cells}
        return {cell: covered for cell, covered in goals.items() if covered}

    def tile_on(self, cell: Cell, placed_on: Cell) -> Tile:
        """Return the tile of the display on `cell` after this tile was placed on another one, or there."""
        return self._tile if cell == placed_on else self._position.displays[self._seat].tiles[cell]


def options_of(view: GameView, *, is_planning: bool) -> Mapping[Tile, Steps]:
    """Return the steps of each tile that the viewer can choose now, or for their plan."""
    if is_planning:
        return _planned_options(view) if view.can_add_wish else {}
    return _options(view.position) if view.chooser is not None else {}


def check_choice(choice: Choice, view: GameView, *, is_planning: bool = False) -> CheckedChoice:
    """Return the legal part of a choice: none on a past board.

    On another player's turn the viewer can choose for a plan.
    """
    position = view.position
    can_choose = view.chooser is not None
    if view.can_plan and (is_planning or choice.tile is not None):
        return _check_wish(choice, view)
    options = options_of(view, is_planning=False)
    if choice.tile is None or view.is_past:
        return CheckedChoice(options=options)
    if not can_choose:
        return CheckedChoice(
            problem="" if position.over else _("It is not your turn, so you can't choose a tile now.")
        )
    if position.refill is RefillRule.FORCED:
        return CheckedChoice(problem=_("The wheel is empty. Refill it before you take a tile."))
    tile = next((tile for tile in options if tile.code == choice.tile), None)
    if tile is None:
        problem = _("You can't take that tile now. Take one of the next three, in the moonlight.")
        return CheckedChoice(options=options, problem=problem)
    if choice.cell is None or choice.cell in options[tile]:
        return CheckedChoice(tile, choice.cell, options)
    problem = _("You can't place the tile on %(cell)s. Choose one of the dashed cells.") % {
        "cell": _("the first tile") if choice.cell == ORIGIN else marked.name(choice.cell.name)
    }
    return CheckedChoice(tile, None, options, problem)


def _options(position: Position) -> dict[Tile, Steps]:
    """Return the step of every place action of the seat to move."""
    seat = position.to_move
    if seat is None or position.refill is RefillRule.FORCED:
        return {}
    return {tile: Steps(position, seat, tile) for tile in position.in_reach}


def _check_wish(choice: Choice, view: GameView) -> CheckedChoice:
    """Return the part of a choice that can be a wish of the viewer's plan."""
    if not view.can_add_wish:
        problem = _("Your plan is full. Remove a move to add another one.") if choice.tile else ""
        return CheckedChoice(problem=problem, is_plan=True)
    options = options_of(view, is_planning=True)
    tile = next((tile for tile in options if tile.code == choice.tile), None)
    if tile is None:
        problem = _("That tile is not on the wheel any more. Choose another one.") if choice.tile else ""
        return CheckedChoice(options=options, problem=problem, is_plan=True)
    if choice.cell is None or choice.cell in options[tile]:
        return CheckedChoice(tile, choice.cell, options, is_plan=True)
    problem = _("You can't place the tile there. Choose one of the dashed cells.")
    return CheckedChoice(tile, None, options, problem, is_plan=True)


def _planned_options(view: GameView) -> dict[Tile, Steps]:
    """Return the viewer's steps for each tile on the wheel, as if they were to move and the tile in reach.

    Goals, discs and time of these steps are exact, because nobody else changes them before the turn. What
    the steps say about the others is not.
    """
    position, seat = view.newest, view.viewer
    assert isinstance(position, MultiplayerPosition)
    assert seat is not None
    track = position.track
    others = tuple(other for other in track.order if other != seat)
    as_mover = replace(position, track=MoonTrack(track.time, (seat, *others)))
    options = {}
    for space, tile in enumerate(position.wheel.spaces):
        if tile:
            before = replace(as_mover, wheel=Wheel(space - 1, position.wheel.spaces))
            options[tile] = Steps(before, seat, tile)
    return options


def refill_offer(position: Position) -> RefillOffer:
    """Return whether the seat to move may refill the wheel, and why."""
    count, pile = position.refill_size, position.draw_pile
    explanation: str = ngettext(
        "A refill adds %(count)d tile. You can't undo it.",
        "A refill adds %(count)d tiles. You can't undo it.",
        count,
    ) % {"count": count}
    if isinstance(position, SoloPosition):
        ends = _("It ends phase 1 with a score of %(score)d.") % {"score": position.current_phase_score}
        explanation = f"{explanation} {ends}"
    if position.refill is RefillRule.NOT_ALLOWED:
        if not isinstance(position, SoloPosition):
            explanation = (
                _("You can refill when only one or two tiles are left on the wheel.")
                if pile
                else _("You can't refill: the draw pile is empty.")
            )
        elif position.phase == 1:
            explanation = _("You can refill after you have placed the eight discs of the first stack.")
        else:
            explanation = _("You can't refill again: a solo game has only one refill.")
    return RefillOffer(
        is_allowed=position.refill is not RefillRule.NOT_ALLOWED,
        is_forced=position.refill is RefillRule.FORCED,
        explanation=explanation,
    )
