"""Guesses of hidden cards fit everything that a seat knows."""

import random
from itertools import islice

import numpy as np
import pytest

from games.compiled.functions import new_random_state
from games.lunar.bots.reading import CARDS, read
from games.lunar.bots.search import state as core
from games.lunar.bots.search.guesses import guess, new_holders
from games.lunar.engine import Card, Position, Stage, deck_of, passed_to, voids
from tests.lunar.bots.core import random_steps, start


def guessed(position: Position, seat: int, seed: int) -> tuple[list[list[Card]], list[Card]]:
    """Return the hands and the piles of a guess."""
    reading, n = read(position.seen_by(seat), seat), np.zeros(core.SIZE, np.int64)
    guess(reading.state, reading.known, seat, new_random_state(seed), new_holders(), n)
    hands = [
        [CARDS[card] for card in range(core.CARDS) for _ in range(n[core.HANDS + core.CARDS * owner + card])]
        for owner in range(position.seats)
    ]
    piles = [
        CARDS[n[core.PILES + core.PILE * kind + place]]
        for kind in range(2)
        for place in range(n[core.PILE_COUNT + kind])
    ]
    return hands, piles


@pytest.mark.parametrize("seats", [2, 4])
def test_a_guess_fits_what_a_seat_knows(seats: int) -> None:
    seen = 0
    for step in islice(random_steps(start(seats, seats), random.Random(seats)), 240):
        position = step.position
        for seat in position.awaited:
            view = position.seen_by(seat)
            hands, piles = guessed(position, seat, seen)
            assert sorted(hands[seat]) == sorted(view.hands[seat])
            played = [
                one.card for trick in (*(trick.cards for trick in view.tricks), view.trick) for one in trick
            ]
            sky = [card for card in view.sky if card is not None]
            everything = [card for hand in hands for card in hand] + piles + played + sky
            assert sorted(everything) == sorted(card for cards in deck_of(view.setup.stars) for card in cards)
            for owner in range(seats):
                hand = hands[owner]
                assert [card.kind for card in sorted(hand)] == [
                    card.kind for card in sorted(position.hands[owner])
                ]
                assert not voids(view).get(owner, set()) & {
                    card.suit for card in hand if not card[0].isdigit()
                }
                for card in (known := passed_to(view, owner, seat)):
                    assert hand.count(card) >= known.count(card)
            seen += position.stage is Stage.PLAY
    assert seen > 100
