"""A player's plan for their next turn, as their own page shows it, and as its forms write it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView, Wish
from games.novaluna.board.words import format_dots
from games.novaluna.engine import TILES, Place, Position, Refill, Tile
from games.titles.actions import ANY_SEAT as ANY_SEAT
from games.titles.plans import rearranged

REFILL = "refill"


@dataclass(frozen=True)
class ShownWish:
    """A wish of a plan. `moved_up` and `removed` are the plans after these changes, as forms send them."""

    text: str
    tile: str  # empty for a refill
    goals: str  # of the tile, because two tiles on the wheel can have the same name
    problem: str  # why it can't be played any more
    moved_up: str  # empty for the first wish
    removed: str


@dataclass(frozen=True)
class ShownPlan:
    """A plan as its player's page shows it, with what its forms send.

    `text` has the wishes that can still be played, and `with_refill` a refill after them. `problem` says why
    the plan is not played, or was not played when the turn began; `played` says what the last plan did.
    """

    wishes: tuple[ShownWish, ...]
    text: str
    with_refill: str
    outlasts_reveals: bool
    is_outdated: bool  # whether tiles were revealed that the player did not know
    problem: str
    played: str


def write_wishes(wishes: Iterable[Wish]) -> str:
    """Return wishes as a form sends them.

    >>> write_wishes([Place(1, "B4c", 2, -1), Refill(1)])
    'B4c_2_-1 refill'
    """
    return " ".join(
        REFILL if isinstance(wish, Refill) else f"{wish.tile}_{wish.x}_{wish.y}" for wish in wishes
    )


def read_wishes(text: str) -> list[Wish]:
    """Return the wishes that a form sent; their seat is a placeholder. Raises ValueError.

    >>> read_wishes("B4c_2_-1 refill")
    [Place(seat=-1, tile='B4c', x=2, y=-1), Refill(seat=-1)]
    """
    wishes: list[Wish] = []
    for word in text.split():
        if word == REFILL:
            wishes.append(Refill(ANY_SEAT))
        else:
            tile, x, y = word.split("_")
            wishes.append(Place(ANY_SEAT, tile, int(x), int(y)))
    return wishes


def check_wish(wish: Wish, position: Position, seat: int) -> str:
    """Return why a wish can never be played, as a sentence; empty if it can.

    Unknown and undrawn tiles are refused alike, because nobody may learn what is in the draw pile.
    """
    if isinstance(wish, Refill):
        if position.draw_pile:
            return ""
        return _("The draw pile is empty, so nobody can refill the wheel any more.")
    if wish.tile not in {tile.code for tile in position.wheel.spaces if tile}:
        return _("A tile of this plan is not on the wheel any more. Please choose another one.")
    if wish.cell not in position.displays[seat].free_cells:
        return _("You can't place a tile of this plan there. Please choose another cell.")
    return ""


def show_plan(view: GameView) -> ShownPlan | None:
    """Return the viewer's plan; None if they can make none and have none, and none was played last."""
    plan, played = view.plan, describe_played_plan(view)
    if view.is_past or not (plan or view.can_plan or played):
        return None
    possible = view.possible_wishes
    can_add_refill = (
        view.can_add_wish
        and view.newest.draw_pile > 0
        and not any(isinstance(wish, Refill) for wish in possible)
    )
    is_outdated = plan is not None and not plan.holds
    return ShownPlan(
        wishes=tuple(_show_wish(wish, possible) for wish in plan.wishes) if plan else (),
        text=write_wishes(possible),
        with_refill=write_wishes([*possible, Refill(ANY_SEAT)]) if can_add_refill else "",
        outlasts_reveals=plan is not None and plan.outlasts_reveals,
        is_outdated=is_outdated,
        problem=_problem(view, is_outdated=is_outdated) if plan else "",
        played=played,
    )


def describe_played_plan(view: GameView) -> str:
    """Return what the viewer's plan did; empty if it did not make their last action, or the game is over."""
    step = view.planned_step
    if step is None or view.newest.over:
        return ""
    assert isinstance(step.action, Place | Refill), "plans have no other actions"
    return _("Your plan was played: %(action)s.") % {"action": describe_action(step.action)}


def _show_wish(wish: Wish, possible: Sequence[Wish]) -> ShownWish:
    changes = rearranged(wish, possible)
    return ShownWish(
        text=_("Refill the wheel") if isinstance(wish, Refill) else capfirst(describe_action(wish)),
        tile="" if isinstance(wish, Refill) else wish.tile,
        goals="" if isinstance(wish, Refill) else _describe_goals(TILES[wish.tile]),
        problem="" if wish in possible else _("taken"),
        moved_up=write_wishes(changes.moved_up),
        removed=write_wishes(changes.removed),
    )


def _describe_goals(tile: Tile) -> str:
    return _("; ").join(format_dots(goal.needs) for goal in tile.goals)


def _problem(view: GameView, *, is_outdated: bool) -> str:
    if view.is_my_turn:
        if is_outdated:
            return _("Your plan was not played, because the wheel was refilled after you made it.")
        return _("Your plan was not played, because none of its moves was possible.")
    if is_outdated:
        return _("The wheel was refilled after you made this plan, so it will not be played.")
    return ""
