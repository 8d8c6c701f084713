"""Why a place action is good: sentences that hints and reviews share.

Each sentence states a fact of the rules, which a player can check on the board. It uses only what everybody
sees: no undrawn tile.
"""

from collections.abc import Sequence

from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.board.placed import Placed, most_goals, most_ready_goals
from games.novaluna.board.reason import Reason, select
from games.novaluna.board.words import COLOUR_WORDS, tile_name
from games.novaluna.engine import TILES, Place, Position, Refill, RefillRule, SoloPosition, Step
from games.titles.people import Person

Line = Sequence[Place | Refill]

# A smaller difference in time, dots or free cells is not worth a sentence.
MIN_DIFFERENCE = 2

# How much a reason matters, in goals covered now. The numbers follow the bots' policy, which has its weights
# in games/novaluna/bots/search/weights.json.
END = 100.0  # the end of the game
GOAL = 1.0
TURN = 0.5  # another turn before the opponents
GOAL_NEXT = 0.6  # a goal that the same player can cover with the next tile
GOAL_DENIED = 0.6  # a goal that the next player cannot cover
TILE_DENIED = 0.2
OPPONENT_AHEAD = 0.4  # an opponent who no longer plays first
TIME = 0.2
GOAL_READY = 0.3  # a goal that one more tile can cover
DOT = 0.1
FREE_CELL = 0.05


def reasons_to_refill(position: Position) -> list[Reason]:
    """Return the reasons for a refill before the next tile, the most important first."""
    if isinstance(position, SoloPosition):
        return [Reason(_("Ends phase 1 now, before another tile adds to its time."), END)]
    text = ngettext(
        "Brings %(count)d new tile to choose from, and the turn continues.",
        "Brings %(count)d new tiles to choose from, and the turn continues.",
        position.refill_size,
    )
    refill = Reason(text % {"count": position.refill_size}, END)
    if most_goals(position)[0]:
        return [refill]
    return [Reason(_("No tile on the wheel covers a goal now."), END), refill]


def reasons_to_place(
    position: Position, place: Place, people: Sequence[Person], line: Line = ()
) -> list[Reason]:
    """Return the reasons for an action, the most important first; none if it gains nothing yet.

    They promise no gain that the `line` which the expert expects after it does not have.
    """
    outcome = Placed(position, place, line)
    return select(
        [
            *_explain_end(outcome),
            *_explain_goals(outcome),
            *_explain_next_tile(outcome, people),
            *_explain_tile_denied(outcome, people),
            *_explain_ready_goals(outcome),
            *_explain_dots(outcome),
        ]
    )


def reasons_to_prefer(
    position: Position,
    place: Place,
    played: Place,
    people: Sequence[Person],
    rivals_step: Step | None,
    line: Line = (),
) -> list[Reason]:
    """Return the reasons for an action in place of the one played, the most important first.

    `rivals_step` is the next step in which another player took a tile. Drawbacks are last. The reasons
    promise no gain that the `line` which the expert expects after the action does not have.
    """
    better, other = Placed(position, place, line), Placed(position, played)
    reasons = select(
        [
            *_explain_end(better, other),
            *_explain_goals(better, other),
            *_explain_next_tile(better, people, other),
            *_explain_wait(better, other),
            # At most one of these two, because they are about the same tile.
            *(
                _explain_tile_taken(better, other, people, rivals_step)
                or _explain_goals_denied(better, other, people)
            ),
            *_explain_time(better, other),
            # At most one of these two, because they are about the same goals.
            *(_explain_ready_goals(better, other) or _explain_almost_covered(better, other)),
            *_explain_dots(better, other),
            *_explain_space(better, other),
        ]
    )
    if any(reason.weight > 0 for reason in reasons):
        return reasons
    # Where nothing else speaks for the action, even one dot or cell says more than no reason.
    return [*_explain_dots(better, other, least=1), *_explain_space(better, other, least=1), *reasons]


