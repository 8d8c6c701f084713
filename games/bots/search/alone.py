"""Searching a solo game: refills are tried on each end of phase 1; in phase 2 all is known."""

from typing import Any, NamedTuple

import numpy as np

from games.bots.search.beam import Level, Room, at, find_ends, finish, new_level, new_room
from games.bots.search.compiled import compiled, seeded
from games.bots.search.policy import Policy
from games.bots.search.state import OVER, State, copy, new_state, refill, score, shuffle_pile

# How the ends of phase 1 are ranked before refills are tried on them: what a step of time costs beyond the
# policy's own view, and a disc left on the first stack, in goals.
RANKING = np.array([0.2, 1.0])


class Settings(NamedTuple):
    """How widely a solo game is searched."""

    width: int  # of the beam through phase 1
    ends: int  # at most so many ends of phase 1 are compared
    tries_width: int  # of the beam from a refill that is tried to the end of the game
    finish_width: int  # of the beam through phase 2


class Option(NamedTuple):
    """A turn of the root (a space and a cell; REFILL and -1), and the score that it should lead to."""

    space: int
    cell: int
    score: float
    tries: int


@compiled
def try_refills(end: State, s: State, tries: int, seed: Any, width: int, policy: Policy, room: Room) -> float:
    """Refill so many times, on a pile shuffled anew each time, and search on; return the sum of the scores.

    The same seed gives the same piles, so that ends are compared on the same luck.
    """
    total = 0.0
    for _ in range(tries):
        copy(end, s)
        shuffle_pile(s, seed)
        refill(s)
        total += score(s) if s.n[OVER] else finish(s, width, policy, room)[0]
    return total


class Search:
    """A search of a position in phase 1, in rounds: each tries more refills on fewer ends of the phase."""

    def __init__(self, root: State, settings: Settings, first: Policy, second: Policy, seed: int) -> None:
        """Find the ends of phase 1 that are to be compared; each phase has a policy of its own."""
        self._settings = settings
        self._second = second
        self._seed = seed
        self._room = new_room(settings.tries_width)
        self._state = new_state(1)
        self._ends: Level = new_level(settings.ends)
        count = find_ends(root, settings.width, first, new_room(settings.width), self._ends, RANKING)
        self._totals = np.zeros(count)
        self._tries = np.zeros(count, np.int64)
        self._alive = [int(i) for i in np.argsort(-self._ends.value[:count])]

    def compare(self, tries: int) -> None:
        """Try so many further refills on each end that is still compared."""
        for end in self._alive:
            seed = seeded(self._seed + int(self._tries[end]))
            self._totals[end] += try_refills(
                at(self._ends, end),
                self._state,
                tries,
                seed,
                self._settings.tries_width,
                self._second,
                self._room,
            )
            self._tries[end] += tries

    def drop(self) -> None:
        """Keep the better third of the ends, at least two."""
        self._alive = self._ranked()[: max(2, len(self._alive) // 3)]

    @property
    def left(self) -> int:
        """How many ends are still compared."""
        return len(self._alive)

    def _ranked(self) -> list[int]:
        return sorted(self._alive, key=lambda end: float(self._totals[end] / self._tries[end]))

    @property
    def options(self) -> list[Option]:
        """The turns that lead to the ends, each by its best one: what was compared longest first."""
        best: dict[tuple[int, int], Option] = {}
        for end in np.nonzero(self._tries)[0]:
            turn = int(self._ends.space[end]), int(self._ends.cell[end])
            option = Option(*turn, float(self._totals[end] / self._tries[end]), int(self._tries[end]))
            known = best.get(turn)
            if known is None or (-option.tries, option.score) < (-known.tries, known.score):
                best[turn] = option
        return sorted(best.values(), key=lambda option: (-option.tries, option.score))
