"""Guesses of the hidden cards fit what a seat knows, and each that fits is as likely as the others."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.lunar.independent import rounds
from tests.lunar.independent.cards import CODES, NUMBERS, deck
from tests.lunar.independent.games import Game
from tests.lunar.independent.guesses import Hidden, add_guess, ways_of
from tests.lunar.independent.matches import random_record
from tests.lunar.independent.player import action_of, choices_of
from tests.lunar.independent.positions import known_of


def guessed(record: dict[str, Any], seed: int) -> Any:
    """Return the round of a position record with a guess of all cards."""
    known = known_of(record)
    add_guess(known.round_, known.hidden, ways_of(known.hidden), np.array([seed], np.int64))
    return known.round_


def hand_in(round_: Any, seat: int) -> list[str]:
    counts = round_[rounds.HANDS + 24 * seat : rounds.HANDS + 24 * seat + 24]
    return [CODES[card] for card in range(24) for _ in range(counts[card])]


@pytest.mark.parametrize("seats", [2, 4])
def test_guesses_fit_what_a_seat_knows(seats: int) -> None:
    rng = Random(seats)
    game = Game(random_record(seats, "suits", rng))
    lacks: set[tuple[int, str]] = (
        set()
    )  # seats and suits, worked out from hands when somebody does not follow
    passed: dict[int, list[str]] = {}
    while game.awaited:
        seat = game.awaited[0]
        record = game.record_for(seat)
        round_ = guessed(record, len(game.actions))
        view = record["view"]
        assert hand_in(round_, seat) == record["hand"]
        for other, hand in enumerate(view["hands"]):
            kinds = ["r" if code[0].isdigit() else "s" for code in hand_in(round_, other)]
            assert len(kinds) == len(hand)
            assert other == seat or kinds == hand
            assert other == seat or not {(other, code[0]) for code in hand_in(round_, other)} & lacks
        if seats == 4 and view["stage"] != "pass":
            partner = hand_in(round_, (seat + 2) % 4)
            assert not Counter(passed[seat]) - Counter(partner)
        assert all_cards(round_, game) == deck("suits")
        action = action_of(record, rng.choice(choices_of(record, known_of(record))))
        if action["do"] == "pass":
            passed[seat] = list(action["cards"])
        if action["do"] == "play":
            partner_gave = passed.get((seat + 2) % 4, [])
            if action["card"] in partner_gave:
                partner_gave.remove(action["card"])
            lead = view["lead_suit"]
            if (
                lead
                and action["card"][0] in "WOLB"
                and action.get("from") != "sky"
                and action["card"][0] != lead
            ):
                lacks.add((seat, lead))
        rounds_before = len(game.rounds)
        game.act(action)
        if len(game.rounds) > rounds_before:
            lacks.clear()


def all_cards(round_: Any, game: Game) -> list[int]:
    """Return how many of each card are in hands, sky, piles and out of the round."""
    found = Counter(code for seat in range(game.seats) for code in hand_in(round_, seat))
    if game.seats == 2:
        drawn = round_[[rounds.RANKS_DRAWN, rounds.SUITS_DRAWN]]
        places = [*range(rounds.SKY, rounds.SKY + 6)]
        for kind in (0, 1):
            pile = rounds.PILES + 9 * kind
            places += range(pile + drawn[kind], pile + 9)
        found.update(CODES[round_[place]] for place in places if round_[place] >= 0)
    length = 51 if game.seats == 2 else 55
    for action in game.actions[length * len(game.rounds) :]:
        if action["do"] == "play":
            found[action["card"]] += 1
    return [found[code] for code in CODES]


def test_each_guess_that_fits_is_as_likely_as_the_others() -> None:
    # Two wolves, an owl and a bat for three hands; two hands did not follow a suit.
    cards = np.zeros(24, np.int64)
    for code in ("W", "W*", "O", "B"):
        cards[NUMBERS[code]] += 1
    voids = np.zeros((3, 4), np.bool_)
    voids[0, 0] = voids[1, 1] = True
    hidden = Hidden(0, cards, np.zeros(3, np.int64), np.array([1, 2, 1]), voids)
    ways, dice = ways_of(hidden), np.array([1], np.int64)
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for _ in range(8000):
        round_ = rounds.new_round(4, [0, 1], 0)
        add_guess(round_, hidden, ways, dice)
        found[tuple(tuple(hand_in(round_, seat)) for seat in (1, 2, 3))] += 1
    assert set(found) == {
        (("O",), ("W", "W*"), ("B",)),
        (("O",), ("W", "B"), ("W*",)),
        (("O",), ("W*", "B"), ("W",)),
        (("B",), ("W", "W*"), ("O",)),
    }
    assert all(1800 < times < 2200 for times in found.values()), found
