"""The cards that the viewer passes: chosen so far, or already given while the others choose."""

from dataclasses import dataclass

from games.lunar.board.choice import CheckedChoice
from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.game_view import GameView
from games.lunar.engine.actions import PASSED_OF_EACH
from games.lunar.engine.cards import Kind, of_kind
from games.lunar.engine.facts import Stage
from games.lunar.words import KIND_WORDS, card_name
from games.marked import gettext as _


@dataclass(frozen=True)
class Slot:
    """A place for a card to pass, which is empty without a symbol."""

    kind: str
    symbol: str
    label: str


@dataclass(frozen=True)
class Passing:
    """Two ranks and two suits, and for whom they are."""

    text: str
    slots: tuple[Slot, ...]


def passing_of(view: GameView, checked: CheckedChoice) -> Passing | None:
    """Return what the viewer passes in the stage that is shown; None for spectators and in other stages."""
    position, seat = view.position, view.viewer
    if position.stage is not Stage.PASSING or seat is None:
        return None
    name = {"name": view.people[position.partner_of(seat)].name}
    given = position.passes[seat]
    cards = checked.choice.cards if given is None else given
    slots = []
    for kind in Kind:
        chosen = of_kind(cards, kind)
        slots += [Slot(str(kind), symbol_of(card), card_name(card)) for card in chosen]
        empty = Slot(str(kind), "", _("empty: a %(kind)s") % {"kind": KIND_WORDS[kind]})
        slots += [empty] * (PASSED_OF_EACH - len(chosen))
    text = _("For %(name)s") if given is None else _("You pass to %(name)s")
    return Passing(text % name, tuple(slots))
