"""What happened in a game, in words for one viewer."""

from collections.abc import Sequence

from games import marked
from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import format_discs_left, name_tiles, tile_name
from games.novaluna.engine import (
    ORIGIN,
    TILES,
    Cell,
    Ending,
    GameOver,
    GoalsCompleted,
    MultiplayerPosition,
    PhaseEnded,
    Place,
    Refill,
    Resign,
    SeatLeft,
    Step,
    TilesRevealed,
    TileTaken,
)
from games.shown.leaving import describe_leaving
from games.shown.take_backs import describe_take_back
from games.shown.words import begin_sentence, join_words
from games.titles.actions import TakeBack


def describe_step(step: Step, view: GameView) -> str:
    """Return what an action did, in words for the viewer: "Tobias took blue 4 and …"."""
    if isinstance(step.action, TakeBack):
        return describe_take_back(step.action, view, describe_step(view.steps[step.action.to], view))
    people, viewer, covered = view.people, view.viewer, len(step.goals_covered)
    sentences = []
    for event in step.events:
        match event:
            case TileTaken():
                sentences.append(
                    _describe_taking(event, covered, people[event.seat].name, event.seat == viewer)
                )
            case TilesRevealed(seat, tiles):
                sentences.append(
                    _describe_refill([code for _space, code in tiles], people[seat].name, seat == viewer)
                )
                if covered:
                    sentences.append(_describe_late_goals(covered))
            case PhaseEnded(score):
                sentences.append(_("Phase 1 scores %(score)d") % {"score": score})
            case SeatLeft(seat, reason):
                sentences.append(describe_leaving(Resign(seat, reason), view))
            case GameOver():
                sentences.append(_describe_end(event, view))
            case GoalsCompleted():
                pass  # The sentence about the tile or the refill counts these goals.
    return _(". ").join(map(begin_sentence, sentences))


def describe_shown_step(view: GameView) -> str:
    """Return what the action before the shown position did; empty at the start."""
    return describe_step(view.shown_step, view.as_played(view.shown)) if view.shown_step else ""


def symbol_of(step: Step) -> str:
    """Return the id of the symbol of the tile that a step took; empty if it took none."""
    return f"tile-{step.tile_taken.tile}" if step.tile_taken else ""


def describe_outcome(over: GameOver, view: GameView) -> str:
    """Return how a game ended: "You win with your last disc"."""
    if over.reason is Ending.CANCELLED:
        return _("The players agreed to cancel the game, so nobody wins")
    if over.winner is None:
        if over.score is None:
            return _("The game ends without a score")
        return _("The game ends with a score of %(score)d") % {"score": over.score}
    is_you, words = over.winner == view.viewer, {"name": view.people[over.winner].name}
    if over.reason is Ending.LEFT:
        return _describe_last_player(over.winner, view)
    if over.reason is Ending.TILES and (names := _tied_with(over.winner, view)):
        words |= {"names": join_words(names)}
        if is_you:
            return _("You win: as few discs left as %(names)s, and first in turn order") % words
        return _("%(name)s wins: as few discs left as %(names)s, and first in turn order") % words
    if over.reason is Ending.DISCS:
        return _("You win with your last disc") if is_you else _("%(name)s wins with their last disc") % words
    if is_you:
        return _("You win with the fewest discs left")
    return _("%(name)s wins with the fewest discs left") % words


def _describe_end(over: GameOver, view: GameView) -> str:
    """Return how a game ended, after the sentence about its last action."""
    if over.reason is not Ending.LEFT or over.winner is None or len(view.people) > 2:
        return describe_outcome(over, view)
    # The sentence before says why.
    return (
        _("You win")
        if over.winner == view.viewer
        else _("%(name)s wins") % {"name": view.people[over.winner].name}
    )


