"""Choosing by trials: those that can hardly be the best are tried no longer."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

# Rounds in a batch, between two checks of the clock: less than 20 ms.
ROUNDS_PER_BATCH = 64
# A choice that is behind the best one by this many standard errors leaves: a search compares dozens of times.
CERTAIN = 4.0
LEAST_BATCHES = 10  # With fewer, a standard error is not known well.


def best_of(
    count: int, rollouts: int, has_time: Callable[[], bool], attempt: Callable[[Any, Any, int], None]
) -> int:
    """Return the best of some choices, found in at most so many rounds.

    `attempt` adds results to the totals of the choices that are left, for some more guesses. The worse half
    leaves each time that a share of the rounds is played. This is sequential halving: Z. Karnin, T. Koren,
    O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013. A choice that is certainly worse
    leaves before: O. Maron, A. W. Moore, "Hoeffding Races", 1993.
    """
    totals, is_left, leads = np.zeros(count), np.ones(count, np.bool_), _Leads(count)
    tried, until, kept = 0, 0, count
    halvings = math.ceil(math.log2(count))
    for _halving in range(halvings):
        until += max(1, rollouts // (halvings * kept))
        while tried < until and (left := int(is_left.sum())) > 1 and (tried == 0 or has_time()):
            guesses = min(until - tried, max(1, ROUNDS_PER_BATCH // left))
            before = totals.copy()
            attempt(is_left, totals, guesses)
            tried += guesses
            leads.add((totals - before) / guesses, guesses)
            is_left &= ~leads.are_certain(_ranked(is_left, totals)[-1])
        kept = (kept + 1) // 2
        is_left[_ranked(is_left, totals)[:-kept]] = False
    return int(np.argmax(is_left))


def _ranked(is_left: Any, totals: Any) -> Any:
    """Return the numbers of all choices, the best one last, and first those that have left."""
    return np.argsort(np.where(is_left, totals, -np.inf), kind="stable")


class _Leads:
    """By how much choices lead over each other, in trials on the same guesses."""

    def __init__(self, count: int) -> None:
        self._batches, self._guesses = 0, 0
        self._sums, self._squares = np.zeros((count, count)), np.zeros((count, count))

    def add(self, means: Any, guesses: int) -> None:
        """Count a batch in which the choices reached these means. Those that have left can have any."""
        leads = means[:, None] - means
        self._batches += 1
        self._guesses += guesses
        self._sums += guesses * leads
        self._squares += guesses * leads**2

    def are_certain(self, number: int) -> Any:
        """Return for each choice whether the one with this number is better with certainty."""
        mean = self._sums[number] / self._guesses
        if self._batches < LEAST_BATCHES:
            return np.zeros(len(mean), np.bool_)
        spread = np.maximum(self._squares[number] / self._guesses - mean**2, 0)
        return mean > CERTAIN * np.sqrt(spread / (self._batches - 1))
