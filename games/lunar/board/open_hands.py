"""All hands of a finished game: as they were dealt, and in the position that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.end_of_round import is_end_of_round, table_of
from games.lunar.board.game_view import GameView
from games.lunar.engine.cards import Card
from games.lunar.engine.position import Position
from games.lunar.words import join_cards
from games.marked import gettext as _
from games.titles.people import Person


class OpenHand(NamedTuple):
    """The cards of a player, or the sky (no person)."""

    person: Person | None
    name: str
    cards: tuple[Card, ...]

    @property
    def symbols(self) -> list[str]:
        """The drawings of the cards."""
        return [symbol_of(card) for card in self.cards]

    @property
    def text(self) -> str:
        """The cards in words."""
        return join_cards(self.cards)


class DealtRound(NamedTuple):
    """The hands of a round, the viewer's first, and the sky of a game for two."""

    number: int
    hands: tuple[OpenHand, ...]


def open_hands(view: GameView) -> tuple[OpenHand, ...]:
    """Return all hands in the position that is shown; nothing before the end, and when nobody has any more.

    At the end of a round in the past all are empty, as who steps through a game has them at each step.
    """
    if is_end_of_round(view):
        return tuple(_hands_in(table_of(view), view)) if view.opened else ()
    if not view.opened or not any(view.opened[view.shown].hands):
        return ()
    return tuple(_hands_in(view.opened[view.shown], view))


def dealt_rounds(view: GameView) -> tuple[DealtRound, ...]:
    """Return the hands of all rounds that have begun, before anybody has acted; nothing before the end."""
    starts = {position.round: position for position in reversed(view.opened)}
    return tuple(
        DealtRound(number, (*_hands_in(starts[number], view), *_sky_of(starts[number])))
        for number in sorted(starts)
    )


def _hands_in(position: Position, view: GameView) -> Iterator[OpenHand]:
    for seat in view.seats_from_viewer:
        person = view.people[seat]
        yield OpenHand(person, _("You") if person.is_you else person.name, position.hands[seat])


def _sky_of(position: Position) -> Iterator[OpenHand]:
    cards = tuple(card for card in position.sky if card is not None)
    if cards:
        yield OpenHand(None, _("The sky"), cards)
