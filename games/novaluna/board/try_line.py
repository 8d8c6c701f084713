"""Lines that a viewer tries: actions for every seat, played on from any position of a game.

A line has only place actions. It ends where the wheel must be refilled, because nobody may know the tiles
that a refill would reveal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView
from games.novaluna.board.plan import read_wishes, write_wishes
from games.novaluna.engine import Place, Position, Refill
from games.titles.try_lines import BetterLine

MOST_ACTIONS = 40
MOST_NAMED = 4  # actions in the title of a line


@dataclass(frozen=True)
class PlayedLine:
    """A line after action `start`, as far as it is legal; `problem` says why it is not longer.

    `view` shows the position at its end, and has the game only up to the start of the line.
    """

    view: GameView
    start: int
    actions: tuple[Place, ...]
    problem: str

    @property
    def text(self) -> str:
        """The line as addresses write it; empty without actions."""
        return write_line(self.actions)

    def text_to(self, count: int) -> str:
        """Return the first `count` actions of the line, as addresses write them."""
        return write_line(self.actions[:count])

    def with_action(self, action: Place) -> str:
        """Return the line with one more action, as addresses write it."""
        return write_line([*self.actions, action])


def write_line(actions: Iterable[Place]) -> str:
    """Return a line as addresses write it.

    >>> write_line([Place(1, "B4c", 2, -1), Place(0, "R2a", 0, 1)])
    'B4c_2_-1.R2a_0_1'
    """
    return write_wishes(actions).replace(" ", ".")


def read_line(text: str) -> list[Place | Refill]:
    """Return the actions of a line; their seats are placeholders. Raises ValueError.

    >>> read_line("B4c_2_-1")
    [Place(seat=-1, tile='B4c', x=2, y=-1)]
    """
    return read_wishes(text.replace(".", " "))


def play_line(view: GameView, start: int, text: str) -> PlayedLine:
    """Return the line `text` from the position after action `start`, as far as it is legal.

    `view` is the newest view of the game. A `start` beyond the log means the newest position.
    """
    problem = ""
    if start > view.version:
        start, text = view.version, ""
        problem = _("The game has no such action yet. You can try from the newest position.")
    actions, unreadable = _read(text)
    position, steps = view.position_after(start), list(view.steps[:start])
    for action in actions:
        problem = _problem(action, position, len(steps) - start)
        if problem or position.to_move is None:
            break
        steps.append(position.apply(action._replace(seat=position.to_move)))
        position = steps[-1].position
    line = [step.action for step in steps[start:]]
    shown = replace(
        view,
        steps=tuple(steps),
        people=tuple(replace(person, caretaker="", pauses="", reliability=None) for person in view.people),
        at=None,
        hint=None,
        plan=None,
        is_try=True,
    )
    places = tuple(action for action in line if isinstance(action, Place))
    return PlayedLine(shown, start, places, problem or unreadable)


def better_line(number: int, better: object, expected: Sequence[Place | Refill]) -> BetterLine | None:
    """Return the line that begins with an action better than action `number`; None if that is a refill."""
    if not isinstance(better, Place):
        return None
    following = [one for one in takewhile(_is_place, expected) if isinstance(one, Place)]
    return BetterLine(number - 1, write_line([better]), write_line([better, *following]))


def _is_place(action: Place | Refill) -> bool:
    return isinstance(action, Place)


def _read(text: str) -> tuple[list[Place | Refill], str]:
    """Return the actions of a line, or none and why it can't be read."""
    try:
        return read_line(text), ""
    except ValueError:
        return [], _("This line can't be read. You can try another one from here.")


def _problem(action: Place | Refill, position: Position, before: int) -> str:
    """Return why an action can't follow `before` others of a line; empty if it can."""
    if before >= MOST_ACTIONS:
        return _("A line has up to %(count)d actions.") % {"count": MOST_ACTIONS}
    if position.to_move is None:
        return _("The game is over at the end of this line.")
    if isinstance(action, Refill):
        return _("A line ends at a refill, because nobody knows which tiles it would reveal.")
    if not position.is_legal(action._replace(seat=position.to_move)):
        number = {"number": before + 1}
        return _("Action %(number)d of this line is not possible, so the line ends before it.") % number
    return ""


def line_title(text: str) -> str:
    """Return the first actions of a stored line in a few words: "Blue 4 at E1, then red 2 at N1"."""
    actions = [describe_action(action) for action in read_line(text)]
    more = _(" …") if len(actions) > MOST_NAMED else ""
    return capfirst(_(", then ").join(actions[:MOST_NAMED])) + more
