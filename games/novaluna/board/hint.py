"""A hint in words, with the tile and cell that it marks on the board."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.marked import capitalise
from games.novaluna.board.choice import Choice, page_query
from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView, Hint
from games.novaluna.board.reasons import reasons_to_place, reasons_to_refill
from games.novaluna.bots.face import Score, Worth, worth_from_float
from games.novaluna.engine import Cell, Mode, Place, Refill, RefillRule
from games.shown.search_wait import describe_search_wait


@dataclass(frozen=True)
class ShownHint:
    """A hint as the page shows it, with the reasons for its action.

    The tile and cell to mark are empty while the expert thinks.
    """

    title: str
    detail: str
    reasons: Sequence[str] = ()
    is_awaited: bool = False
    is_late: bool = False
    is_refill: bool = False
    tile: str = ""
    cell: Cell | None = None

    @property
    def query(self) -> str:
        """The query of the page on which the hinted tile and cell are chosen."""
        return page_query(choice=Choice(self.tile, self.cell)) if self.cell else ""


def show_hint(hint: Hint, view: GameView) -> ShownHint:
    """Return what a page shows of a hint to the viewer, who asked for it."""
    action = hint.action
    if action is None:
        if describe_search_wait():
            title = _("The expert is getting ready…")
            return ShownHint(title, _("You can keep playing."), is_awaited=True, is_late=hint.is_late)
        detail = _("This takes a second or two.")
        if hint.is_late:
            detail = _("This is taking longer than usual because the bots are busy. You can keep playing.")
        return ShownHint(_("The expert is thinking…"), detail, is_awaited=True, is_late=hint.is_late)
    reasons = _explain(action, view)
    mode = Mode.SOLO if view.is_solo else Mode.MULTIPLAYER
    detail = "" if hint.worth is None else _describe_worth(worth_from_float(mode, hint.worth))
    if isinstance(action, Refill):
        return ShownHint(_("Refill the wheel first"), detail, reasons, is_refill=True)
    title = capitalise(describe_action(action))
    return ShownHint(title, detail, reasons, tile=action.tile, cell=action.cell)


def has_hints(view: GameView) -> bool:
    """Whether the viewer can ask for hints on their turns: solo or among bots, if the game is not rated."""
    others = (person for person in view.people if person.seat != view.viewer)
    return view.allows_hints and view.viewer is not None and all(person.bot for person in others)


def can_ask_hint(view: GameView) -> bool:
    """Whether the viewer can ask for a hint now."""
    return (
        has_hints(view)
        and view.is_my_turn
        and not view.is_past
        and view.hint is None
        and view.position.refill is not RefillRule.FORCED
    )


def _explain(action: Place | Refill, view: GameView) -> list[str]:
    """Return why the action is good, as sentences."""
    if isinstance(action, Refill):
        reasons = reasons_to_refill(view.position)
    else:
        reasons = reasons_to_place(view.position, action, view.people)
    return [reason.text for reason in reasons] or [_("Covers no goal yet: the gain comes later.")]


def _describe_worth(worth: Worth) -> str:
    if isinstance(worth, Score):
        return _("Expected score: about %(score)d.") % {"score": worth.whole}
    # Never 0 or 100 per cent, because nothing is certain before the last disc.
    return _("Chance to win: about %(chance)d%%.") % {"chance": min(max(worth.whole, 1), 99)}
