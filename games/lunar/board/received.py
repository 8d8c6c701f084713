"""The four cards that the viewer has got from their partner, until the viewer acts."""

from typing import NamedTuple

from games.lunar.board.game_view import GameView
from games.lunar.engine.cards import Card
from games.lunar.engine.events import CardsPassed
from games.lunar.words import join_cards
from games.marked import gettext as _


class Received(NamedTuple):
    """Cards, and the name of the partner who passed them."""

    cards: tuple[Card, ...]
    name: str


def received_of(view: GameView) -> Received | None:
    """Return the cards that are new in the viewer's hand; None once the viewer has acted since."""
    if view.viewer is None:
        return None
    for number in reversed(view.counting_to_shown):
        step = view.steps[number - 1]
        for event in step.events:
            if isinstance(event, CardsPassed):
                partner = view.start.partner_of(view.viewer)
                return Received(event.cards[partner], view.as_played(number).people[partner].name)
        if step.seat == view.viewer or view.position_after(number).tricks:
            return None
    return None


def describe_received(received: Received) -> str:
    """Return what the viewer has got as a sentence."""
    words = {"name": received.name, "cards": join_cards(received.cards)}
    return _("You got %(cards)s from %(name)s.") % words
