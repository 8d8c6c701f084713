"""What the viewer has chosen on the page so far, and which part of it is legal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from games.lunar.board.game_view import GameView
from games.lunar.board.planning import Planning
from games.lunar.board.reasons import why_not, why_not_later
from games.lunar.engine.actions import PASSED_OF_EACH, Flip, Pass, Play, Source
from games.lunar.engine.cards import Card, Kind, Suit, in_order, of_kind
from games.lunar.engine.facts import Stage
from games.marked import gettext as _
from games.titles.actions import ANY_SEAT
from games.titles.boards import Unreadable
from games.titles.history import query_at

CODE = re.compile(r"[1-8WOLB]\*?")
NTH = re.compile(r"[1-5]")
MOST_CARDS = 2 * PASSED_OF_EACH


@dataclass(frozen=True)
class Choice:
    """What a query or a form has: cards to pass, a card to play and where from, or a trump tile to turn.

    `nth` counts the equal cards before the card in its place, so that pages show it as chosen, not another.
    """

    cards: tuple[Card, ...] = ()
    card: Card | None = None
    source: Source | None = None
    nth: int = 0
    suit: Suit | None = None

    @property
    def fields(self) -> Mapping[str, str]:
        """The fields of a query or a form with this choice."""
        fields = {
            "cards": " ".join(self.cards),
            "card": self.card,
            "from": self.source,
            "nth": str(self.nth or ""),
            "suit": self.suit,
        }
        return {key: value for key, value in fields.items() if value}

    @property
    def query(self) -> str:
        """The query of a page with this choice; empty without one."""
        return f"?{urlencode(self.fields)}" if self.fields else ""


NOTHING = Choice()


@dataclass(frozen=True)
class CheckedChoice:
    """The part of a choice that the viewer can still make, the action once it is complete, and a problem.

    With `planning`, they choose for their plan, whose forms send each choice.
    """

    choice: Choice = NOTHING
    action: Pass | Flip | Play | None = None
    problem: str = ""
    planning: Planning | None = None


def read_choice(asked: Mapping[str, str]) -> Choice:
    """Return what a query or a form has chosen; nothing for each part that is unreadable."""
    code, source, suit = asked.get("card", ""), asked.get("from", ""), asked.get("suit", "")
    card, nth = Card(code) if CODE.fullmatch(code) else None, asked.get("nth", "")
    return Choice(
        cards=_read_cards(asked.get("cards", "")),
        card=card,
        source=Source(source) if source in {*Source} else None,
        nth=int(nth) if card and NTH.fullmatch(nth) else 0,
        suit=Suit(suit) if suit in {*Suit} else None,
    )


def choice_of(action: Pass | Flip | Play) -> Choice:
    """Return what a page has chosen once it can post an action."""
    match action:
        case Pass(_seat, cards):
            return Choice(cards=tuple(cards))
        case Flip(_seat, suit):
            return Choice(suit=suit)
    return Choice(card=action.card, source=action.source)


def read_action(data: Mapping[str, str]) -> Pass | Flip | Play:
    """Return the action that a form posts, for any seat. Raises Unreadable."""
    choice = read_choice(data)
    match data.get("do"):
        case "pass" if _is_whole_pass(choice.cards):
            return Pass(ANY_SEAT, choice.cards)
        case "flip" if choice.suit is not None:
            return Flip(ANY_SEAT, choice.suit)
        case "play" if choice.card is not None:
            return Play(ANY_SEAT, choice.card, choice.source)
    raise Unreadable


def check_choice(choice: Choice, view: GameView, planning: Planning | None = None) -> CheckedChoice:
    """Return the part of a choice that is legal now; none on a past board and in the turn of others."""
    if planning is not None:
        play = Play(planning.seat, choice.card, choice.source) if choice.card else None
        return CheckedChoice(problem=why_not_later(play, view) if play else "", planning=planning)
    seat, position = view.chooser, view.position
    if choice == NOTHING or seat is None:
        is_late = choice != NOTHING and not view.is_past and not view.is_over
        return CheckedChoice(problem=_("It is not your turn, so you can't choose now.") if is_late else "")
    match position.stage:
        case Stage.PASSING:
            return _check_pass(choice.cards, seat, view)
        case Stage.TRUMP if choice.suit in position.tiles:
            assert choice.suit is not None
            return CheckedChoice(Choice(suit=choice.suit), Flip(seat, choice.suit))
        case Stage.PLAY if choice.card is not None:
            action = Play(seat, choice.card, choice.source)
            problem = why_not(action, view)
            if problem:
                return CheckedChoice(problem=problem)
            place = position.sky if choice.source is Source.SKY else position.hands[seat]
            nth = min(choice.nth, place.count(choice.card) - 1)
            return CheckedChoice(Choice(card=choice.card, source=choice.source, nth=nth), action)
    return CheckedChoice(problem=_("You can't do that now. Please choose again."))


def toggled(cards: Sequence[Card], card: Card, nth: int) -> tuple[Card, ...]:
    """Return the chosen cards with one more or less: the nth card like this in the hand was pressed.

    The first cards of each code count as chosen. Of a kind that is full, the first chosen one is replaced.

    >>> toggled((Card("2"), Card("7")), Card("8"), 0), toggled((Card("2"),), Card("2"), 0)
    (('7', '8'), ())
    """
    chosen = list(cards)
    if nth < chosen.count(card):
        chosen.remove(card)
        return tuple(chosen)
    if len(same := of_kind(chosen, card.kind)) == PASSED_OF_EACH:
        chosen.remove(same[0])
    return (*chosen, card)


def page_query(view: GameView, checked: CheckedChoice) -> str:
    """Return the query of a page that shows the same action and keeps the choice."""
    return checked.choice.query or query_at(view.at)


def _check_pass(cards: tuple[Card, ...], seat: int, view: GameView) -> CheckedChoice:
    held = Counter(view.position.hands[seat])
    if Counter(cards) - held or any(len(of_kind(cards, kind)) > PASSED_OF_EACH for kind in Kind):
        return CheckedChoice(problem=_("Choose two ranks and two suits from your hand."))
    is_whole = _is_whole_pass(cards)
    return CheckedChoice(Choice(cards=cards), Pass(seat, in_order(cards)) if is_whole else None)


def _is_whole_pass(cards: Sequence[Card]) -> bool:
    return all(len(of_kind(cards, kind)) == PASSED_OF_EACH for kind in Kind)


def _read_cards(text: str) -> tuple[Card, ...]:
    codes = text.split()[:MOST_CARDS]
    return tuple(map(Card, codes)) if all(map(CODE.fullmatch, codes)) else ()
