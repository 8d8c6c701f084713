"""The facts of a position: what is on the table, and what follows from it."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from games.lunar.engine.actions import Source
from games.lunar.engine.cards import SUITS, Card, Suit
from games.lunar.engine.events import RoundResult
from games.lunar.engine.setup import SIDES, Dealer, Setup, side_of
from games.lunar.engine.tricks import Played, Trick, lead_suit_of
from games.titles.actions import CANCELLED

FLIPS = 3  # trump tiles that are turned


class Stage(StrEnum):
    """What a round is about; over after the end of the game."""

    PASSING = "pass"
    TRUMP = "trump"
    PLAY = "play"
    OVER = "over"


class Ending(StrEnum):
    """Why a game is over."""

    POINTS = "points"
    LEFT = "left"
    CANCELLED = CANCELLED


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a position has, or what a viewer may know of it: hidden cards are backs.

    `sky` has three places for ranks and three for suits, and `piles` the cards below it, in the game for two.
    `passes` are the cards that each seat has chosen for its partner in this round, `flips` the trump tiles in
    the order in which they were turned, `tricks` those of this round, and `trick` the one that runs.
    """

    setup: Setup
    # Where later rounds come from, which says nothing about this one. A view has none.
    dealer: Dealer | None = field(repr=False, compare=False)
    holders: tuple[int, int]  # of the black and of the white lead tile
    start_player: int
    hands: tuple[tuple[Card, ...], ...]
    sky: tuple[Card | None, ...] = ()
    piles: tuple[tuple[Card, ...], ...] = ()  # ranks and suits
    passes: tuple[tuple[Card, ...] | None, ...] = ()
    flips: tuple[Suit, ...] = ()
    tricks: tuple[Trick, ...] = ()
    trick: tuple[Played, ...] = ()
    rounds: tuple[RoundResult, ...] = ()
    ending: Ending | None = None
    left: int | None = None  # the seat that has left

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.setup.seats

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that have not left the game."""
        return tuple(seat for seat in range(self.seats) if seat != self.left)

    @property
    def stage(self) -> Stage:
        """The stage of the round."""
        if self.ending is not None:
            return Stage.OVER
        if None in self.passes:
            return Stage.PASSING
        return Stage.TRUMP if len(self.flips) < FLIPS else Stage.PLAY

    @cached_property
    def awaited(self) -> frozenset[int]:
        """The seats that may act now."""
        match self.stage:
            case Stage.PASSING:
                return frozenset(seat for seat, cards in enumerate(self.passes) if cards is None)
            case Stage.TRUMP:
                return frozenset({(self.start_player + len(self.flips)) % self.seats})
            case Stage.PLAY:
                return frozenset({(self.next_leader + len(self.trick)) % self.seats})
            case _:
                return frozenset()

    @property
    def round(self) -> int:
        """The number of the round, from 1; after the end, of the last one."""
        return len(self.rounds) + (self.ending is not Ending.POINTS)

    @property
    def tiles(self) -> tuple[Suit, ...]:
        """The trump tiles that are face up."""
        return tuple(suit for suit in SUITS if suit not in self.flips)

    @property
    def trump(self) -> Suit | None:
        """The trump of the round; None before it is set."""
        return self.tiles[0] if len(self.flips) == FLIPS else None

    @property
    def next_leader(self) -> int:
        """The seat that leads the trick that runs or comes next in this round."""
        return self.holder_of(self.tricks[-1].winner) if self.tricks else self.start_player

    @property
    def leader(self) -> int | None:
        """The leader while tricks are played; None in every other stage."""
        return self.next_leader if self.stage is Stage.PLAY else None

    @property
    def lead_suit(self) -> Suit | None:
        """The first suit in the trick that runs; None before there is one."""
        return lead_suit_of(self.trick)

    @property
    def tricks_won(self) -> tuple[int, int]:
        """How many tricks each side has won in this round."""
        second = sum(trick.winner for trick in self.tricks)
        return len(self.tricks) - second, second

    @property
    def stars_won(self) -> tuple[int, int]:
        """How many stars each side has kept in this round."""
        stars = [0] * SIDES
        for trick in self.tricks:
            stars[trick.winner] += len(trick.stars)
        return stars[0], stars[1]

    @property
    def points(self) -> tuple[int, int]:
        """The points of each side in the rounds that are over."""
        first, second = (sum(result.points[side] for result in self.rounds) for side in range(SIDES))
        return first, second

    @property
    def winner(self) -> int | None:
        """The side that has won; None while the game runs and after a cancel."""
        if self.left is not None:
            return 1 - side_of(self.left)
        return int(self.points[1] > self.points[0]) if self.ending is Ending.POINTS else None

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, by sides."""
        winner = self.winner
        if winner is None:
            return ()
        return tuple(1 if side_of(seat) == winner else 2 for seat in range(self.seats))

    @property
    def known(self) -> int:
        """How often something unforeseen was revealed: cards were dealt, passed or turned up from a pile."""
        was_passed = bool(self.passes) and None not in self.passes
        drawn = sum(len(cards) for cards in self.piles)
        return 100 * (len(self.rounds) + 1) + was_passed - drawn

    def figures(self, seat: int) -> dict[str, int]:
        """Return the points of a side in the game, and its tricks and stars in this round."""
        side = side_of(seat)
        return {"points": self.points[side], "tricks": self.tricks_won[side], "stars": self.stars_won[side]}

    def first_card_of(self, seat: int) -> Played | None:
        """Return the first card that the side of a seat has played to the trick that runs; None before it."""
        return next((played for played in self.trick if played.side == side_of(seat)), None)

    def holder_of(self, side: int) -> int:
        """Return the seat that holds the lead tile of a side."""
        black, white = self.holders
        return black if side_of(black) == side else white

    def partner_of(self, seat: int) -> int:
        """Return the seat across, in the game for four."""
        return (seat + SIDES) % self.seats

    def cards_in(self, seat: int, source: Source | None) -> tuple[Card, ...]:
        """Return the cards that a seat can play from its hand, or from the sky."""
        if source is Source.SKY:
            return tuple(card for card in self.sky if card is not None)
        return self.hands[seat]
