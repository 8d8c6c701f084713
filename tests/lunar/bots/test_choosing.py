"""The best choice is found in few rounds if it is plain, and in all of them if it is close."""

from typing import Any

import numpy as np
import pytest

from games.lunar.bots.choosing import best_of

ROUNDS = 8000


def find_best(means: list[float], noise: float, seed: int) -> tuple[int, list[int]]:
    """Return the choice that is found, and how often each was tried; all results of a guess share a noise."""
    random, tries = np.random.default_rng(seed), np.zeros(len(means), int)

    def attempt(is_left: Any, totals: Any, guesses: int) -> None:
        shared = random.normal(0, 5, guesses)
        for number in np.flatnonzero(is_left):
            totals[number] += (means[number] + shared + random.normal(0, noise, guesses)).sum()
        tries[is_left] += guesses

    return best_of(len(means), ROUNDS, lambda: True, attempt), tries.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_a_plain_choice_needs_few_rounds(seed: int) -> None:
    best, tries = find_best([0, 1, 0, 0.2, 0.1], 0.5, seed)
    assert best == 1
    assert sum(tries) < ROUNDS / 5


@pytest.mark.parametrize("seed", range(20))
def test_a_close_choice_gets_most_rounds_after_the_others_have_left(seed: int) -> None:
    best, tries = find_best([0.49, -2, 0.5, -2], 3, seed)
    assert best in {0, 2}
    assert tries[1] + tries[3] < ROUNDS / 4
    assert tries[0] + tries[2] > ROUNDS / 2


def test_what_leads_by_little_is_found() -> None:
    found = [find_best([0.2, 0, 0], 1, seed)[0] for seed in range(50)]
    assert found.count(0) >= 48


def test_the_only_choice_needs_no_round() -> None:
    assert find_best([1], 1, 0) == (0, [0])


def test_a_search_without_time_tries_each_choice() -> None:
    totals = []

    def attempt(_is_left: Any, sums: Any, guesses: int) -> None:
        totals.append(guesses)
        sums += [1, 3, 2]

    assert best_of(3, ROUNDS, lambda: False, attempt) == 1
    assert len(totals) == 1
