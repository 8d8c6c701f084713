"""The table: who sits where with how many cards, the trick, the trump tiles, and the cards that are out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from games.lunar.board.bar import bar_of_choice
from games.lunar.board.choice import CheckedChoice, Choice
from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.end_of_round import has_stopped_before_tricks, is_end_of_round, stage_of, table_of
from games.lunar.board.events import describe_trick, describe_won, last_tricks_of
from games.lunar.board.game_view import GameView
from games.lunar.engine.actions import Flip, Source
from games.lunar.engine.cards import RANKS, SUITS, Card, Kind, Suit, deck_of, in_order, of_kind
from games.lunar.engine.facts import Stage
from games.lunar.engine.later import turns_tile
from games.lunar.engine.position import Position
from games.lunar.engine.setup import SIDES
from games.lunar.engine.tables import TRICKS
from games.lunar.engine.tricks import CARDS, Played, Trick
from games.lunar.words import (
    card_name,
    describe_hand,
    is_own_side,
    join_cards,
    side_label,
    suit_word,
)
from games.marked import gettext as _
from games.titles.people import Person

# Where the seats are around the table, clockwise from the viewer's.
PLACES = {2: ("south", "north"), 4: ("south", "west", "north", "east")}


@dataclass(frozen=True)
class SeatPlate:
    """A seat at the table. `status` says in words what it does now; `lead` is the colour of its lead tile."""

    person: Person
    place: str
    about: str
    ranks: int
    suits: int
    hand: str
    lead: str
    status: str
    is_turn: bool
    has_left: bool


@dataclass(frozen=True)
class TrickCard:
    """A place of the trick, with its card or still empty. `order` is from 1; `note` says more about it."""

    seat: int
    place: str
    order: int
    name: str
    note: str
    symbol: str = ""
    label: str = ""
    is_now: bool = False
    is_yours: bool = False
    is_of_sky: bool = False
    has_won: bool = False  # whether its side has won the trick


@dataclass(frozen=True)
class TrumpTile:
    """A trump tile. `query` is of a page on which it is chosen, empty if the viewer can't turn it now."""

    suit: Suit
    word: str
    is_up: bool
    is_chosen: bool
    query: str
    flipped_by: str
    flipper: int | None = None  # the seat that has turned it face down
    flipper_name: str = ""
    title: str = ""
    detail: str = ""
    wish: str = ""  # while the viewer plans: the plan with this tile, or without it, as forms send it
    place: int = 0  # in the plan, from 1


@dataclass(frozen=True)
class WonTrick:
    """A trick that is over.

    `key` is the number of its last action, `number` is its own in the round, `count` in the whole game.
    """

    key: int
    number: int
    count: int
    cards: tuple[TrickCard, ...]
    text: str
    brief: str  # who won by what, in a few words
    stars: int
    winner: int  # the seat of its side that leads next
    winner_name: str
    winner_place: str


@dataclass(frozen=True)
class OutCount:
    """How many cards of a rank or suit are out of the round."""

    symbol: str
    name: str
    count: int
    total: int


@dataclass(frozen=True)
class KeptStars:
    """The cards with a star that a side has won in the round, as symbols and in words."""

    side: str
    symbols: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Felt:
    """All of the table."""

    round: int
    count: int  # of tricks in the whole game
    seats: tuple[SeatPlate, ...]
    trick_number: int
    trick: tuple[TrickCard, ...]
    tiles: tuple[TrumpTile, ...]
    trump: TrumpTile | None
    lead_suit: TrumpTile | None
    last_trick: WonTrick | None
    before_last: WonTrick | None  # after a round: nobody may have had a choice in its last trick
    won: WonTrick | None  # the last trick, from its end until the next card
    out: tuple[OutCount, ...]
    kept_stars: tuple[KeptStars, ...]  # of the sides that have any, the viewer's first
    piles: tuple[int, ...]
    stage: str
    shows_tiles: bool  # in the middle: also where they are planned before it is their time

    @property
    def is_for_two(self) -> bool:
        """Whether it is the game for two, with a sky."""
        return len(self.seats) == SIDES


