"""Why an action would have been better than the one that was played, in words made from the rules."""

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

MOST_REASONS = 3
# From here on a difference in time is worth a word.
MUCH_TIME = 2


@dataclass(frozen=True)
class _Outcome:
    """What a place leads to at once."""

    tile: str
    cost: int
    covers: int
    supplied: int  # dots of goals that the display supplies, more than before
    nearly: int  # goals that lack a single tile afterwards
    free: int  # free cells beside tiles with goals that are still to cover
    after: Position
    moves_again: bool
    wins: bool


def describe_better(played: Place | Refill, better: Place | Refill) -> str:
    """Return what would have been better, as a sentence."""
    if isinstance(better, Refill):
        return _("Better: refill the wheel first.")
    if isinstance(played, Place) and played.tile == better.tile:
        return _("Better: the same tile at %(cell)s.") % {"cell": better.cell.name}
    return _("Better: %(action)s.") % {"action": describe_action(better)}


def reasons(view: GameView, number: int, better: Place | Refill) -> list[str]:
    """Return sentences that say why `better` was better than action `number` of the log."""
    position, played = view.position_after(number - 1), view.steps[number - 1].action
    if isinstance(better, Refill):
        return [_why_refill(position)]
    if isinstance(played, Refill):
        return [_why_no_refill(position)]
    assert isinstance(played, Place)
    ours, theirs = _outcome(position, better), _outcome(position, played)
    if ours.wins:
        return [_("It places the last disc and wins.")]
    found = [
        *_goals(ours, theirs),
        *_turn(ours, theirs, view.people[better.seat]),
        # A tile that was taken next was left to somebody: one sentence is enough.
        *(_taken_next(ours, theirs, view, number) or _left(ours, theirs, better.seat, view.people)),
        *_time(ours, theirs),
        *_nearly(ours, theirs),
        *_supplied(ours, theirs),
        *_room(ours, theirs),
    ]
    return found[:MOST_REASONS] or [
        _("What it gains shows only later: the games that the expert played out from there ended better.")
    ]


def _outcome(position: Position, place: Place) -> _Outcome:
    step = position.apply(place)
    after = step.position
    return _Outcome(
        tile=place.tile,
        cost=TILES[place.tile].cost,
        covers=len(step.goals_covered),
        supplied=_supply(after.displays[place.seat]) - _supply(position.displays[place.seat]),
        nearly=_lacking_one(after.displays[place.seat]),
        free=_free_cells(after.displays[place.seat]),
        after=after,
        moves_again=after.to_move == place.seat and not isinstance(after, SoloPosition),
        wins=after.over and after.discs[place.seat] == 0 and not isinstance(after, SoloPosition),
    )


def _supply(display: Display) -> int:
    """Count the dots of all goals that their neighbourhoods supply."""
    count = 0
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for goal in tile.goals:
            count += sum(map(min, goal.needs, support))
    return count


def _free_cells(display: Display) -> int:
    """Count the free cells that touch a tile with a goal without a disc."""
    wanting = (
        cell
        for cell, tile in display.tiles.items()
        if any(GoalAt(cell, nth) not in display.covered for nth in range(len(tile.goals)))
    )
    return len({near for cell in wanting for near in cell.neighbours()} - display.tiles.keys())


def _most_covered(position: Position) -> int:
    """Return how many goals the seat to move may cover at once."""
    places = (action for action in position.legal_actions if isinstance(action, Place))
    return max((len(position.apply(place).goals_covered) for place in places), default=0)


def _lacking_one(display: Display) -> int:
    """Count the goals without a disc for which one more tile would be enough, wherever it may lie."""
    count = 0
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for nth, goal in enumerate(tile.goals):
            if GoalAt(cell, nth) not in display.covered:
                lacks = sum(max(need - has, 0) for need, has in zip(goal.needs, support, strict=True))
                count += lacks == 1
    return count


def _why_refill(position: Position) -> str:
    if isinstance(position, SoloPosition):
        return _("It notes phase 1 now, before another tile adds to its time.")
    count = position.refill_size
    return ngettext(
        "It brings %(count)d new tile to choose from, and the turn goes on.",
        "It brings %(count)d new tiles to choose from, and the turn goes on.",
        count,
    ) % {"count": count}


def _why_no_refill(position: Position) -> str:
    if isinstance(position, SoloPosition):
        return _("Phase 1 may go on: the tiles on the wheel are worth their time.")
    return _("It is worth more than what a refill brings on average.")


def _goals(ours: _Outcome, theirs: _Outcome) -> list[str]:
    count = {"count": ours.covers, "played": theirs.covers}
    if ours.covers > theirs.covers > 0:
        return [_("It covers %(count)d goals at once, not %(played)d.") % count]
    if ours.covers > theirs.covers:
        covered = ngettext(
            "It covers %(count)d goal at once.", "It covers %(count)d goals at once.", ours.covers
        )
        return [covered % count]
    if ours.covers < theirs.covers:
        return [
            _("It covers fewer goals at once, %(count)d and not %(played)d: its gain comes later.") % count
        ]
    return []