# Each of these functions returns one reason in a list, or an empty list if its reason does not apply. Without
# `other`, the outcome of the action played, it explains an action by itself.


def _explain_end(better: Placed, other: Placed | None = None) -> list[Reason]:
    after, other_after = better.after, other.after if other else None
    if not after.over:
        return []
    if isinstance(after, SoloPosition):
        text, values = _("Ends the game with a score of %(score)d."), {"score": after.score_so_far}
        if isinstance(other_after, SoloPosition) and other_after.over:
            text = _("Ends the game with a score of %(score)d, not %(played)d.")
            values["played"] = other_after.score_so_far
        return [Reason(text % values, END)]
    if not after.discs[better.place.seat]:
        return [Reason(_("Places the last disc and wins."), END)]
    return []


def _explain_goals(better: Placed, other: Placed | None = None) -> list[Reason]:
    count = {"count": better.goals, "played": other.goals if other else 0}
    gain = GOAL * (count["count"] - count["played"])
    if gain < 0:
        text = _("Better, although it covers fewer goals immediately (%(count)d, not %(played)d).")
    elif gain == 0:
        return []
    elif count["played"]:
        text = _("Covers %(count)d goals, not %(played)d.")
    else:
        text = ngettext("Covers %(count)d goal.", "Covers %(count)d goals.", count["count"])
    return [Reason(text % count, gain)]


def _explain_next_tile(better: Placed, people: Sequence[Person], other: Placed | None = None) -> list[Reason]:
    """Explain another turn, and the goals that the player can cover in it."""
    if not better.moves_again:
        return []
    (goals, tile), played = better.next_own_goals, 0
    is_turn_gained = not better.is_solo
    if other and other.moves_again:
        is_turn_gained, played = False, other.next_goals[0]
    if goals <= played and not is_turn_gained:
        return []
    person = people[better.place.seat]
    values = {"name": person.name, "tile": _name_of(tile), "count": goals, "played": played}
    if goals == better.after.discs[person.seat] and not better.is_solo:
        return [Reason(_describe_win_next(person, is_turn_gained) % values, END)]
    if is_turn_gained:
        text = _describe_turn_gained(person, goals)
    elif played:
        text = _(
            "Then %(tile)s can cover %(count)d goals; "
            "after the move in the game, no tile can cover more than %(played)d."
        )
    else:
        text = ngettext(
            "Then %(tile)s can cover %(count)d goal.", "Then %(tile)s can cover %(count)d goals.", goals
        )
    weight = GOAL_NEXT * (goals - played) + (TURN if is_turn_gained else 0)
    return [Reason(text % values, weight)]


def _describe_win_next(person: Person, is_turn_gained: bool) -> str:
    if not is_turn_gained:
        return _("Then %(tile)s wins.")
    if person.is_you:
        return _("You move again and can win with %(tile)s.")
    return _("%(name)s moves again and can win with %(tile)s.")


def _describe_turn_gained(person: Person, goals: int) -> str:
    if person.is_you and not goals:
        return _("You move again.")
    if person.is_you:
        return ngettext(
            "You move again and can cover %(count)d goal with %(tile)s.",
            "You move again and can cover %(count)d goals with %(tile)s.",
            goals,
        )
    if not goals:
        return _("%(name)s moves again.")
    return ngettext(
        "%(name)s moves again and can cover %(count)d goal with %(tile)s.",
        "%(name)s moves again and can cover %(count)d goals with %(tile)s.",
        goals,
    )


def _name_of(tile: str) -> str:
    """Return the name of the tile with a code; empty for an empty code."""
    return tile_name(TILES[tile]) if tile else ""


def _explain_wait(better: Placed, other: Placed) -> list[Reason]:
    """Explain that fewer opponents play before the player's next turn."""
    saved = other.opponents_ahead - better.opponents_ahead
    if better.moves_again or better.after.over or saved <= 0:
        return []
    text = ngettext(
        "Only %(count)d opponent plays before the next turn, not %(played)d.",
        "Only %(count)d opponents play before the next turn, not %(played)d.",
        better.opponents_ahead,
    )
    count = {"count": better.opponents_ahead, "played": other.opponents_ahead}
    return [Reason(text % count, OPPONENT_AHEAD * saved)]


