"""The rules of Pairs, a small game with all that Nova Luna lacks: hands, sides, and choices at the same time.

Seats 0 and 2 play against 1 and 3. The ranks 1 to 7 are in the deck twice; each seat gets three cards. In
each round a bonus is shown, then all seats choose a card in secret. When the last has chosen, the cards are
revealed. The side with the higher sum gets the bonus; a pair of equal ranks counts 3 more. If both sides are
level, nobody gets it.

With hands of ten, the ranks 1 to 10 are in the deck four times. Most cards are never played, so choices count
more than the deal, and tests can measure bots.
"""

import hmac
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from games.titles.actions import Cancel, Resign
from games.titles.records import BadRecord, Record, plain_state
from games.titles.rules import IllegalAction, Setup, UnknownRules
from games.titles.shuffles import shuffled

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


class Choose(NamedTuple):
    """Choose a card of the seat's own hand, by its rank."""

    seat: int
    card: int


Action = Choose | Resign | Cancel


class Revealed(NamedTuple):
    """The cards of all seats in a round, and the side that got the bonus."""

    cards: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True)
class PairsStep:
    """An action with the position after it. Only a reveal makes an event."""

    action: Action | None
    seat: int | None
    position: "PairsPosition"
    events: tuple[Hashable, ...] = ()

    def seen_by(self, seat: int | None) -> "PairsStep":
        """Return the step without the card of another seat, unless it was the last one of a round."""
        is_secret = isinstance(self.action, Choose) and seat != self.seat and not self.events
        return replace(self, action=None if is_secret else self.action, position=self.position.seen_by(seat))


@dataclass(frozen=True, kw_only=True)
class PairsPosition:
    """A position. A view shows cards of others as HIDDEN, and no later bonuses.

    `chosen` cards are still in the hands. `left` is the seat that has left.
    """

    rounds: int
    hands: tuple[tuple[int, ...], ...]
    bonuses: tuple[int, ...]
    chosen: tuple[int | None, ...] = (None,) * SEATS
    played: tuple[tuple[int, ...], ...] = ()
    left: int | None = None
    ending: str | None = None
    seats: int = SEATS

    @property
    def in_play(self) -> Collection[int]:
        """The seats that have not left."""
        return [seat for seat in range(SEATS) if seat != self.left]

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that have not chosen a card in this round."""
        if self.ending is not None:
            return frozenset()
        return frozenset(seat for seat, card in enumerate(self.chosen) if card is None)

    @property
    def points(self) -> tuple[int, ...]:
        """The sum of the bonuses that each side has got."""
        winners = [winner_of(cards) for cards in self.played]
        return tuple(
            sum(bonus for bonus, winner in zip(self.bonuses, winners, strict=False) if winner == side)
            for side in (0, 1)
        )

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, the same for partners. The side that a seat has left is second."""
        if self.ending is None or self.ending == "cancelled":
            return ()
        points = self.points if self.left is None else tuple(side != SIDES[self.left] for side in (0, 1))
        return tuple(1 + (points[1 - side] > points[side]) for side in SIDES)

    @property
    def known(self) -> int:
        """The number of rounds that were revealed: with each, the next bonus is shown."""
        return len(self.played)

    def figures(self, seat: int) -> Mapping[str, int]:
        """Return the points of the side of a seat."""
        return {"points": self.points[SIDES[seat]]}

    def legal(self, seat: int) -> Collection[Action]:
        """Return a choice for each rank in the hand of an awaited seat."""
        cards = set(self.hands[seat]) - {HIDDEN} if seat in self.awaited else ()
        return [Choose(seat, card) for card in sorted(cards)]

    def is_legal(self, action: Action) -> bool:
        """Return whether an action is legal."""
        if isinstance(action, Choose):
            return action.seat in self.awaited and action.card in set(self.hands[action.seat]) - {HIDDEN}
        return self.ending is None and (isinstance(action, Cancel) or action.seat in self.in_play)

    def forced(self, seat: int) -> Action | None:
        """Return the choice of a seat that has cards of one rank only."""
        actions = list(self.legal(seat))
        return actions[0] if len(actions) == 1 else None

    def apply(self, action: Action) -> PairsStep:
        """Return the step of an action. Raises HiddenCards if it would reveal cards that a view hides."""
        if not self.is_legal(action):
            raise IllegalAction(f"{action} is not legal now.")
        match action:
            case Choose(seat, card):
                after = replace(self, chosen=(*self.chosen[:seat], card, *self.chosen[seat + 1 :]))
                cards = tuple(chosen for chosen in after.chosen if chosen is not None)
                if len(cards) == SEATS:
                    return PairsStep(action, seat, after._reveal(cards), (Revealed(cards, winner_of(cards)),))
                return PairsStep(action, seat, after)
            case Resign(seat):
                return PairsStep(action, seat, replace(self, left=seat, ending="left"))
            case Cancel():
                return PairsStep(action, None, replace(self, ending="cancelled"))

    def _reveal(self, cards: tuple[int, ...]) -> "PairsPosition":
        if HIDDEN in cards:
            raise HiddenCards("This view does not have the cards of the other seats.")
        hands = tuple(without(hand, card) for hand, card in zip(self.hands, cards, strict=True))
        played = (*self.played, cards)
        ending = "rounds" if len(played) == self.rounds else None
        return replace(self, hands=hands, chosen=(None,) * SEATS, played=played, ending=ending)

    def seen_by(self, seat: int | None) -> "PairsPosition":
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

    def guess(self, seat: int, rng: Random) -> "PairsPosition":
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