def _turn(ours: _Outcome, theirs: _Outcome, mover: Person) -> list[str]:
    if not ours.moves_again or theirs.moves_again:
        return []
    if mover.is_you:
        return [_("It keeps the turn: you move again.")]
    return [_("It keeps the turn: %(name)s moves again.") % {"name": mover.name}]


def _taken_next(ours: _Outcome, theirs: _Outcome, view: GameView, number: int) -> list[str]:
    """Tell that the tile went to whoever took one next, but for the same player."""
    mover = view.steps[number - 1].seat
    later = (step for step in view.steps[number:] if step.tile_taken and step.seat != mover)
    step = next(later, None)
    if step is None or step.tile_taken is None or ours.tile == theirs.tile:
        return []
    if step.tile_taken.tile != ours.tile:
        return []
    person, count = view.people[step.tile_taken.seat], len(step.goals_covered)
    told = {"tile": tile_name(TILES[ours.tile]), "name": person.name, "count": count}
    if not count:
        if person.is_you:
            return [_("It takes %(tile)s, which you took next.") % told]
        return [_("It takes %(tile)s, which %(name)s took next.") % told]
    if person.is_you:
        covered = ngettext(
            "It takes %(tile)s, with which you covered %(count)d goal next.",
            "It takes %(tile)s, with which you covered %(count)d goals next.",
            count,
        )
    else:
        covered = ngettext(
            "It takes %(tile)s, with which %(name)s covered %(count)d goal next.",
            "It takes %(tile)s, with which %(name)s covered %(count)d goals next.",
            count,
        )
    return [covered % told]


def _left(ours: _Outcome, theirs: _Outcome, mover: int, people: Sequence[Person]) -> list[str]:
    """Tell that the next player, the same after both, gets less of the tiles that are laid out."""
    seat = ours.after.to_move
    if seat is None or seat == mover or seat != theirs.after.to_move:
        return []
    if not ours.after.refill is theirs.after.refill is RefillRule.NOT_ALLOWED:
        return []
    count, played = _most_covered(ours.after), _most_covered(theirs.after)
    if count >= played:
        return []
    person = people[seat]
    told = {"name": person.name, "count": count, "played": played}
    if not count:
        if person.is_you:
            return [_("It leaves you no goal to cover next; the action played left %(played)d.") % told]
        return [_("It leaves %(name)s no goal to cover next; the action played left %(played)d.") % told]
    if person.is_you:
        left = ngettext(
            "It leaves you %(count)d goal to cover next; the action played left %(played)d.",
            "It leaves you %(count)d goals to cover next; the action played left %(played)d.",
            count,
        )
    else:
        left = ngettext(
            "It leaves %(name)s %(count)d goal to cover next; the action played left %(played)d.",
            "It leaves %(name)s %(count)d goals to cover next; the action played left %(played)d.",
            count,
        )
    return [left % told]


def _time(ours: _Outcome, theirs: _Outcome) -> list[str]:
    saved = theirs.cost - ours.cost
    if saved < MUCH_TIME:
        return []
    return [_("It costs %(count)d less time.") % {"count": saved}]


def _nearly(ours: _Outcome, theirs: _Outcome) -> list[str]:
    if ours.nearly <= theirs.nearly:
        return []
    return [
        ngettext(
            "After it one more tile may cover %(count)d goal, not %(played)d.",
            "After it one more tile may cover %(count)d goals, not %(played)d.",
            ours.nearly,
        )
        % {"count": ours.nearly, "played": theirs.nearly}
    ]


def _supplied(ours: _Outcome, theirs: _Outcome) -> list[str]:
    """Tell of dots that are gained, unless goals that they complete have been told of, or nearly complete."""
    if ours.supplied <= theirs.supplied or ours.covers > theirs.covers or ours.nearly > theirs.nearly:
        return []
    count = {"count": ours.supplied, "played": theirs.supplied}
    if not theirs.supplied:
        more = ngettext(
            "Goals on the display get %(count)d more dot that they ask for; the action played gave none.",
            "Goals on the display get %(count)d more dots that they ask for; the action played gave none.",
            ours.supplied,
        )
        return [more % count]
    return [_("Goals on the display get %(count)d more dots that they ask for, not %(played)d.") % count]


def _room(ours: _Outcome, theirs: _Outcome) -> list[str]:
    """Tell of room that is kept; to cover a goal, which frees its cells of it, is no loss."""
    if ours.free <= theirs.free or ours.covers != theirs.covers:
        return []
    return [
        ngettext(
            "It leaves open goals more room: %(count)d free cell beside them, not %(played)d.",
            "It leaves open goals more room: %(count)d free cells beside them, not %(played)d.",
            ours.free,
        )
        % {"count": ours.free, "played": theirs.free}
    ]
