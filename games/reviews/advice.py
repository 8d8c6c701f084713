"""Advice in words: which action was better than the one played, with reasons from the rules of the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.board.events import describe_action
from games.board.game_view import GameView, Person
from games.board.words import tile_name
from games.engine import (
    TILES,
    Display,
    GoalAt,
    Place,
    Position,
    Refill,
    RefillRule,
    SoloPosition,
)

MAX_REASONS = 3
# A smaller difference in time is not worth a sentence.
MIN_TIME_SAVED = 2


@dataclass(frozen=True)
class _Outcome:
    """The position directly after a place action, and what its player gained."""

    tile: str
    cost: int
    goals_covered: int
    dots_supplied: int  # dots of goals that the display supplies now and did not supply before
    goals_almost_covered: int  # goals on the display that need one more tile
    free_cells: int  # free cells beside tiles with open goals
    after: Position
    moves_again: bool
    wins: bool


def describe_better(played: Place | Refill, better: Place | Refill) -> str:
    """Return the better action as a sentence: "Better: blue 4 at E1 S2."."""
    if isinstance(better, Refill):
        return _("Better: refill the wheel first.")
    if isinstance(played, Place) and played.tile == better.tile:
        return _("Better: the same tile at %(cell)s.") % {"cell": better.cell.name}
    return _("Better: %(action)s.") % {"action": describe_action(better)}


def list_reasons(view: GameView, number: int, better: Place | Refill) -> list[str]:
    """Return sentences that say why `better` was better than action `number` of the log; at least one."""
    position, played = view.position_after(number - 1), view.steps[number - 1].action
    if isinstance(better, Refill):
        return [_explain_refill(position)]
    if isinstance(played, Refill):
        return [_explain_no_refill(position)]
    assert isinstance(played, Place)
    better_outcome, played_outcome = _outcome_of(position, better), _outcome_of(position, played)
    if better_outcome.wins:
        return [_("Places the last disc and wins.")]
    outcomes = better_outcome, played_outcome
    found = [
        *_explain_goals(*outcomes),
        *_explain_turn(*outcomes, view.people[better.seat]),
        # At most one of these two reasons, because they are about the same tile.
        *(
            _explain_taken_tile(*outcomes, view, number)
            or _explain_next_player(*outcomes, better.seat, view.people)
        ),
        *_explain_time(*outcomes),
        *_explain_almost_covered(*outcomes),
        *_explain_dots(*outcomes),
        *_explain_space(*outcomes),
    ]
    return found[:MAX_REASONS] or [
        _("Pays off later: the games that the expert simulated after this action ended better.")
    ]


def _outcome_of(position: Position, place: Place) -> _Outcome:
    step = position.apply(place)
    after = step.position
    old_display, display = position.displays[place.seat], after.displays[place.seat]
    return _Outcome(
        tile=place.tile,
        cost=TILES[place.tile].cost,
        goals_covered=len(step.goals_covered),
        dots_supplied=_count_supplied_dots(display) - _count_supplied_dots(old_display),
        goals_almost_covered=_count_almost_covered(display),
        free_cells=_count_free_cells(display),
        after=after,
        moves_again=after.to_move == place.seat and not isinstance(after, SoloPosition),
        wins=after.over and after.discs[place.seat] == 0 and not isinstance(after, SoloPosition),
    )


def _count_supplied_dots(display: Display) -> int:
    """Count the dots of all goals that tiles in adjacent groups supply."""
    count = 0
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for goal in tile.goals:
            count += sum(map(min, goal.needs, support))
    return count


def _count_free_cells(display: Display) -> int:
    """Count the free cells beside tiles with open goals."""
    with_open_goals = (
        cell
        for cell, tile in display.tiles.items()
        if any(GoalAt(cell, nth) not in display.covered for nth in range(len(tile.goals)))
    )
    return len({near for cell in with_open_goals for near in cell.neighbours()} - display.tiles.keys())


def _most_goals_covered(position: Position) -> int:
    """Return how many goals the seat to move can cover at most with one tile."""
    places = (action for action in position.legal_actions if isinstance(action, Place))
    return max((len(position.apply(place).goals_covered) for place in places), default=0)


def _count_almost_covered(display: Display) -> int:
    """Count the open goals that need one more tile, even if no free cell could supply it."""
    count = 0
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for nth, goal in enumerate(tile.goals):
            if GoalAt(cell, nth) not in display.covered:
                missing = sum(max(need - has, 0) for need, has in zip(goal.needs, support, strict=True))
                count += missing == 1
    return count


def _explain_refill(position: Position) -> str:
    """Return why a refill was better than a place action."""
    if isinstance(position, SoloPosition):
        return _("Ends phase 1 now, before another tile adds to its time.")
    count = position.refill_size
    return ngettext(
        "Brings %(count)d new tile to choose from, and the turn continues.",
        "Brings %(count)d new tiles to choose from, and the turn continues.",
        count,
    ) % {"count": count}


def _explain_no_refill(position: Position) -> str:
    """Return why a place action was better than a refill."""
    if isinstance(position, SoloPosition):
        return _("Continues phase 1: the tiles on the wheel are worth their time.")
    return _("Gains more than a refill does on average.")


# Each of these functions returns a list with one sentence, or an empty list if its reason does not apply.


def _explain_goals(better: _Outcome, played: _Outcome) -> list[str]:
    count = {"count": better.goals_covered, "played": played.goals_covered}
    if better.goals_covered > played.goals_covered > 0:
        return [_("Covers %(count)d goals immediately, not %(played)d.") % count]
    if better.goals_covered > played.goals_covered:
        covered = ngettext(
            "Covers %(count)d goal immediately.",
            "Covers %(count)d goals immediately.",
            better.goals_covered,
        )
        return [covered % count]
    if better.goals_covered < played.goals_covered:
        return [
            _("Covers fewer goals immediately (%(count)d, not %(played)d), but gains more later.") % count
        ]
    return []


def _explain_turn(better: _Outcome, played: _Outcome, mover: Person) -> list[str]:
    if not better.moves_again or played.moves_again:
        return []
    if mover.is_you:
        return [_("Keeps the turn: you move again.")]
    return [_("Keeps the turn: %(name)s moves again.") % {"name": mover.name}]


def _explain_taken_tile(better: _Outcome, played: _Outcome, view: GameView, number: int) -> list[str]:
    """Name the player who took the better tile, unless another player took a different tile first."""
    mover = view.steps[number - 1].seat
    later = (step for step in view.steps[number:] if step.tile_taken and step.seat != mover)
    step = next(later, None)
    if step is None or step.tile_taken is None or better.tile == played.tile:
        return []
    if step.tile_taken.tile != better.tile:
        return []
    person, count = view.people[step.tile_taken.seat], len(step.goals_covered)
    values = {"tile": tile_name(TILES[better.tile]), "name": person.name, "count": count}
    if not count:
        if person.is_you:
            return [_("Takes %(tile)s, which you took next.") % values]
        return [_("Takes %(tile)s, which %(name)s took next.") % values]
    if person.is_you:
        covered = ngettext(
            "Takes %(tile)s, which you took next to cover %(count)d goal.",
            "Takes %(tile)s, which you took next to cover %(count)d goals.",
            count,
        )
    else:
        covered = ngettext(
            "Takes %(tile)s, which %(name)s took next to cover %(count)d goal.",
            "Takes %(tile)s, which %(name)s took next to cover %(count)d goals.",
            count,
        )
    return [covered % values]


def _explain_next_player(
    better: _Outcome, played: _Outcome, mover: int, people: Sequence[Person]
) -> list[str]:
    """Count the goals that the next player can cover, if both actions lead to the same next player.

    No sentence if the next player may refill: a refill can bring any tile.
    """
    seat = better.after.to_move
    if seat is None or seat == mover or seat != played.after.to_move:
        return []
    if not better.after.refill is played.after.refill is RefillRule.NOT_ALLOWED:
        return []
    count, played_count = _most_goals_covered(better.after), _most_goals_covered(played.after)
    if count >= played_count:
        return []
    person = people[seat]
    values = {"name": person.name, "count": count, "played": played_count}
    if not count:
        if person.is_you:
            return [_("Leaves you no goal to cover next; the move played left %(played)d.") % values]
        return [_("Leaves %(name)s no goal to cover next; the move played left %(played)d.") % values]
    if person.is_you:
        left = ngettext(
            "Leaves you %(count)d goal to cover next; the move played left %(played)d.",
            "Leaves you %(count)d goals to cover next; the move played left %(played)d.",
            count,
        )
    else:
        left = ngettext(
            "Leaves %(name)s %(count)d goal to cover next; the move played left %(played)d.",
            "Leaves %(name)s %(count)d goals to cover next; the move played left %(played)d.",
            count,
        )
    return [left % values]


def _explain_time(better: _Outcome, played: _Outcome) -> list[str]:
    saved = played.cost - better.cost
    if saved < MIN_TIME_SAVED:
        return []
    return [_("Costs %(count)d less time.") % {"count": saved}]


def _explain_almost_covered(better: _Outcome, played: _Outcome) -> list[str]:
    if better.goals_almost_covered <= played.goals_almost_covered:
        return []
    return [
        ngettext(
            "Leaves %(count)d goal that needs only one more tile; the move played left %(played)d.",
            "Leaves %(count)d goals that need only one more tile; the move played left %(played)d.",
            better.goals_almost_covered,
        )
        % {"count": better.goals_almost_covered, "played": played.goals_almost_covered}
    ]


def _explain_dots(better: _Outcome, played: _Outcome) -> list[str]:
    """Count the new dots, unless another sentence counts the goals that they cover or almost cover."""
    if (
        better.goals_covered > played.goals_covered
        or better.goals_almost_covered > played.goals_almost_covered
    ):
        return []
    if better.dots_supplied <= played.dots_supplied:
        return []
    count = {"count": better.dots_supplied, "played": played.dots_supplied}
    if not played.dots_supplied:
        more = ngettext(
            "Supplies %(count)d more dot that the goals need; the move played supplied none.",
            "Supplies %(count)d more dots that the goals need; the move played supplied none.",
            better.dots_supplied,
        )
        return [more % count]
    return [
        _("Supplies %(count)d more dots that the goals need; the move played supplied %(played)d.") % count
    ]


def _explain_space(better: _Outcome, played: _Outcome) -> list[str]:
    """Compare the free cells, if both actions cover equally many goals: a covered goal needs no space."""
    if better.free_cells <= played.free_cells or better.goals_covered != played.goals_covered:
        return []
    return [
        ngettext(
            "Keeps more space around open goals: %(count)d free cell beside them, not %(played)d.",
            "Keeps more space around open goals: %(count)d free cells beside them, not %(played)d.",
            better.free_cells,
        )
        % {"count": better.free_cells, "played": played.free_cells}
    ]