class PairsRules:
    """The options `rounds` and `hand` are the number of rounds and of the cards that each seat gets.

    A deal is `{"hands": ranks by seat, "bonuses": numbers}`.
    """

    versions: Collection[int] = (1,)
    version = 1
    has_hands = True
    seat_counts: Collection[int] = (SEATS,)

    def sides(self, _seats: int) -> Sequence[int]:
        """Return the sides: partners face each other."""
        return SIDES

    def checked_options(self, options: Mapping[str, object], _seats: int) -> Mapping[str, object]:
        """Return the number of rounds and of cards, 3 for each that is missing."""
        rounds = options.get("rounds", ROUNDS)
        if type(rounds) is not int or not 1 <= rounds <= ROUNDS:
            raise ValueError("A game has 1 to 3 rounds.")
        hand = options.get("hand", HAND)
        if type(hand) is not int or hand not in DECKS:
            raise ValueError("A hand has 3 or 10 cards.")
        return {"rounds": rounds, "hand": hand}

    def deal(self, seed: bytes, _seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        """Return the cards of each seat in turn, and a bonus for each round."""
        hand = options.get("hand", HAND)
        cards = shuffled(DECKS[hand], hmac.digest(seed, b"cards", "sha256"))
        bonuses = shuffled(BONUSES, hmac.digest(seed, b"bonuses", "sha256"))
        hands = [sorted(cards[hand * seat : hand * (seat + 1)]) for seat in range(SEATS)]
        return {"hands": hands, "bonuses": bonuses[: options["rounds"]]}

    def start(self, setup: Setup, version: int | None) -> PairsPosition:
        """Return the position before the first choice."""
        if version not in self.versions:
            raise UnknownRules(f"Pairs has no version {version} of its rules.")
        options: Mapping[str, Any] = setup.options
        dealt: Mapping[str, Any] = setup.dealt
        return PairsPosition(
            rounds=options["rounds"], hands=tuple(map(tuple, dealt["hands"])), bonuses=tuple(dealt["bonuses"])
        )

    def action_to_json(self, action: Action) -> Mapping[str, object]:
        """Return an action as JSON."""
        match action:
            case Choose(seat, card):
                return {"seat": seat, "do": "choose", "card": card}
            case Resign(seat, reason):
                return {"seat": seat, "do": "resign", "reason": reason}
            case Cancel():
                return {"seat": None, "do": "cancel"}

    def action_from_json(self, value: Any) -> Action:
        """Return the action that a JSON value describes."""
        match value:
            case {"do": "choose", "seat": int(seat), "card": int(card)} if bool not in (
                type(seat),
                type(card),
            ):
                return Choose(seat, card)
            case {"do": "resign", "seat": int(seat), "reason": str() | None as reason} if type(seat) is int:
                return Resign(seat, reason)
            case {"do": "cancel"}:
                return Cancel()
        raise IllegalAction("An action is choose, resign or cancel.")

    def write_record(self, setup: Setup, actions: Iterable[Action]) -> Mapping[str, object]:
        """Return a game as JSON."""
        return {
            "format": "pairs-record",
            "options": dict(setup.options),
            "dealt": dict(setup.dealt),
            "actions": [self.action_to_json(action) for action in actions],
        }

    def read_record(self, record: Mapping[str, Any], *, whole: bool) -> Record:
        """Return what a record describes."""
        match record:
            case {
                "options": dict(options),
                "dealt": dict(dealt),
                "actions": list(actions),
            }:
                return Record(Setup(SEATS, options, dealt), actions)
        raise BadRecord("This is not a pairs-record.")

    def state(self, position: PairsPosition) -> Mapping[str, object]:
        """Return a position as JSON."""
        return plain_state(position)
