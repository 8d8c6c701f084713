"""Positions: facts with the legal actions and what follows from them. A position is an immutable value."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, Self, TypedDict, TypeVar

from games.lunar.engine import guesses
from games.lunar.engine.actions import Action, Flip, Pass, Play, Source
from games.lunar.engine.cards import (
    Card,
    Deck,
    Kind,
    backs_of,
    deck_of,
    in_order,
    without,
)
from games.lunar.engine.errors import (
    BadAction,
    CardNotAvailable,
    GameIsOver,
    HiddenCards,
    MustFollow,
    TileNotAvailable,
    WrongKind,
    WrongSeat,
    WrongStage,
)
from games.lunar.engine.events import (
    CardsPassed,
    Event,
    RoundEnded,
    RoundResult,
    SkyFilled,
    TrickWon,
    TrumpSet,
)
from games.lunar.engine.facts import Ending, Facts, Stage
from games.lunar.engine.legal import LegalActions
from games.lunar.engine.setup import SIDES, Dealer, Setup, side_of
from games.lunar.engine.tables import GOAL, TRICKS
from games.lunar.engine.tricks import CARDS, Played, Trick, winner_of
from games.titles.actions import Cancel, Resign
from games.titles.rules import IllegalAction

T = TypeVar("T")

HAND = 6  # ranks, and suits, in a hand at the start of a round
SKY = 3  # places for ranks, and for suits, in the sky


_STAGES: Mapping[type, Stage] = {Pass: Stage.PASSING, Flip: Stage.TRUMP, Play: Stage.PLAY}


class Step(NamedTuple):
    """An action with the position after it and its events. A view does not have passes of other seats."""

    action: Action | None
    seat: int | None
    position: "Position"
    events: tuple[Event, ...]

    def seen_by(self, seat: int | None) -> "Step":
        """Return the step as a seat sees it when it happens."""
        is_hidden = isinstance(self.action, Pass) and seat != self.seat
        return self._replace(
            action=None if is_hidden else self.action,
            position=self.position.seen_by(seat),
            events=tuple(
                event.seen_by(seat) if isinstance(event, CardsPassed) else event for event in self.events
            ),
        )


@dataclass(frozen=True, kw_only=True)
class Position(Facts):
    """A position, or what a viewer may know of it."""

    @classmethod
    def start(cls, setup: Setup, dealer: Dealer) -> Self:
        """Return the position before the first action."""
        return cls(
            setup=setup,
            dealer=dealer,
            holders=setup.leads,
            start_player=setup.leads[0],
            **dealt(dealer.deal(1), setup.seats),
        )

    def legal(self, seat: int) -> Collection[Action]:
        """Return the legal actions of a seat, but resigning and cancelling."""
        return LegalActions(self, seat) if seat in self.awaited else ()

    def is_legal(self, action: Action) -> bool:
        """Return whether `apply` would accept this action, of any kind and by any seat."""
        try:
            self._check(action)
        except IllegalAction:
            return False
        return True

    def forced(self, seat: int) -> Action | None:
        """Return the only legal action of a seat; None if it has a choice or is not awaited.

        Only the play of a card can be forced: a seat that passes cards or turns a tile has a choice.
        """
        if self.stage is not Stage.PLAY or seat not in self.awaited:
            return None
        legal = list(LegalActions(self, seat))
        return legal[0] if len(legal) == 1 else None

    def apply(self, action: Action) -> Step:
        """Return the step of an action.

        Raises IllegalAction; if several errors apply, the one that is first in `errors.py`. Raises
        HiddenCards if a view does not have the cards that follow.
        """
        self._check(action)
        after, events = self, list[Event]()
        match action:
            case Pass(seat, cards):
                after = replace(self, passes=with_item(self.passes, seat, cards))
                if None not in after.passes:
                    after, events = after._exchange()
            case Flip(_, suit):
                after = replace(self, flips=(*self.flips, suit))
                events = [TrumpSet(after.trump)] if after.trump else []
            case Play():
                after, events = self._play(action)
            case Resign(seat):
                after = replace(self, ending=Ending.LEFT, left=seat)
            case Cancel():
                after = replace(self, ending=Ending.CANCELLED)
        return Step(action, action.seat, after, tuple(events))

    def seen_by(self, seat: int | None) -> Self:
        """Return the position as a seat, or a spectator, may know it; hands stay hidden after the end."""
        known = set() if seat is None else {seat} if None in self.passes else {seat, self.partner_of(seat)}
        return replace(
            self,
            dealer=None,
            hands=tuple(hand if owner == seat else backs_of(hand) for owner, hand in enumerate(self.hands)),
            piles=tuple(map(backs_of, self.piles)),
            passes=tuple(
                cards if cards is None or giver in known else backs_of(cards)
                for giver, cards in enumerate(self.passes)
            ),
        )

    def guess(self, seat: int, rng: Random) -> Self:
        """Return a whole position that fits what a seat knows."""
        return guesses.guess(self, seat, rng)

    def _check(self, action: Action) -> None:
        """Raise an error if the action is illegal; if several apply, the one that is first in `errors.py`."""
        if isinstance(action, Cancel):
            if self.ending is not None:
                raise GameIsOver("The game is over.")
            return
        self._check_existence(action)
        if self.ending is not None:
            raise GameIsOver("The game is over.")
        if isinstance(action, Resign):
            return
        if action.seat not in self.awaited:
            raise WrongSeat(f"Seat {action.seat} is not awaited.")
        if self.stage is not _STAGES[type(action)]:
            raise WrongStage(f"The round is in the stage {self.stage}.")
        match action:
            case Pass(seat, cards):
                if Counter(cards) - Counter(self.hands[seat]):
                    raise CardNotAvailable("The hand does not have these cards.")
            case Flip(_, suit):
                if suit in self.flips:
                    raise TileNotAvailable("The tile is face down already.")
            case Play():
                self.check_play(action)

    def _check_existence(self, action: Pass | Flip | Play | Resign) -> None:
        if action.seat not in range(self.seats):
            raise BadAction(f"The seats of this game are 0 to {self.seats - 1}.")
        cards = (
            action.cards if isinstance(action, Pass) else (action.card,) if isinstance(action, Play) else ()
        )
        ranks, suits = deck_of(self.setup.stars)
        if not all(card in ranks or card in suits for card in cards):
            raise BadAction("This game does not have such a card.")
        if isinstance(action, Play) and (action.source is None) == bool(self.sky):
            raise BadAction("Cards are played from the hand or the sky in the game for two only.")

    def check_play(self, action: Play) -> None:
        """Raise IllegalAction if a card can't be played to the trick as it is; its seat may wait."""
        seat, card, source = action
        cards = self.cards_in(seat, source)
        if card not in cards:
            raise CardNotAvailable("The card is not there.")
        kind = card.kind
        own = self.first_card_of(seat)
        if own is not None and (own.card.kind is kind or (source is not None and own.source is source)):
            raise WrongKind("The side needs a card of the other kind, in the game for two from elsewhere.")
        if own is None and source is not None:
            other = Source.HAND if source is Source.SKY else Source.SKY
            if all(fitting.kind is kind for fitting in self.cards_in(seat, other)):
                raise WrongKind("No card of the other kind would be left for the second card.")
        lead = self.lead_suit
        must_follow = kind is Kind.SUIT and lead is not None and card.suit is not lead
        if must_follow and any(held.kind is Kind.SUIT and held.suit is lead for held in cards):
            raise MustFollow("The suit must be the lead suit.")

    def _exchange(self) -> tuple[Self, list[Event]]:
        """Return the position after partners got the cards that all have chosen."""
        passes = tuple(cards for cards in self.passes if cards is not None)
        if any(card.is_hidden for cards in passes for card in cards):
            raise HiddenCards("A view does not have the cards that the others pass.")
        hands = []
        for seat, hand in enumerate(self.hands):
            kept = Counter(hand) - Counter(passes[seat])
            hands.append(in_order([*kept.elements(), *passes[self.partner_of(seat)]]))
        return replace(self, hands=tuple(hands)), [CardsPassed(passes)]

    def _play(self, action: Play) -> tuple[Self, list[Event]]:
        seat, card, source = action
        trick = (*self.trick, Played(seat, card, source))
        if source is Source.SKY:
            after = replace(self, trick=trick, sky=with_item(self.sky, self.sky.index(card), None))
        else:
            after = replace(
                self, trick=trick, hands=with_item(self.hands, seat, without(self.hands[seat], card))
            )
        return (after, []) if len(trick) < CARDS else after._finish_trick()

    def _finish_trick(self) -> tuple[Self, list[Event]]:
        trump = self.trump
        assert trump is not None, "tricks are played after the trump was set"
        trick = Trick(self.trick, winner_of(self.trick, trump))
        after, filled = replace(self, tricks=(*self.tricks, trick), trick=())._fill_sky()
        events: list[Event] = [TrickWon(trick), *filled]
        if len(after.tricks) < TRICKS:
            return after, events
        after, ended = after._finish_round()
        return after, [*events, ended]

    def _fill_sky(self) -> tuple[Self, list[Event]]:
        """Return the position after cards from the piles have filled the sky, the lowest places first."""
        sky, piles, filled = list(self.sky), [list(cards) for cards in self.piles], []
        for place, card in enumerate(sky):
            pile = piles[place // SKY]
            if card is None and pile:
                if pile[0].is_hidden:
                    raise HiddenCards("A view does not have the cards of the piles.")
                sky[place] = drawn = pile.pop(0)
                filled.append((place, drawn))
        after = replace(self, sky=tuple(sky), piles=tuple(map(tuple, piles)))
        return after, [SkyFilled(tuple(filled))] if filled else []

    def _finish_round(self) -> tuple[Self, Event]:
        """Return the position after the last trick of a round: the next round, or the end of the game."""
        tricks, stars = self.tricks_won, self.stars_won
        first, second = (self.setup.points[tricks[side]] + stars[side] for side in range(SIDES))
        result = RoundResult(tricks, stars, (first, second))
        ended = RoundEnded(self.round, result)
        after = replace(self, rounds=(*self.rounds, result))
        points = after.points
        if max(points) > GOAL and points[0] != points[1]:
            return replace(after, ending=Ending.POINTS), ended
        return after._next_round(), ended

    def _next_round(self) -> Self:
        """Return the position after a deal: lead tiles go to the next seats, and the lower side starts."""
        if self.dealer is None:
            raise HiddenCards("A view does not have the cards of the next round.")
        black, white = ((seat + 1) % self.seats for seat in self.holders)
        after = replace(
            self,
            holders=(black, white),
            flips=(),
            tricks=(),
            **dealt(self.dealer.deal(self.round), self.seats),
        )
        first, second = self.points
        lower = side_of(black) if first == second else int(second < first)
        return replace(after, start_player=after.holder_of(lower))


class Dealt(TypedDict):
    """The parts of a position that a deal decides."""

    hands: tuple[tuple[Card, ...], ...]
    sky: tuple[Card | None, ...]
    piles: tuple[tuple[Card, ...], ...]
    passes: tuple[tuple[Card, ...] | None, ...]


def dealt(deck: Deck, seats: int) -> Dealt:
    """Return what is dealt from the shuffled cards of a round."""
    hands = tuple(
        in_order(card for cards in deck for card in cards[HAND * seat : HAND * (seat + 1)])
        for seat in range(seats)
    )
    if seats > SIDES:
        return Dealt(hands=hands, sky=(), piles=(), passes=(None,) * seats)
    first, last = HAND * seats, HAND * seats + SKY
    return Dealt(
        hands=hands,
        sky=tuple(card for cards in deck for card in cards[first:last]),
        piles=tuple(cards[last:] for cards in deck),
        passes=(),
    )


def with_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return `values` with `value` at `index`."""
    return (*values[:index], value, *values[index + 1 :])
