"""Reliability: how many of their games a person finishes, and how long the others wait for their answers.

Sites count in several ways: chess.com shows the share of daily games that were lost on time and the average
time of a move, and challenges can ask for both; Board Game Arena counts games that somebody left while the
others had to play on. Here both lower the reliability. The median is the usual answer: unlike an average, it
does not depend on one very long wait.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import NamedTuple

# Habits change, so only this many games count, the latest ones.
GAMES_COUNTED = 20
# With fewer games, a person is new, and one bad game does not say much yet.
GAMES_OF_NEWCOMERS = 5


class Attended(NamedTuple):
    """A game that counts: whether the person finished it, and the counted seconds of their answers."""

    has_finished: bool
    answers: list[int]


@dataclass(frozen=True, slots=True)
class Reliability:
    """How reliable a person is: they finished `finished` of the `counted` latest games.

    The reliability is `finished / counted`. `median_answer` is the median of the counted times of all answers
    in these games; None without answers.
    """

    finished: int = 0
    counted: int = 0
    median_answer: timedelta | None = None

    @classmethod
    def of(cls, games: Iterable[Attended]) -> "Reliability":
        """Return the reliability that these games show.

        >>> Reliability.of([Attended(True, [60, 7200]), Attended(False, [1800])])
        Reliability(finished=1, counted=2, median_answer=datetime.timedelta(seconds=1800))
        """
        all_games = list(games)
        answers = [seconds for game in all_games for seconds in game.answers]
        middle = timedelta(seconds=median(answers)) if answers else None
        return cls(sum(game.has_finished for game in all_games), len(all_games), middle)

    @property
    def is_new(self) -> bool:
        """Whether the person has played too few games for the figure to say much."""
        return self.counted < GAMES_OF_NEWCOMERS

    @property
    def percent(self) -> int:
        """The reliability in percent, rounded down, so that 100 means all games; 100 before the first."""
        return 100 * self.finished // self.counted if self.counted else 100

    def meets(self, minimum: int) -> bool:
        """Return whether the person may join tables that ask for this reliability in percent.

        Newcomers may join all of them.
        """
        return self.is_new or self.percent >= minimum
