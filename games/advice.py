"""Why an action would have been better than the one that was played, in words made from the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.choosing import coming
from games.engine import (
    ORIGIN,
    TILES,
    Display,
    GoalAt,
    Place,
    Position,
    Refill,
    RefillRule,
    SoloPosition,
    Step,
    TileTaken,
)
from games.words import Person

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


def action_told(action: Place | Refill) -> str:
    """Return an action in a few words: "blue 4 at E1 S2"."""
    if isinstance(action, Refill):
        return _("refill")
    tile = words.named(TILES[action.tile])
    if action.cell == ORIGIN:
        return _("%(tile)s as the first tile") % {"tile": tile}
    return _("%(tile)s at %(cell)s") % {"tile": tile, "cell": action.cell.name}


def better_told(played: Place | Refill, better: Place | Refill) -> str:
    """Return what would have been better, as a sentence."""
    if isinstance(better, Refill):
        return _("Better: refill the wheel first.")
    if isinstance(played, Place) and played.tile == better.tile:
        return _("Better: the same tile at %(cell)s.") % {"cell": better.cell.name}
    return _("Better: %(action)s.") % {"action": action_told(better)}


def reasons(
    position: Position,
    played: Place | Refill,
    better: Place | Refill,
    later: Sequence[Step],
    people: Sequence[Person],
) -> list[str]:
    """Return sentences that tell why `better` was better than `played`; `later` is how the game went on."""
    if isinstance(better, Refill):
        return [_why_refill(position)]
    if isinstance(played, Refill):
        return [_why_no_refill(position)]
    ours, theirs = _outcome(position, better), _outcome(position, played)
    if ours.wins:
        return [_("It places the last disc and wins.")]
    found = [
        *_goals(ours, theirs),
        *_turn(ours, theirs, people[better.seat]),
        # What was taken next was left to somebody: one of the two is enough.
        *(_taken_next(ours, theirs, better.seat, later, people) or _left(ours, theirs, better.seat, people)),
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
        covers=len(coming(step)),
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
    return max((len(coming(position.apply(place))) for place in places), default=0)


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
    count = position.refill_spaces
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


def _taken_next(
    ours: _Outcome, theirs: _Outcome, mover: int, later: Sequence[Step], people: Sequence[Person]
) -> list[str]:
    """Tell that the tile went to whoever took one next, but for the same player."""
    by_others = [
        (step, event.seat, event.tile)
        for step in later
        for event in step.events
        if isinstance(event, TileTaken) and event.seat != mover
    ]
    if not by_others or ours.tile == theirs.tile:
        return []
    step, seat, tile = by_others[0]
    if tile != ours.tile:
        return []
    person, count = people[seat], len(coming(step))
    told = {"tile": words.named(TILES[ours.tile]), "name": person.name, "count": count}
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