def _describe_last_player(winner: int, view: GameView) -> str:
    others = [person.name for person in view.people if person.seat != winner]
    words = {"name": view.people[winner].name}
    if len(others) > 1:
        if winner == view.viewer:
            return _("You win because all others have left the game")
        return _("%(name)s wins because all others have left the game") % words
    action = view.steps[-1].action
    if isinstance(action, Resign):
        words["leaving"] = describe_leaving(action, view)
        return (
            _("%(leaving)s, so you win") if winner == view.viewer else _("%(leaving)s, so %(name)s wins")
        ) % words
    return _("You win") if winner == view.viewer else _("%(name)s wins") % words


def _tied_with(winner: int, view: GameView) -> list[str]:
    """Return the names of the other players in play who had as few discs left as the winner."""
    position = view.steps[-1].position
    assert isinstance(position, MultiplayerPosition)
    return [
        _("you") if person.is_you else person.name
        for person in view.people
        if person.seat != winner
        and person.seat in position.track.order
        and position.discs[person.seat] == position.discs[winner]
    ]


def format_all_discs_left(view: GameView) -> str:
    """Return how many discs each player has left: "Discs left: you 3, Halley 5"."""
    discs = view.position.discs
    if view.is_solo:
        return format_discs_left(discs[0])
    each = [
        _("%(name)s %(count)d") % {"name": _("you") if person.is_you else person.name, "count": count}
        for person, count in zip(view.people, discs, strict=True)
    ]
    return _("Discs left: %(list)s") % {"list": _(", ").join(each)}


def describe_action(action: Place | Refill) -> str:
    """Return an action in a few words: "blue 4 at E1 S2"."""
    if isinstance(action, Refill):
        return _("refill")
    tile = tile_name(TILES[action.tile])
    if action.cell == ORIGIN:
        return _("%(tile)s as the first tile") % {"tile": tile}
    return _("%(tile)s at %(cell)s") % {"tile": tile, "cell": marked.name(action.cell.name)}


def _describe_taking(taken: TileTaken, covered: int, name: str, is_you: bool) -> str:
    words = {
        "name": name,
        "tile": tile_name(TILES[taken.tile]),
        "where": _where(taken.cell),
        "count": covered,
    }
    if covered and is_you:
        what = ngettext(
            "You took %(tile)s, placed it %(where)s and covered %(count)d goal",
            "You took %(tile)s, placed it %(where)s and covered %(count)d goals",
            covered,
        )
    elif covered:
        what = ngettext(
            "%(name)s took %(tile)s, placed it %(where)s and covered %(count)d goal",
            "%(name)s took %(tile)s, placed it %(where)s and covered %(count)d goals",
            covered,
        )
    elif is_you:
        what = _("You took %(tile)s and placed it %(where)s")
    else:
        what = _("%(name)s took %(tile)s and placed it %(where)s")
    return _("%(what)s: time\u00a0%(before)d\u00a0→\u00a0%(after)d") % {
        "what": what % words,
        "before": taken.time_before,
        "after": taken.time_after,
    }


def _where(cell: Cell) -> str:
    return _("as the first tile") if cell == ORIGIN else _("at %(cell)s") % {"cell": marked.name(cell.name)}


def _describe_refill(codes: Sequence[str], name: str, is_you: bool) -> str:
    count = len(codes)
    if is_you:
        what = ngettext(
            "You refilled the wheel with %(count)d tile: %(tiles)s",
            "You refilled the wheel with %(count)d tiles: %(tiles)s",
            count,
        )
    else:
        what = ngettext(
            "%(name)s refilled the wheel with %(count)d tile: %(tiles)s",
            "%(name)s refilled the wheel with %(count)d tiles: %(tiles)s",
            count,
        )
    return what % {"name": name, "count": count, "tiles": name_tiles(TILES[code] for code in codes)}


def _describe_late_goals(count: int) -> str:
    return ngettext(
        "%(count)d goal that was waiting for a disc is now covered",
        "%(count)d goals that were waiting for a disc are now covered",
        count,
    ) % {"count": count}
