"""The rules of Pairs, a small game with all that Nova Luna lacks: hands, sides, and choices at the same time.

Seats 0 and 2 play against 1 and 3. The ranks 1 to 7 are in the deck twice; each seat gets three cards. In
each round a bonus is shown, then all seats choose a card in secret. When the last has chosen, the cards are
revealed. The side with the higher sum gets the bonus; a pair of equal ranks counts 3 more. If both sides are
level, nobody gets it.

With hands of ten, the ranks 1 to 10 are in the deck four times. Most cards are never played, so choices count
more than the deal, and tests can measure bots.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple, Self

from games.titles.actions import Cancel, Resign
from games.titles.shuffles import shuffled
from games.titles.small.actions import SmallAction
from games.titles.small.positions import SmallPosition, SmallStep
from games.titles.small.rules import SmallRules

SEATS = 4
SIDES = (0, 1, 0, 1)
DECK = tuple(sorted(2 * tuple(range(1, 8))))
BONUSES = tuple(range(3, 7))  # each is shown at most once in a game
HAND = ROUNDS = 3  # cards, and the most rounds
DECKS = {HAND: DECK, 10: tuple(sorted(4 * tuple(range(1, 11))))}  # by the cards of a hand
PAIR = 3  # points that equal ranks add to their sum
HIDDEN = 0  # a card that a view does not show


class HiddenCards(ValueError):
    """A view does not have the cards that an action would reveal."""


@dataclass(frozen=True)
class Choose(SmallAction):
    """Choose a card of the seat's own hand, by its rank."""

    do = "choose"
    card: int


Action = Choose | Resign | Cancel
PairsStep = SmallStep[Choose]


class Revealed(NamedTuple):
    """The cards of all seats in a round, and the side that got the bonus."""

    cards: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, kw_only=True)
class PairsPosition(SmallPosition[Choose]):
    """A position. A view shows cards of others as HIDDEN, and no later bonuses.

    `chosen` cards are still in the hands.
    """

    rounds: int
    hands: tuple[tuple[int, ...], ...]
    bonuses: tuple[int, ...]
    chosen: tuple[int | None, ...] = (None,) * SEATS
    played: tuple[tuple[int, ...], ...] = ()
    seats: int = SEATS

    sides = SIDES

    @property
    def choosers(self) -> Sequence[int]:
        """The seats that have not chosen a card in this round."""
        return [seat for seat, card in enumerate(self.chosen) if card is None]

    @property
    def known(self) -> int:
        """The number of rounds that were revealed: with each, the next bonus is shown."""
        return len(self.played)

    def choices(self, seat: int) -> Sequence[Choose]:
        """Return a choice for each rank in the hand of a seat."""
        return [Choose(seat, card) for card in sorted(set(self.hands[seat]) - {HIDDEN})]

    def points(self, seat: int) -> int:
        """Return the sum of the bonuses that the side of a seat has got."""
        rounds = zip(self.bonuses, self.played, strict=False)
        return sum(bonus for bonus, cards in rounds if winner_of(cards) == SIDES[seat])

    def play(self, action: Choose) -> PairsStep:
        """Return a secret step, or the step of a reveal. Raises HiddenCards if a view hides cards of it."""
        chosen = (*self.chosen[: action.seat], action.card, *self.chosen[action.seat + 1 :])
        cards = tuple(card for card in chosen if card is not None)
        if len(cards) < SEATS:
            return replace(self, chosen=chosen).step_of(action, is_secret=True)
        return self._reveal(cards).step_of(action, Revealed(cards, winner_of(cards)))

    def _reveal(self, cards: tuple[int, ...]) -> Self:
        if HIDDEN in cards:
            raise HiddenCards("This view does not have the cards of the other seats.")
        hands = tuple(without(hand, card) for hand, card in zip(self.hands, cards, strict=True))
        played = (*self.played, cards)
        ending = "rounds" if len(played) == self.rounds else None
        return replace(self, hands=hands, chosen=(None,) * SEATS, played=played, ending=ending)

    def seen_by(self, seat: int | None) -> Self:
        """Return the position with the seat's own cards, and the bonuses up to this round."""
        return replace(
            self,
            hands=tuple(
                hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(self.hands)
            ),
            chosen=tuple(
                card if owner == seat or card is None else HIDDEN for owner, card in enumerate(self.chosen)
            ),
            bonuses=self.bonuses[: len(self.played) + 1],
        )

    def guess(self, seat: int, rng: Random) -> Self:
        """Return the position with random cards for the others, random choices and random bonuses."""
        view = self.seen_by(seat)
        unseen: Sequence[int] = DECKS[len(view.hands[seat]) + len(view.played)]
        for card in (*view.hands[seat], *(card for cards in view.played for card in cards)):
            unseen = without(unseen, card)
        pile = iter(rng.sample(unseen, len(unseen)))
        hands = tuple(
            hand if owner == seat else tuple(sorted(islice(pile, len(hand))))
            for owner, hand in enumerate(view.hands)
        )
        chosen = tuple(
            rng.choice(hand) if card == HIDDEN else card
            for hand, card in zip(hands, view.chosen, strict=True)
        )
        later = rng.sample(sorted(set(BONUSES) - set(view.bonuses)), self.rounds - len(view.bonuses))
        return replace(view, hands=hands, chosen=chosen, bonuses=(*view.bonuses, *later))


def winner_of(cards: Sequence[int]) -> int | None:
    """Return the side that wins a round; None if both are level."""
    strengths = [cards[side] + cards[side + 2] + PAIR * (cards[side] == cards[side + 2]) for side in (0, 1)]
    return None if strengths[0] == strengths[1] else strengths.index(max(strengths))


def without(cards: Sequence[int], card: int) -> tuple[int, ...]:
    """Return the cards with one of this rank removed."""
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


class PairsRules(SmallRules[PairsPosition]):
    """The options `rounds` and `hand` are the number of rounds and of the cards that each seat gets.

    A deal is `{"hands": ranks by seat, "bonuses": numbers}`.
    """

    key = "pairs"
    actions = (Choose,)
    seat_counts = (SEATS,)
    options = {"rounds": (ROUNDS, 1, 2), "hand": tuple(DECKS)}

    def sides(self, _seats: int) -> Sequence[int]:
        """Return the sides: partners face each other."""
        return SIDES

    def deal(self, seed: bytes, _seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        """Return the cards of each seat in turn, and a bonus for each round."""
        hand = options.get("hand", HAND)
        cards = shuffled(DECKS[hand], hmac.digest(seed, b"cards", "sha256"))
        bonuses = shuffled(BONUSES, hmac.digest(seed, b"bonuses", "sha256"))
        hands = [sorted(cards[hand * seat : hand * (seat + 1)]) for seat in range(SEATS)]
        return {"hands": hands, "bonuses": bonuses[: options["rounds"]]}

    def begin(self, _seats: int, options: Mapping[str, Any], dealt: Mapping[str, Any]) -> PairsPosition:
        """Return the position before the first choice."""
        return PairsPosition(
            rounds=options["rounds"], hands=tuple(map(tuple, dealt["hands"])), bonuses=tuple(dealt["bonuses"])
        )
