"""A hint in words, with the tile and cell that it marks on the board."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.board.choice import Choice, page_query
from games.board.events import describe_action
from games.board.game_view import GameView, Hint
from games.board.words import describe_search_wait, format_goals
from games.bots import Score, Worth
from games.engine import Cell, Place, Position, Refill, RefillRule

# After this time the page says that the hint takes longer than expected.
LATE = timedelta(seconds=8)


@dataclass(frozen=True)
class ShownHint:
    """A hint as the page shows it. The tile and cell to mark are empty while the expert thinks."""

    title: str
    detail: str
    is_awaited: bool = False
    is_late: bool = False
    is_refill: bool = False
    tile: str = ""
    cell: Cell | None = None

    @property
    def query(self) -> str:
        """The query of the page on which the hinted tile and cell are chosen."""
        return page_query(choice=Choice(self.tile, self.cell)) if self.cell else ""


def show_hint(hint: Hint, position: Position) -> ShownHint:
    """Return what a page shows of a hint for `position` to the player who asked."""
    action = hint.action
    if action is None:
        if describe_search_wait():
            title = _("The expert is getting ready…")
            return ShownHint(title, _("You can keep playing."), is_awaited=True, is_late=hint.is_late)
        detail = _("This takes a second or two.")
        if hint.is_late:
            detail = _("This is taking longer than usual because the bots are busy. You can keep playing.")
        return ShownHint(_("The expert is thinking…"), detail, is_awaited=True, is_late=hint.is_late)
    detail = _gain(action, position)
    if hint.worth:
        detail = _("%(gain)s; %(worth)s") % {"gain": detail, "worth": _describe_worth(hint.worth)}
    if isinstance(action, Refill):
        return ShownHint(_("Refill the wheel first"), detail, is_refill=True)
    return ShownHint(capfirst(describe_action(action)), detail, tile=action.tile, cell=action.cell)


def is_late(asked_at: datetime) -> bool:
    """Whether a hint that has not arrived yet takes longer than expected."""
    return timezone.now() - asked_at > LATE


def can_ask_hint(view: GameView) -> bool:
    """Whether the viewer can ask for a hint now: solo or among bots, on their turn, with a choice to make."""
    others = (person for person in view.people if person.seat != view.viewer)
    return (
        view.is_my_turn
        and not view.is_past
        and view.hint is None
        and view.position.refill is not RefillRule.FORCED
        and all(person.bot for person in others)
    )


def _gain(action: Place | Refill, position: Position) -> str:
    if isinstance(action, Refill):
        return _("New tiles to choose from")
    covers = len(position.apply(action).goals_covered)
    return _("Covers %(goals)s") % {"goals": format_goals(covers)} if covers else _("Covers no goal yet")


def _describe_worth(worth: Worth) -> str:
    if isinstance(worth, Score):
        return _("expected score: about %(score)d") % {"score": worth.whole}
    # Never 0 or 100 per cent, because nothing is certain before the last disc.
    return _("chance to win: about %(chance)d%%") % {"chance": min(max(worth.whole, 1), 99)}
