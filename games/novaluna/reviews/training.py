"""The answer to a turn of the trainer: whether it is solved, why, and what was played in the game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import compare_worths, describe_loss
from games.novaluna.bots.face import Chance, Worth, worth_from_float
from games.novaluna.engine import Place, Refill, Step
from games.novaluna.reviews.key_actions import KeyAction, Mistake, build_key_action


@dataclass(frozen=True)
class ShownAnswer:
    """A judged answer. `key` compares it with the better action; if it is solved, with the one played."""

    is_solved: bool
    title: str
    result: str
    played: str
    key: KeyAction


def build_answer(
    view: GameView,
    number: int,
    answer: Place | Refill,
    values: Sequence[tuple[Place | Refill, float]],
    line: Sequence[Place | Refill],
) -> ShownAnswer:
    """Return the judged answer to the position before action `number`.

    `values` has the best action first, then the other judged ones, with the answer and the action played
    among them; `line` has the actions that the expert expects after the best one.
    """
    worths = [(action, worth_from_float(view.start.mode, value)) for action, value in values]
    view, (best, highest), worth_of = view.as_played(number), worths[0], dict(worths)
    played = view.steps[number - 1].action
    assert isinstance(played, Place | Refill)
    own, old = worth_of[answer], worth_of[played]
    is_solved = not highest.is_clearly_better_than(own)
    if is_solved:
        better, worse, line = answer, played, line if answer == best else ()
    else:
        better, worse = best, answer
        view = _with_answer(view, number, answer)
    loss = worth_of[better].loss_with(worth_of[worse])
    key = build_key_action(
        Mistake(
            number=number,
            played=worse,
            better=better,
            line=tuple(line),
            loss=loss,
            comparison=compare_worths(
                worth_of[better], worth_of[better].after(loss), view.people[answer.seat]
            ),
        ),
        view,
    )
    return ShownAnswer(
        is_solved=is_solved,
        title=_title(is_solved=is_solved, is_best=answer == best),
        result=_describe_gain(own.loss_with(old)) if is_solved else capfirst(describe_loss(loss)),
        played=_describe_played(played, answer, highest.loss_with(old)),
        key=_with_captions(key, is_solved=is_solved),
    )


def _with_answer(view: GameView, number: int, answer: Place | Refill) -> GameView:
    """Return the view of a game that ends with the answer in place of action `number`."""
    before = view.position_after(number - 1)
    # Nobody knows the tiles that a refill would reveal, so its step reveals none.
    step = Step(answer, before, ()) if isinstance(answer, Refill) else before.apply(answer)
    return replace(view, steps=(*view.steps[: number - 1], step))


def _title(*, is_solved: bool, is_best: bool) -> str:
    if not is_solved:
        return _("Not solved yet")
    return _("Solved: the expert plays this too") if is_best else _("Solved: as good as the expert's action")


def _describe_gain(gain: Worth) -> str:
    text = (
        ngettext(
            "%(count)d point of winning chance more than in the game",
            "%(count)d points of winning chance more than in the game",
            gain.whole,
        )
        if isinstance(gain, Chance)
        else ngettext(
            "%(count)d point better than in the game", "%(count)d points better than in the game", gain.whole
        )
    )
    return text % {"count": gain.whole}


def _describe_played(played: Place | Refill, answer: Place | Refill, loss: Worth) -> str:
    """Return what the player did in the game, as a sentence."""
    values = {"action": describe_action(played), "loss": describe_loss(loss)}
    if played == answer:
        return _("In the game you played the same: %(action)s.") % values
    return _("In the game you played %(action)s, which %(loss)s.") % values


def _with_captions(key: KeyAction, *, is_solved: bool) -> KeyAction:
    """Return the comparison with captions that say which action is the answer."""
    caption = _("%(caption)s: %(action)s")
    played = {
        "caption": _("In the game") if is_solved else _("Your answer"),
        "action": describe_action(key.mistake.played),
    }
    better = {
        "caption": _("Your answer") if is_solved else _("Better"),
        "action": describe_action(key.mistake.better),
    }
    return replace(
        key,
        played_display=replace(key.played_display, caption=caption % played),
        better_display=replace(key.better_display, caption=caption % better),
    )
