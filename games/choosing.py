"""What a player has chosen on the page so far, and what would come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import (
    ORIGIN,
    Cell,
    GoalAt,
    GoalsCompleted,
    Place,
    Position,
    RefillRule,
    SoloPosition,
    Step,
    Tile,
)


@dataclass(frozen=True)
class Choice:
    """What the viewer has chosen so far; not yet checked."""

    tile: str | None = None
    cell: Cell | None = None


NOTHING_CHOSEN = Choice()


@dataclass(frozen=True)
class Chosen:
    """The part of a choice that is legal, what else could be chosen, and what is wrong with the rest.

    `options` holds what every tile in reach would bring about on every cell; nothing where the viewer may
    not take a tile now.
    """

    tile: Tile | None = None
    cell: Cell | None = None
    options: Mapping[Tile, Mapping[Cell, Step]] = field(default_factory=dict)
    problem: str = ""

    @property
    def steps(self) -> Mapping[Cell, Step]:
        """What the chosen tile would bring about on each cell."""
        return self.options[self.tile] if self.tile is not None else {}

    @property
    def trial(self) -> Step | None:
        """What confirming would bring about, once tile and cell are chosen."""
        return self.steps[self.cell] if self.cell is not None else None


@dataclass(frozen=True)
class RefillOffer:
    """Whether the viewer may or must refill the wheel, and a word about it."""

    is_allowed: bool
    is_forced: bool
    about: str


def check(choice: Choice, position: Position, seat: int | None, *, is_past: bool = False) -> Chosen:
    """Return what is legal of a choice by `seat`; None may choose nothing now, and nobody in the past."""
    options = _options(position, seat)
    if choice.tile is None:
        return Chosen(options=options)
    if is_past:
        return Chosen(problem=_("This is a look at the past. Go back to now to choose a tile."))
    if seat is None:
        return Chosen(problem="" if position.over else _("It is not your turn: nothing can be chosen now."))
    if position.refill is RefillRule.FORCED:
        return Chosen(problem=_("The wheel is empty. Refill it before you take a tile."))
    tile = next((tile for tile in options if tile.code == choice.tile), None)
    if tile is None:
        problem = _("That tile can't be taken now. Take one of the next three, in the moonlight.")
        return Chosen(options=options, problem=problem)
    if choice.cell is None or choice.cell in options[tile]:
        return Chosen(tile, choice.cell, options)
    problem = _("The tile can't lie on %(cell)s. Choose one of the dashed cells.") % {
        "cell": _("the first tile") if choice.cell == ORIGIN else choice.cell.name
    }
    return Chosen(tile, None, options, problem)


def _options(position: Position, seat: int | None) -> dict[Tile, dict[Cell, Step]]:
    if seat is None or position.refill is RefillRule.FORCED:
        return {}
    cells = position.displays[seat].cells
    return {
        tile: {cell: position.apply(Place(seat, tile.code, cell.x, cell.y)) for cell in cells}
        for tile in position.in_reach
    }


def coming(step: Step) -> frozenset[GoalAt]:
    """Return the goals that a step covers."""
    return frozenset(
        goal for event in step.events if isinstance(event, GoalsCompleted) for goal in event.goals
    )


def refill_offer(position: Position) -> RefillOffer:
    """Return what the seat to move may do about the wheel."""
    count, pile = position.refill_spaces, position.draw_pile
    about = ngettext(
        "A refill lays out %(count)d tile of %(pile)d in the draw pile. It can't be taken back.",
        "A refill lays out %(count)d tiles of %(pile)d in the draw pile. It can't be taken back.",
        count,
    ) % {"count": count, "pile": pile}
    if position.refill is RefillRule.NOT_ALLOWED:
        if not isinstance(position, SoloPosition):
            about = _("Only with one or two tiles left on the wheel") if pile else _("The draw pile is empty")
        elif position.phase == 1:
            about = _("Only once the eight discs of the first stack are placed")
        else:
            about = _("There is one refill in a solo game, and it is done")
    return RefillOffer(
        is_allowed=position.refill is not RefillRule.NOT_ALLOWED,
        is_forced=position.refill is RefillRule.FORCED,
        about=about,
    )
