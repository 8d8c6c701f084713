"""Advice in words: which action was better than the one played, why, and how the game could have gone on."""

from collections.abc import Sequence
from dataclasses import dataclass

from games import marked
from games.marked import gettext as _
from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView
from games.novaluna.board.reason import Reason
from games.novaluna.board.reasons import reasons_to_place, reasons_to_prefer, reasons_to_refill
from games.novaluna.board.reviewed import describe_better
from games.novaluna.board.words import format_goals
from games.novaluna.bots.face import Chance, Worth
from games.novaluna.engine import Place, Position, Refill, Step
from games.titles.people import Person

# The loss that reasons with a weight of 1, which is one goal covered now, explain.
CHANCE_OF_A_GOAL = 0.08
SCORE_OF_A_GOAL = 4.0
# Reasons that explain a smaller share of a loss do not carry it.
MIN_SHARE_EXPLAINED = 0.4


@dataclass(frozen=True)
class LineAction:
    """An action that the expert expects, in words."""

    person: Person
    text: str


@dataclass(frozen=True)
class Advice:
    """The better action and the reasons for it, as sentences.

    If the reasons do not carry the loss, `later` says that the gain comes later, and `line` has the next
    actions that the expert expects, up to the last one in which the player covers a goal.
    """

    better: str
    reasons: tuple[str, ...]
    later: str
    line: tuple[LineAction, ...]


def advise(
    view: GameView, number: int, better: Place | Refill, loss: Worth, line: Sequence[Place | Refill]
) -> Advice:
    """Return the advice for action `number` of the log, given the expert's judgement of it."""
    position, played = view.position_after(number - 1), view.steps[number - 1].action
    assert isinstance(played, Place | Refill)
    text = _describe_better(played, better)
    reasons = _reasons_to_prefer(better, played, view, number, line)
    texts = tuple(reason.text for reason in reasons)
    if isinstance(better, Refill) or _do_carry(reasons, loss):
        return Advice(text, texts, later="", line=())
    expected = _describe_line(position.apply(better).position, line, better.seat, view.people)
    return Advice(text, texts, _describe_later(reasons, has_line=bool(expected)), expected)


def _describe_better(played: Place | Refill, better: Place | Refill) -> str:
    """Return the better action as a sentence: "Better: blue 4 at E1 S2."."""
    if isinstance(better, Refill):
        return _("Better: refill the wheel first.")
    if isinstance(played, Place) and played.tile == better.tile:
        return _("Better: the same tile at %(cell)s.") % {"cell": marked.name(better.cell.name)}
    return _("Better: %(action)s.") % {"action": describe_better(better, played)}


def _reasons_to_prefer(
    better: Place | Refill,
    played: Place | Refill,
    view: GameView,
    number: int,
    line: Sequence[Place | Refill],
) -> list[Reason]:
    position = view.position_after(number - 1)
    if isinstance(better, Refill):
        return reasons_to_refill(position)
    if isinstance(played, Refill):
        return reasons_to_place(position, better, view.people, line)
    rivals_steps = (step for step in view.steps[number:] if step.tile_taken and step.seat != better.seat)
    return reasons_to_prefer(position, better, played, view.people, next(rivals_steps, None), line)


def _do_carry(reasons: Sequence[Reason], loss: Worth) -> bool:
    """Return whether the reasons explain enough of a loss."""
    goal = CHANCE_OF_A_GOAL if isinstance(loss, Chance) else SCORE_OF_A_GOAL
    return sum(reason.weight for reason in reasons) * goal >= MIN_SHARE_EXPLAINED * loss.value


def _describe_later(reasons: Sequence[Reason], *, has_line: bool) -> str:
    """Return that the gain, or most of it, comes later."""
    has_gain = any(reason.weight > 0 for reason in reasons)
    if has_line:
        return (
            _("Most of the gain comes later, for example:")
            if has_gain
            else _("The gain comes later, for example:")
        )
    if has_gain:
        return _("Most of the gain comes later: in trial games, it led to better results.")
    return _("The gain comes later: in trial games, it led to better results.")


def _describe_line(
    position: Position, line: Sequence[Place | Refill], seat: int, people: Sequence[Person]
) -> tuple[LineAction, ...]:
    """Return the actions of a line up to the last one in which `seat` covers a goal, before any refill."""
    found, length = [], 0
    for action in line:
        if isinstance(action, Refill):
            break
        step = position.apply(action)
        position, goals = step.position, len(step.goals_covered)
        found.append(LineAction(people[action.seat], _describe_step(step, action)))
        if goals and action.seat == seat:
            length = len(found)
    return tuple(found[:length])


def _describe_step(step: Step, action: Place) -> str:
    """Return an action of a line with the goals that it covers: "red 2 at E1, covers 1 goal"."""
    goals = len(step.goals_covered)
    values = {"action": describe_action(action), "goals": format_goals(goals)}
    if not goals:
        return values["action"]
    if step.game_over and step.game_over.winner == action.seat:
        return _("%(action)s, covers %(goals)s and wins") % values
    return _("%(action)s, covers %(goals)s") % values
