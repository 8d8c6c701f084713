"""A hint as its player sees it: in words, and where it is marked on the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import words
from games.advice import action_told
from games.choosing import coming
from games.engine import Cell, Place, Position, Refill, RefillRule, SoloPosition
from games.words import Person

# From then on the page tells its player that it takes longer than it should.
LATE = timedelta(seconds=8)


@dataclass(frozen=True)
class Hint:
    """The expert's action for the turn that is on, and what it is worth; no action as long as it thinks.

    `value` is the chance to win, alone the score to expect; None where there was no search to tell. `is_late`
    tells of a hint that has been awaited for longer than it should take.
    """

    action: Place | Refill | None = None
    value: float | None = None
    is_late: bool = False


@dataclass(frozen=True)
class ShownHint:
    """A hint in words, in bold and beside it, and what it marks on the board; nothing while it is awaited."""

    what: str
    more: str
    is_awaited: bool = False
    is_late: bool = False
    is_refill: bool = False
    tile: str = ""
    cell: Cell | None = None

    @property
    def query(self) -> str:
        """The query of the page on which the hint is chosen."""
        return f"?tile={self.tile}&x={self.cell.x}&y={self.cell.y}" if self.cell else ""


def show_hint(hint: Hint, position: Position) -> ShownHint:
    """Return what the page of the player who asked shows of a hint for `position`."""
    action = hint.action
    if action is None:
        more = _("It takes a second or two.")
        if hint.is_late:
            more = _("It takes longer than it should: the bots are busy. Play on if you like.")
        return ShownHint(_("The expert is thinking…"), more, is_awaited=True, is_late=hint.is_late)
    more = _gain(action, position)
    if hint.value is not None:
        more = _("%(gain)s; %(worth)s") % {"gain": more, "worth": _worth(hint.value, position)}
    if isinstance(action, Refill):
        return ShownHint(_("Refill the wheel first"), more, is_refill=True)
    return ShownHint(capfirst(action_told(action)), more, tile=action.tile, cell=action.cell)


def is_late(asked_at: datetime) -> bool:
    """Whether a hint that is still awaited takes longer than it should."""
    return timezone.now() - asked_at > LATE


def may_ask(position: Position, people: Sequence[Person]) -> bool:
    """Whether the person to move may ask for a hint: solo or among bots, with something to choose from."""
    others = (person for person in people if person.seat != position.to_move)
    return position.refill is not RefillRule.FORCED and all(person.bot for person in others)


def _gain(action: Place | Refill, position: Position) -> str:
    if isinstance(action, Refill):
        return _("New tiles to choose from")
    covers = len(coming(position.apply(action)))
    return _("Covers %(goals)s") % {"goals": words.goals(covers)} if covers else _("Covers no goal yet")


def _worth(value: float, position: Position) -> str:
    if isinstance(position, SoloPosition):
        return _("about %(score)d points in the end") % {"score": round(value)}
    # Nothing is certain before the last disc.
    return _("about %(chance)d%% to win") % {"chance": min(max(round(100 * value), 1), 99)}