def _explain_tile_taken(
    better: Placed, other: Placed, people: Sequence[Person], rivals_step: Step | None
) -> list[Reason]:
    """Explain that another player took the tile next, and the goals that they covered with it."""
    taken = rivals_step.tile_taken if rivals_step else None
    if taken is None or better.place.tile == other.place.tile or taken.tile != better.place.tile:
        return []
    assert rivals_step is not None
    person, count = people[taken.seat], len(rivals_step.goals_covered)
    if not count and person.is_you:
        text = _("Takes %(tile)s: in the game, you took it next.")
    elif not count:
        text = _("Takes %(tile)s: in the game, %(name)s took it next.")
    elif person.is_you:
        text = ngettext(
            "Takes %(tile)s: in the game, you took it next, and covered %(count)d goal.",
            "Takes %(tile)s: in the game, you took it next, and covered %(count)d goals.",
            count,
        )
    else:
        text = ngettext(
            "Takes %(tile)s: in the game, %(name)s took it next, and covered %(count)d goal.",
            "Takes %(tile)s: in the game, %(name)s took it next, and covered %(count)d goals.",
            count,
        )
    values = {"tile": tile_name(TILES[taken.tile]), "name": person.name, "count": count}
    return [Reason(text % values, GOAL_DENIED * count or TILE_DENIED)]


def _explain_goals_denied(better: Placed, other: Placed, people: Sequence[Person]) -> list[Reason]:
    """Explain how many goals the next player can cover, if that is the same player after both actions.

    No reason if the next player may refill: a refill can bring any tile.
    """
    seat = better.after.to_move
    if seat is None or seat == better.place.seat or seat != other.after.to_move:
        return []
    if not better.after.refill is other.after.refill is RefillRule.NOT_ALLOWED:
        return []
    person, count, played = people[seat], better.next_goals[0], other.next_goals[0]
    if count >= played:
        return []
    could_win = played == other.after.discs[seat]
    if could_win and person.is_you:
        text = _("Stops you from winning with the next tile.")
    elif could_win:
        text = _("Stops %(name)s from winning with the next tile.")
    elif count and person.is_you:
        text = ngettext(
            "Leaves you at most %(count)d goal to cover next, not %(played)d.",
            "Leaves you at most %(count)d goals to cover next, not %(played)d.",
            count,
        )
    elif count:
        text = ngettext(
            "Leaves %(name)s at most %(count)d goal to cover next, not %(played)d.",
            "Leaves %(name)s at most %(count)d goals to cover next, not %(played)d.",
            count,
        )
    elif person.is_you:
        text = _(
            "Leaves you no tile that covers a goal; the move in the game left one that covers %(played)d."
        )
    else:
        text = _(
            "Leaves %(name)s no tile that covers a goal; "
            "the move in the game left one that covers %(played)d."
        )
    values = {"name": person.name, "count": count, "played": played}
    return [Reason(text % values, END if could_win else GOAL_DENIED * (played - count))]


def _explain_tile_denied(outcome: Placed, people: Sequence[Person]) -> list[Reason]:
    """Explain that the next player can cover no goal, if they could after another tile on the same cell."""
    seat = outcome.after.to_move
    if seat is None or outcome.moves_again or outcome.after.refill is not RefillRule.NOT_ALLOWED:
        return []
    if outcome.next_goals[0]:
        return []
    others = [
        Placed(outcome.before, outcome.place._replace(tile=tile.code)) for tile in outcome.before.in_reach
    ]
    left = max(other.next_goals[0] for other in others if other.after.to_move == seat)
    if not left:
        return []
    text = (
        _("Leaves you no tile that covers a goal.")
        if people[seat].is_you
        else _("Leaves %(name)s no tile that covers a goal.")
    )
    return [Reason(text % {"name": people[seat].name}, GOAL_DENIED * left)]