def lay_out(view: GameView, checked: CheckedChoice) -> Felt:
    """Return the table in the position that the page shows."""
    position = table_of(view)
    tiles = tuple(_tiles(position, view, checked))
    by_suit = {tile.suit: tile for tile in tiles}
    last, *others = [*([] if has_stopped_before_tricks(position) else last_tricks(view)), None]
    return Felt(
        round=position.round,
        count=(position.round - 1) * TRICKS + len(position.tricks),
        seats=tuple(_plate(seat, view) for seat in _around(view)),
        trick_number=min(len(position.tricks) + 1, TRICKS),
        trick=_trick(last, view),
        tiles=tiles,
        trump=by_suit[position.trump] if position.trump else None,
        lead_suit=by_suit[position.lead_suit] if position.lead_suit else None,
        last_trick=last,
        before_last=others[0] if others and view.position.stage is not Stage.PLAY else None,
        won=last if last is not None and last.key == view.shown else None,
        out=tuple(_out(position)),
        kept_stars=tuple(_kept_stars(view)),
        piles=tuple(map(len, position.piles)),
        stage=position.stage,
        shows_tiles=_shows_tiles(position) or any(tile.wish for tile in tiles),
    )


def _shows_tiles(position: Position) -> bool:
    """Return whether a trump tile is to be turned, or the game stopped before that."""
    stage = stage_of(position)
    return stage is Stage.TRUMP or (stage is Stage.PASSING and position.stage is Stage.OVER)


def place_of(seat: int, view: GameView) -> str:
    """Return where a seat is: "south" is the viewer's."""
    return PLACES[view.start.seats][(seat - view.first_seat) % view.start.seats]


def _around(view: GameView) -> list[int]:
    return [(view.first_seat + turn) % view.start.seats for turn in range(view.start.seats)]


def _plate(seat: int, view: GameView) -> SeatPlate:
    position = table_of(view)
    hand = position.hands[seat]
    ranks, suits = (len(of_kind(hand, kind)) for kind in Kind)
    has_left = seat not in position.in_play
    is_over = is_end_of_round(view)
    left = _("have left") if view.people[seat].is_you else _("has left")
    return SeatPlate(
        person=view.people[seat],
        place=place_of(seat, view),
        about=_relation(seat, view),
        ranks=ranks,
        suits=suits,
        hand=describe_hand(ranks, suits),
        lead=lead_of(seat, position),
        status=left if has_left else "" if is_over else _status(seat, position),
        is_turn=seat in position.awaited and not is_over,
        has_left=has_left,
    )


def lead_of(seat: int, position: Position) -> str:
    """Return the colour of a seat's lead tile; for two, who have one each, only while it says who starts."""
    if position.seats == SIDES and stage_of(position) is not Stage.TRUMP:
        return ""
    return dict(zip(position.holders, ("black", "white"), strict=True)).get(seat, "")


def _relation(seat: int, view: GameView) -> str:
    if view.viewer is not None and seat == view.newest.partner_of(view.viewer) and view.start.seats > SIDES:
        return _("your partner")
    return ""


def _status(seat: int, position: Position) -> str:
    match position.stage:
        case Stage.PASSING:
            return _("to choose") if seat in position.awaited else _("has chosen")
        case Stage.TRUMP if seat in position.awaited:
            return _("to turn a tile")
        case Stage.PLAY if seat in position.awaited:
            return _("to play") if position.trick else _("to lead")
    return ""


def _trick(last: WonTrick | None, view: GameView) -> tuple[TrickCard, ...]:
    """Return the trick on the table.

    After the end it is the last one, and in the past also after the action that ended it: who steps through a
    game sees all its cards.
    """
    position = table_of(view)
    is_at_end = view.is_past and last is not None and last.key == view.shown
    if last is not None and (is_at_end or (position.stage is Stage.OVER and not position.trick)):
        return last.cards
    if position.stage is Stage.PLAY:
        return tuple(_places(position, view))
    return tuple(_played(played, place, view) for place, played in enumerate(position.trick))


def _places(position: Position, view: GameView) -> Iterator[TrickCard]:
    """Yield the four places of the running trick in order."""
    first, played = position.next_leader, position.trick
    for place in range(CARDS):
        if place < len(played):
            yield _played(played[place], place, view)
            continue
        seat = (first + place) % position.seats
        is_now = place == len(played)
        note = "" if place else _("lead") if seat == view.viewer else _("leads")
        yield TrickCard(
            seat,
            place_of(seat, view),
            place + 1,
            _name(seat, view),
            note,
            is_now=is_now,
            is_yours=seat == view.viewer,
        )


