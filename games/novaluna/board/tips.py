"""Short tips for a person's first game: one for each of their first turns, about what they see then."""

from collections.abc import Callable
from dataclasses import dataclass

from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import MultiplayerPosition, Position, RefillRule
from games.shown.words import join_words

# The last turn with a tip. Until then there is always one, and an open page keeps the last, so that the board
# stays where it is.
LAST_TURN = 8


@dataclass(frozen=True)
class Tip:
    """A tip in a sentence or two; `then` replaces it once a tile and a cell are chosen.

    The first one also leads to the lessons.
    """

    text: str
    offers_lessons: bool = False
    then: str = ""


def tip_of(view: GameView) -> Tip | None:
    """Return the tip for what the viewer sees; None for spectators, past positions and later turns."""
    turn = _turn_of(view)
    if turn is None or turn > LAST_TURN:
        return None
    # The last one is true in later turns too.
    if turn < LAST_TURN and (text := _about_refill(view) or _about_tie(view)):
        return Tip(text)
    about = (
        _about_tiles,
        _about_goals,
        _about_time,
        _about_discs,
        _about_marker,
        _about_own_tiles,
        _about_places,
        _about_history,
    )[turn - 1]
    then = (
        _("Press Confirm to place this tile, or Undo to choose another one.")
        if turn == 1 and view.is_my_turn
        else ""
    )
    return Tip(about(view), offers_lessons=turn == 1, then=then)


def has_had_tips(view: GameView) -> bool:
    """Return whether the viewer plays on after the last turn with a tip."""
    turn = _turn_of(view)
    return turn is not None and turn > LAST_TURN


def _turn_of(view: GameView) -> int | None:
    """Return which of the viewer's turns comes next, from 1; None for spectators and past positions."""
    if view.viewer is None or view.is_past or view.viewer not in view.newest.in_play or view.newest.over:
        return None
    return 1 + len(view.position.displays[view.viewer].tiles)


def _about_refill(view: GameView) -> str:
    """Return what a refill does if the viewer can refill now, and not in an earlier turn, else nothing."""
    if not view.is_my_turn or not _is_new(view, _refill_of):
        return ""
    match view.position.refill:
        case RefillRule.FORCED:
            return _("The wheel is empty, so refill it before you take a tile.")
        case RefillRule.ALLOWED if view.is_solo:
            return _("A refill ends phase 1: its time counts twice. You have only one refill.")
        case RefillRule.ALLOWED:
            return _("You may refill the wheel first. Then you have more tiles to choose from.")
    return ""


def _is_new(view: GameView, fact_of: Callable[[Position, int], object]) -> bool:
    """Return whether this fact about the viewer's seat was another one in all of their earlier turns."""
    assert view.viewer is not None, "tips are for players"
    seat, turn = view.viewer, len(view.position.displays[view.viewer].tiles)
    earlier = (step.position for step in view.steps)
    known = {fact_of(one, seat) for one in earlier if len(one.displays[seat].tiles) < turn}
    return fact_of(view.position, seat) not in known


def _refill_of(position: Position, seat: int) -> RefillRule:
    """Return whether this seat can or must refill the wheel now."""
    return position.refill if position.to_move == seat else RefillRule.NOT_ALLOWED


def _about_tie(view: GameView) -> str:
    """Return who moves first of the viewer and those who have spent as much time, else nothing.

    Also nothing if they were such a player in an earlier turn.
    """
    if view.viewer is None or not _is_tied(view.position, view.viewer) or not _is_new(view, _is_tied):
        return ""
    tied = _tied_for_turn(view.position)
    mover = tied[0]
    others = [view.people[seat].name for seat in tied if seat != view.viewer]
    words = {"names": join_words([_("You"), *others]), "name": view.people[mover].name}
    if mover == view.viewer:
        return (
            _(
                "%(names)s have spent the same time. You move first, because your disc arrived last and is "
                "on top."
            )
            % words
        )
    return (
        _(
            "%(names)s have spent the same time. %(name)s moves first, because their disc arrived last and "
            "is on top."
        )
        % words
    )


def _is_tied(position: Position, seat: int) -> bool:
    """Return whether this seat and another one have spent the least time.

    At the start nobody counts as tied, because the order of the discs is random.
    """
    tied = _tied_for_turn(position)
    if not isinstance(position, MultiplayerPosition) or len(tied) < 2 or seat not in tied:
        return False
    return position.track.time[seat] > 0


def _tied_for_turn(position: Position) -> list[int]:
    """Return the seats that have spent as little time as the one to move, in turn order."""
    if not isinstance(position, MultiplayerPosition):
        return []
    time, order = position.track.time, position.track.order
    return [seat for seat in order if time[seat] == time[order[0]]]


def _about_tiles(view: GameView) -> str:
    if view.is_solo:
        return _(
            "Choose one of the three tiles after the marker (the moon). Its number is the time it costs. "
            "Less is better."
        )
    if view.is_my_turn:
        return _(
            "Choose one of the three tiles after the marker (the moon). Its number is the time it costs."
        )
    return _(
        "%(name)s moves first: one of the three tiles after the marker (the moon). Its number is the time it "
        "costs."
    ) % {"name": view.people[view.position.to_move or 0].name}


def _about_goals(_view: GameView) -> str:
    return _("Each dot of a goal needs a tile of its colour beside it. All tiles of a connected group count.")


def _about_time(view: GameView) -> str:
    mover = view.position.to_move
    if view.is_solo or mover is None:
        return _("Place the eight discs of the first stack, then refill the wheel to begin phase 2.")
    if mover != view.viewer:
        name = {"name": view.people[mover].name}
        if len(_tied_for_turn(view.position)) > 1:
            text = _(
                "%(name)s moves next. Others have spent as little time, but the disc of %(name)s is on top."
            )
            return text % name
        return _("%(name)s has spent the least time, and moves next.") % name
    if _moves_again(view):
        return _("You move again, because you have spent the least time.")
    return _("The player who has spent the least time moves next. Cheap tiles can give you several turns.")


def _moves_again(view: GameView) -> bool:
    last = view.steps[-1] if view.steps else None
    return last is not None and last.tile_taken is not None and last.seat == view.viewer


def _about_discs(view: GameView) -> str:
    assert view.viewer is not None, "tips are for players"
    left = view.position.discs[view.viewer]
    if view.is_solo or left == view.position.setup.goal_discs:
        return _("A cell with +1 completes a goal, and you put a disc on it. Try to place all your discs.")
    return ngettext(
        "You have %(count)d disc left. The first player to place all of them wins.",
        "You have %(count)d discs left. The first player to place all of them wins.",
        left,
    ) % {"count": left}


def _about_marker(view: GameView) -> str:
    if view.is_solo:
        return _("The marker moves to the space of your tile, so your choice decides which tiles come next.")
    return _(
        "The marker moves to the space of your tile, so your choice decides what the next player can take."
    )


def _about_own_tiles(_view: GameView) -> str:
    return _("Point at one of your tiles, or touch it, to see what its goals still need.")


def _about_places(_view: GameView) -> str:
    return _("One tile can help several goals. Try other cells, and look at their numbers.")


def _about_history(_view: GameView) -> str:
    return _("The history shows every action so far. Use the arrows to look back.")
