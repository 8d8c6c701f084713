"""The search of solo games: it tries refills to compare ends of phase 1; in phase 2 nothing is hidden."""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, new_random_state
from games.novaluna.bots.search.beam import (
    Beam,
    Workspace,
    find_ends,
    new_beam,
    new_workspace,
    search_phase_2,
    state_at,
)
from games.novaluna.bots.search.policy import Policy
from games.novaluna.bots.search.state import OVER, State, copy, new_state, refill, score, shuffle_pile

# Penalties that rank the ends of phase 1 before refills are tried: for a unit of time, in addition to its
# cost in the policy, and for a disc left on the first stack. A goal has the value 1.
END_PENALTIES = np.array([0.2, 1.0])


class Settings(NamedTuple):
    """How widely a solo game is searched."""

    phase_1_width: int  # of the beam through phase 1
    ends: int  # the most ends of phase 1 that are compared
    trial_width: int  # of the beam from a tried refill to the end of the game
    phase_2_width: int  # of the beam through phase 2, when that is the current phase


class Option(NamedTuple):
    """A turn at the root (its space and cell, or REFILL and -1), and the expected score after it."""

    space: int
    cell: int
    score: float
    trials: int


@compiled
def sum_of_scores(
    end: State, s: State, trials: int, random: Any, width: int, policy: Policy, workspace: Workspace
) -> float:
    """Try refills at an end of phase 1, and search phase 2 after each; return the sum of the scores.

    `s` is scratch space for a state. The draw pile is shuffled before each trial. The same random state leads
    to the same piles, so that all ends are compared with the same luck.
    """
    total = 0.0
    for _ in range(trials):
        copy(end, s)
        shuffle_pile(s, random)
        refill(s)
        total += score(s) if s.n[OVER] else search_phase_2(s, width, policy, workspace)[0]
    return total


class Search:
    """A search in phase 1, in rounds: each round tries more refills on fewer ends of the phase."""

    def __init__(
        self, root: State, settings: Settings, phase_1_policy: Policy, phase_2_policy: Policy, seed: int
    ) -> None:
        """Find the ends of phase 1 that will be compared."""
        self._settings = settings
        self._phase_2_policy = phase_2_policy
        self._seed = seed
        self._workspace = new_workspace(settings.trial_width)
        self._state = new_state(1)
        self._ends: Beam = new_beam(settings.ends)
        width = settings.phase_1_width
        count = find_ends(root, width, phase_1_policy, new_workspace(width), self._ends, END_PENALTIES)
        self._totals = np.zeros(count)
        self._trials = np.zeros(count, np.int64)
        self._compared = [int(i) for i in np.argsort(-self._ends.value[:count])]

    def try_refills(self, trials: int) -> None:
        """Try this many more refills on each end that is left."""
        for end in self._compared:
            random_state = new_random_state(self._seed + int(self._trials[end]))
            self._totals[end] += sum_of_scores(
                state_at(self._ends, end),
                self._state,
                trials,
                random_state,
                self._settings.trial_width,
                self._phase_2_policy,
                self._workspace,
            )
            self._trials[end] += trials

    def drop_worse_ends(self) -> None:
        """Keep the better third of the ends, at least two."""
        self._compared = self._ends_by_score()[: max(2, len(self._compared) // 3)]

    @property
    def ends_left(self) -> int:
        """The number of ends that are still compared."""
        return len(self._compared)

    def _ends_by_score(self) -> list[int]:
        return sorted(self._compared, key=lambda end: float(self._totals[end] / self._trials[end]))

    @property
    def options(self) -> list[Option]:
        """The turns that lead to the ends, each with its best end; those with the most trials first."""
        best: dict[tuple[int, int], Option] = {}
        for end in np.nonzero(self._trials)[0]:
            turn = int(self._ends.space[end]), int(self._ends.cell[end])
            option = Option(*turn, float(self._totals[end] / self._trials[end]), int(self._trials[end]))
            known = best.get(turn)
            if known is None or (-option.trials, option.score) < (-known.trials, known.score):
                best[turn] = option
        return sorted(best.values(), key=lambda option: (-option.trials, option.score))
