"""The choice of an action: each one is tried on the same guesses of the hidden cards."""

from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

from tests.lunar.independent import guesses, playouts, rounds
from tests.lunar.independent.cards import CODES, NUMBERS, SUITS
from tests.lunar.independent.positions import Known, known_of

SAMPLES = 200
STAGES = ["pass", "trump", "play"]
PASS, TRUMP, _PLAY = range(3)
# All passes are tried on a share of the guesses, and this many of the best on all of them.
SHARE_FOR_ALL_PASSES = 5
BEST_PASSES = 20


class Player:
    """A player that answers position records. A seed makes its choices repeatable."""

    def __init__(self, samples: int = SAMPLES, seed: int = 1) -> None:
        self.samples = samples
        self.dice = np.array([seed], np.int64)

    def choose(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the action with the best mean, in the record format."""
        known = known_of(record)
        choices = choices_of(record, known)
        if len(choices) > 1 and record["view"]["stage"] == "pass":
            few = max(1, self.samples // SHARE_FOR_ALL_PASSES)
            order = np.argsort(-self._worths(record, known, choices, few), kind="stable")
            choices = choices[order[:BEST_PASSES]]
        if len(choices) > 1:
            best = np.argmax(self._worths(record, known, choices, self.samples))
            return action_of(record, choices[best])
        return action_of(record, choices[0])

    def _worths(self, record: dict[str, Any], known: Known, choices: Any, samples: int) -> Any:
        """Return the sum of all points for each choice."""
        stage = STAGES.index(record["view"]["stage"])
        lows = playouts.low_wishes(tuple(record["points"]), record["stars"])
        points = np.array(record["points"], np.int64)
        return sum_points(stage, *known, choices, samples, points, lows, self.dice)


def choices_of(record: dict[str, Any], known: Known) -> Any:
    """Return all different choices: four cards to pass, a suit to turn, or a play, one choice a row."""
    if record["view"]["stage"] == "pass":
        cards = sorted(NUMBERS[code] for code in record["hand"])
        ranks = set(combinations([card for card in cards if card < 16], 2))
        suits = set(combinations([card for card in cards if card >= 16], 2))
        return np.array([[*pair, *other] for pair in sorted(ranks) for other in sorted(suits)])
    if record["view"]["stage"] == "trump":
        return np.array([[SUITS.index(suit)] for suit in record["view"]["tiles"]])
    rounds.count_faces(known.round_)
    return rounds.legal_plays(known.round_).reshape(-1, 1)


def action_of(record: dict[str, Any], choice: Any) -> dict[str, Any]:
    """Return a choice as an action of the record format."""
    action = {"seat": record["seat"]}
    if record["view"]["stage"] == "pass":
        return action | {"do": "pass", "cards": [CODES[card] for card in choice]}
    if record["view"]["stage"] == "trump":
        return action | {"do": "flip", "suit": SUITS[choice[0]]}
    action |= {"do": "play", "card": CODES[choice[0] % 24]}
    return action | ({"from": ("hand", "sky")[choice[0] // 24]} if record["seats"] == 2 else {})


@njit(cache=True)
def sum_points(
    stage: int,
    known: Any,
    hidden: guesses.Hidden,
    choices: Any,
    samples: int,
    points: Any,
    lows: Any,
    dice: Any,
) -> Any:
    """Return for each choice its side's points in this round less the other side's, as a sum over samples."""
    side = hidden.seat & 1
    ways = guesses.ways_of(hidden)
    sums = np.zeros(len(choices), np.int64)
    whole, round_ = known.copy(), known.copy()
    for _ in range(samples):
        whole[:] = known
        guesses.add_guess(whole, hidden, ways, dice)
        same_dice = playouts.below(dice, 1 << 30)
        for number in range(len(choices)):
            round_[:] = whole
            new_dice = np.array([same_dice], np.int64)
            if stage == PASS:
                _pass_all(round_, hidden.seat, choices[number], new_dice)
            elif stage == TRUMP:
                rounds.turn_tile(round_, choices[number, 0])
            else:
                rounds.play_card(round_, choices[number, 0])
            playouts.play_out(round_, new_dice, lows)
            won, stars = round_[rounds.WON + side], round_[rounds.STARS + side]
            other_stars = round_[rounds.STARS + 1 - side]
            sums[number] += points[won] - points[12 - won] + stars - other_stars
    return sums


@njit(cache=True)
def _pass_all(round_: Any, seat: int, choice: Any, dice: Any) -> None:
    """Pass the choice, and random cards of the others, all at the same time."""
    passes = np.empty((4, 4), np.int64)
    for other in range(4):
        passes[other] = choice if other == seat else playouts.random_pass(round_, other, dice)
    for other in range(4):
        playouts.pass_cards(round_, other, passes[other])
    rounds.count_faces(round_)