def _played(played: Played, place: int, view: GameView, winner: int | None = None) -> TrickCard:
    notes = {
        None: (_("led"), ""),
        Source.SKY: (_("led, sky"), _("sky")),
        Source.HAND: (_("led, hand"), _("hand")),
    }
    return TrickCard(
        seat=played.seat,
        place=place_of(played.seat, view),
        order=place + 1,
        name=_name(played.seat, view),
        note=notes[played.source][min(place, 1)],
        symbol=symbol_of(played.card),
        label=card_name(played.card),
        is_yours=played.seat == view.viewer,
        is_of_sky=played.source is Source.SKY,
        has_won=played.side == winner,
    )


def _name(seat: int, view: GameView) -> str:
    return _("you") if seat == view.viewer else view.people[seat].name


def _tiles(position: Position, view: GameView, checked: CheckedChoice) -> Iterator[TrumpTile]:
    seat, planning = view.chooser, checked.planning
    can_plan = planning is not None and turns_tile(position, planning.seat)
    can_flip = position.stage is Stage.TRUMP and seat in position.awaited
    for suit in SUITS:
        is_up = suit in position.tiles
        flip = Flip(seat, suit) if seat is not None and can_flip and is_up else None
        shown: dict[str, Any] = bar_of_choice(flip, view)._asdict() if flip else {}
        if planning and can_plan and is_up:
            wish = Flip(planning.seat, suit)
            title, place = planning.label(suit_word(suit), wish), planning.place_of(wish)
            shown = {"title": title, "wish": planning.toggled(wish), "place": place}
        flipper = None if is_up else _flipper(suit, position)
        name = "" if flipper is None else _name(flipper, view)
        yield TrumpTile(
            suit=suit,
            word=suit_word(suit),
            is_up=is_up,
            is_chosen=suit == checked.choice.suit or shown.get("place", 0) > 0,
            query=Choice(suit=suit).query if flip else "",
            flipped_by=_("turned by %(name)s") % {"name": name} if name else "",
            flipper=flipper,
            flipper_name=name,
            **shown,
        )


def _flipper(suit: Suit, position: Position) -> int:
    """Return the seat that turned a trump tile face down."""
    return (position.start_player + position.flips.index(suit)) % position.seats


def last_tricks(view: GameView) -> list[WonTrick]:
    """Return up to two tricks that are over, the last one first."""
    return [_won(*one, view) for one in islice(last_tricks_of(view), 2)]


def _won(after: int, number: int, trick: Trick, view: GameView) -> WonTrick:
    before = view.position_after(after - 1)
    seat = view.position_after(after).holder_of(trick.winner)
    return WonTrick(
        key=after,
        number=number,
        count=len(before.rounds) * TRICKS + number,
        cards=tuple(_played(played, place, view, trick.winner) for place, played in enumerate(trick.cards)),
        text=describe_won(number, trick, view),
        brief=_("%(side)s won: %(why)s")
        % {"side": side_label(trick.winner, view), "why": describe_trick(trick)},
        stars=len(trick.stars),
        winner=seat,
        winner_name=_name(seat, view),
        winner_place=place_of(seat, view),
    )


def _out(position: Position) -> Iterator[OutCount]:
    """Yield how many cards of each rank and suit are in the tricks that are over."""
    out = Counter(played.card[0] for trick in position.tricks for played in trick.cards)
    all_cards = Counter(card[0] for cards in deck_of(position.setup.stars) for card in cards)
    for code in (*RANKS, *SUITS):
        yield OutCount(symbol_of(Card(code)), card_name(Card(code)), out[code], all_cards[code])


def _kept_stars(view: GameView) -> Iterator[KeptStars]:
    for side in sorted(range(SIDES), key=lambda side: not is_own_side(side, view)):
        tricks = [trick for trick in table_of(view).tricks if trick.winner == side]
        if cards := in_order(card for trick in tricks for card in trick.stars):
            yield KeptStars(side_label(side, view), tuple(map(symbol_of, cards)), join_cards(cards))