def _explain_time(better: Placed, other: Placed) -> list[Reason]:
    saved = other.cost - better.cost
    if saved < MIN_DIFFERENCE:
        return []
    text = _("Costs only %(count)d, not %(played)d.") % {"count": better.cost, "played": other.cost}
    return [Reason(text, TIME * saved)]


def _explain_ready_goals(better: Placed, other: Placed | None = None) -> list[Reason]:
    """Explain which colour can cover open goals next, unless a tile in reach can cover goals next."""
    count, colour = better.ready_goals
    seat = better.place.seat
    played = other.ready_goals[0] if other else most_ready_goals(better.before, seat)[0]
    if better.after.over or count <= played or (better.moves_again and better.next_own_goals[0]):
        return []
    if not better.covers_next_with(colour):
        return []
    if other is None:
        text = ngettext(
            "Then one more %(colour)s tile can cover %(count)d open goal.",
            "Then one more %(colour)s tile can cover %(count)d open goals.",
            count,
        )
    elif played:
        text = _(
            "Then one more %(colour)s tile can cover %(count)d open goals; "
            "after the move in the game, no tile can cover more than %(played)d."
        )
    else:
        text = ngettext(
            "Then one more %(colour)s tile can cover %(count)d open goal; "
            "after the move in the game, none can.",
            "Then one more %(colour)s tile can cover %(count)d open goals; "
            "after the move in the game, none can.",
            count,
        )
    values = {"colour": COLOUR_WORDS[colour], "count": count, "played": played}
    return [Reason(text % values, GOAL_READY * (count - played))]


def _explain_almost_covered(better: Placed, other: Placed) -> list[Reason]:
    count = {"count": better.almost_covered, "played": other.almost_covered}
    gain = count["count"] - count["played"]
    if better.after.over or gain < MIN_DIFFERENCE:
        return []
    text = (
        _("Leaves %(count)d goals that need only one more tile; the move in the game left %(played)d.")
        if count["played"]
        else _("Leaves %(count)d goals that need only one more tile; the move in the game left none.")
    )
    return [Reason(text % count, GOAL_READY * gain)]


def _explain_dots(better: Placed, other: Placed | None = None, least: int = MIN_DIFFERENCE) -> list[Reason]:
    """Count the new dots, unless another reason counts the goals that they cover or almost cover."""
    if other is None and (better.goals or _explain_ready_goals(better)):
        return []
    if other and (better.goals > other.goals or better.almost_covered > other.almost_covered):
        return []
    count = {"count": better.dots_supplied, "played": other.dots_supplied if other else 0}
    gain = count["count"] - count["played"]
    if gain < least:
        return []
    if other is None:
        text = _("Supplies %(count)d dots that goals need.")
    elif count["played"]:
        text = _("Supplies %(count)d dots that goals need, not %(played)d.")
    else:
        text = ngettext(
            "Supplies %(count)d dot that goals need; the move in the game supplied none.",
            "Supplies %(count)d dots that goals need; the move in the game supplied none.",
            count["count"],
        )
    return [Reason(text % count, DOT * gain)]


def _explain_space(better: Placed, other: Placed, least: int = MIN_DIFFERENCE) -> list[Reason]:
    """Compare the free cells, if both actions cover equally many goals: a covered goal needs no space."""
    gain = better.free_cells - other.free_cells
    if better.after.over or gain < least or better.goals != other.goals:
        return []
    text = ngettext(
        "Keeps more space around open goals: %(count)d free cell beside them, not %(played)d.",
        "Keeps more space around open goals: %(count)d free cells beside them, not %(played)d.",
        better.free_cells,
    )
    return [Reason(text % {"count": better.free_cells, "played": other.free_cells}, FREE_CELL * gain)]
