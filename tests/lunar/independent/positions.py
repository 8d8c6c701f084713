"""What a seat knows: the running round and the hidden cards, from a position record."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from tests.lunar.independent import rounds
from tests.lunar.independent.cards import NUMBERS, SUITS, deck
from tests.lunar.independent.guesses import Hidden

ACTIONS_OF_A_ROUND = {2: 3 + 48, 4: 4 + 3 + 48}


class Known(NamedTuple):
    """The round without hidden cards, and what is hidden."""

    round_: Any
    hidden: Hidden


def known_of(record: dict[str, Any]) -> Known:
    """Return what the seat of a position record knows."""
    view, seat, seats = record["view"], record["seat"], record["seats"]
    actions = record["actions"][(view["round"] - 1) * ACTIONS_OF_A_ROUND[seats] :]
    plays = [action for action in actions if action["do"] == "play"]
    round_ = public_round(record)
    cards = np.array(deck(record["stars"]), np.int64)
    ranks, suits = np.zeros(3, np.int64), np.zeros(3, np.int64)
    voids = np.zeros((3, 4), np.bool_)
    for number in range(seats - 1):
        holder = (seat + 1 + number) % seats
        ranks[number], suits[number] = map(view["hands"][holder].count, "rs")
        voids[number, list(suits_not_followed(plays, holder))] = True
    if seats == 2:
        ranks[2], suits[2] = view["piles"]
    own = Counter(NUMBERS[code] for code in record["hand"])
    passed = Counter(passed_cards(actions, plays, seat))
    for owner, hand in ((seat, own), ((seat + 2) % 4, passed)):
        for card, amount in hand.items():
            round_[rounds.HANDS + 24 * owner + card] += amount
    sky = [card for card in round_[rounds.SKY : rounds.SKY + 6] if card >= 0]
    for card in [*own.elements(), *passed.elements(), *sky, *(NUMBERS[play["card"]] for play in plays)]:
        cards[card] -= 1
    for card in passed.elements():
        (ranks if card < 16 else suits)[1] -= 1
    return Known(round_, Hidden(seat, cards, ranks, suits, voids))


def public_round(record: dict[str, Any]) -> Any:
    """Return the running round of a record with a view, without cards in hands and piles."""
    view = record["view"]
    holders = sorted(view["holders"], key=lambda seat: seat % 2)
    leader = view["start_player"] if view["leader"] is None else view["leader"]
    round_ = rounds.new_round(record["seats"], holders, leader)
    round_[rounds.TILES] = sum(1 << SUITS.index(suit) for suit in view["tiles"])
    if view["trump"]:
        round_[rounds.TRUMP] = SUITS.index(view["trump"])
    round_[rounds.WON : rounds.WON + 2] = view["tricks"]
    round_[rounds.STARS : rounds.STARS + 2] = view["stars"]
    round_[rounds.TRICKS] = sum(view["tricks"])
    if record["seats"] == 2:
        places = [*view["sky"]["ranks"], *view["sky"]["suits"]]
        round_[rounds.SKY : rounds.SKY + 6] = [NUMBERS.get(code, rounds.NOTHING) for code in places]
        round_[[rounds.RANKS_DRAWN, rounds.SUITS_DRAWN]] = [9 - left for left in view["piles"]]
    for played in view["trick"]:
        rounds.add_to_trick(round_, NUMBERS[played["card"]] + rounds.IN_SKY * (played.get("from") == "sky"))
    return round_


def passed_cards(actions: list[dict[str, Any]], plays: list[dict[str, Any]], seat: int) -> list[int]:
    """Return the cards that the seat has passed in this round, and that its partner has surely not played."""
    own = [action["cards"] for action in actions if action["do"] == "pass" and action["seat"] == seat]
    passed = [code for cards in own for code in cards]
    played = [play["card"] for play in plays if play["seat"] == (seat + 2) % 4]
    return [NUMBERS[code] for code in (Counter(passed) - Counter(played)).elements()]


def suits_not_followed(plays: list[dict[str, Any]], seat: int) -> set[int]:
    """Return the suits that a hand did not follow in this round, so that it has none of them."""
    found: set[int] = set()
    lead = None
    for number, play in enumerate(plays):
        if number % 4 == 0:
            lead = None
        if play["card"][0] not in SUITS:
            continue
        suit = SUITS.index(play["card"][0])
        if lead is None:
            lead = suit
        elif play["seat"] == seat and suit != lead and play.get("from") != "sky":
            found.add(lead)
    return found
