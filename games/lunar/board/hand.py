"""The viewer's hand, and the sky of the game for two, as cards that can be pressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from games.lunar.board.bar import bar_of_card as bar_of
from games.lunar.board.choice import CheckedChoice, Choice, toggled
from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.end_of_round import table_of
from games.lunar.board.game_view import GameView
from games.lunar.board.planning import Planning
from games.lunar.board.reasons import why_not, why_not_later
from games.lunar.board.received import received_of
from games.lunar.engine.actions import Play, Source
from games.lunar.engine.cards import MARK, Card, Kind, in_order, of_kind
from games.lunar.engine.facts import Stage
from games.lunar.engine.position import SKY
from games.lunar.words import card_name, the_card
from games.marked import gettext as _


@dataclass(frozen=True)
class HeldCard:
    """A card of a hand or of the sky. `query` is of a page on which it is chosen; empty if it is no choice.

    `reason` says why it can't be played now; `title` and `detail` are the texts of the bar once it is chosen.
    """

    id: str
    code: str
    nth: int
    source: str
    symbol: str
    label: str
    query: str = ""
    reason: str = ""
    title: str = ""
    detail: str = ""
    wish: str = ""  # while the viewer plans: the plan with this card, or without it, as forms send it
    place: int = 0  # in the plan, from 1
    is_chosen: bool = False
    is_received: bool = False  # whether the partner has just passed it


@dataclass(frozen=True)
class Fan:
    """The ranks or the suits of a hand, or three places of the sky; an empty one is None."""

    kind: str
    label: str
    cards: tuple[HeldCard | None, ...]
    pile: int | None = None


def hand_of(view: GameView, checked: CheckedChoice) -> tuple[Fan, ...]:
    """Return the hand of the viewer, or of seat 0 for a spectator, who sees backs: ranks, then suits.

    Cards that the viewer has given away are on the table while the others choose theirs.
    """
    hand = in_order(_left_in_hand(view).elements())
    source = Source.HAND if view.position.sky else None
    labels = {Kind.RANK: _("Ranks in your hand"), Kind.SUIT: _("Suits in your hand")}
    return tuple(
        Fan(str(kind), labels[kind], tuple(_held(of_kind(hand, kind), source, view, checked)))
        for kind in Kind
    )


def _left_in_hand(view: GameView) -> Counter[Card]:
    position, seat = table_of(view), view.first_seat
    is_given = position.stage is Stage.PASSING and seat == view.viewer
    return Counter(position.hands[seat]) - Counter((is_given and position.passes[seat]) or ())


def sky_of(view: GameView, checked: CheckedChoice) -> tuple[Fan, ...]:
    """Return the ranks and suits of the sky; none in the game for four."""
    position = table_of(view)
    if not position.sky:
        return ()
    labels = {Kind.RANK: _("Ranks in the sky"), Kind.SUIT: _("Suits in the sky")}
    places = {Kind.RANK: position.sky[:SKY], Kind.SUIT: position.sky[SKY:]}
    return tuple(
        Fan(str(kind), labels[kind], tuple(_held(places[kind], Source.SKY, view, checked)), len(pile))
        for kind, pile in zip(Kind, position.piles, strict=True)
    )


def _held(
    cards: Iterable[Card | None], source: Source | None, view: GameView, checked: CheckedChoice
) -> Iterator[HeldCard | None]:
    seen: Counter[Card] = Counter()
    for card in cards:
        if card is None:
            yield None
            continue
        yield _card(card, seen[card], source, view, checked)
        seen[card] += 1


def _card(card: Card, nth: int, source: Source | None, view: GameView, checked: CheckedChoice) -> HeldCard:
    code = card.replace(MARK, "-star")
    place = "sky" if source is Source.SKY else "hand"
    held: dict[str, Any] = {
        "id": f"{place}-{code}-{nth}",
        "code": str(card),
        "nth": nth,
        "source": str(source or ""),
        "symbol": symbol_of(card),
        "label": card_name(card),
    }
    received = received_of(view)
    if received is not None:
        held["is_received"] = nth < received.cards.count(card)
    seat, choice = view.chooser, checked.choice
    if checked.planning is not None:
        return HeldCard(
            **held | _for_plan(Play(checked.planning.seat, card, source), nth, view, checked.planning)
        )
    if seat is None:
        return HeldCard(**held)
    match view.position.stage:
        case Stage.PASSING if source is not Source.SKY:
            is_chosen = nth < choice.cards.count(card)
            return HeldCard(
                **held, query=Choice(cards=toggled(choice.cards, card, nth)).query, is_chosen=is_chosen
            )
        case Stage.PLAY:
            play = Play(seat, card, source)
            reason = why_not(play, view)
            return HeldCard(
                **held,
                query=Choice(card=card, source=source, nth=nth).query,
                reason=reason,
                **bar_of(play, reason, view)._asdict(),
                is_chosen=(choice.card, choice.source, choice.nth) == (card, source, nth),
            )
    return HeldCard(**held)


def _for_plan(play: Play, nth: int, view: GameView, planning: Planning) -> dict[str, Any]:
    """Return what a card shows while the viewer plans: its place in the plan, or why it can't be planned."""
    if reason := why_not_later(play, view):
        return _refused(play, nth, reason)
    place = planning.place_of(play)
    if nth and place:
        about = _("Another card like this is number %(place)d of your plan.")
        return _refused(play, nth, about % {"place": place})
    label = planning.label(card_name(play.card), play)
    return {"label": label, "wish": planning.toggled(play), "place": place, "is_chosen": place > 0}


def _refused(play: Play, nth: int, reason: str) -> dict[str, Any]:
    """Return what a card shows that can't be added to the plan."""
    query = Choice(card=play.card, source=play.source, nth=nth).query
    title = _("You can't plan %(card)s") % {"card": the_card(play.card)}
    return {"query": f"{query}&plan=1", "reason": reason, "title": title, "detail": reason}
