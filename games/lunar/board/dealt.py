"""All hands as they were dealt, round by round, once everybody may know them."""

from __future__ import annotations

from typing import NamedTuple

from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.game_view import GameView
from games.lunar.engine.cards import Card
from games.lunar.engine.position import dealt
from games.lunar.engine.records import dealer_of
from games.lunar.words import join_cards
from games.marked import gettext as _
from games.titles.people import Person


class DealtHand(NamedTuple):
    """The cards of a player, or the sky (no person), before anybody has passed or played one."""

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
    hands: tuple[DealtHand, ...]


def dealt_rounds(view: GameView) -> tuple[DealtRound, ...]:
    """Return the hands of all rounds that have begun; nothing as long as the deal is secret."""
    if view.dealt is None:
        return ()
    setup, seats = view.start.setup, view.start.seats
    dealer = dealer_of(view.dealt, setup.stars)
    rounds = []
    for number in range(1, view.newest.round + 1):
        cards = dealt(dealer.deal(number), seats)
        people = [view.people[seat] for seat in view.seats_from_viewer]
        hands = [
            DealtHand(person, _("You") if person.is_you else person.name, cards["hands"][person.seat])
            for person in people
        ]
        if cards["sky"]:
            hands.append(DealtHand(None, _("The sky"), tuple(card for card in cards["sky"] if card)))
        rounds.append(DealtRound(number, tuple(hands)))
    return tuple(rounds)
