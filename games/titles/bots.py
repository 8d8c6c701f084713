"""The bots of a title: which levels there are, and how they choose. No search is imported here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

LEVEL_NAMES = ("easy", "medium", "hard", "expert")  # those that the house has words for


@dataclass(frozen=True)
class Level:
    """A level of the bots.

    `rating` is its fixed rating, in points of `games.ratings`. A level that `is_quick` chooses within tens of
    milliseconds in any process. So its turns wait for no search of another level.
    """

    rating: float
    is_quick: bool = False


@dataclass(frozen=True)
class Budget:
    """Limits of a search, in place of the level's own.

    A limit of None keeps the level's own, with one exception: `rollouts` without `seconds` removes the time
    limit, so that results are repeatable.
    """

    seconds: float | None = None
    rollouts: int | None = None


class Bots(Protocol):
    """The bots of a title.

    They, positions and actions must be picklable, because searches can run in a process of their own.
    Positions are as the seat of the bot sees them (`Position.seen_by`), so a bot knows no more than a person
    there. Searches release Python's global lock or are short: the house stops them after ten seconds, and
    those of reviews and of the trainer after 30 and 40.
    """

    @property
    def levels(self) -> Mapping[str, Level]:
        """The levels by stored name, the weakest first: some of `LEVEL_NAMES`, at least one."""
        ...

    @property
    def references(self) -> Collection[str]:
        """The names of further opponents, to measure the levels by; `choose` knows them too."""
        ...

    def choose(self, position: Any, seat: int, level: str, rng: Random, budget: Budget | None = None) -> Any:
        """Return a legal action of an awaited seat. Raises ValueError if the seat is not awaited."""
        ...

    def choose_without_search(self, position: Any, seat: int, rng: Random, /) -> Any:
        """Return a legal action of an awaited seat at little cost, for when a search has failed."""
        ...

    @property
    def seconds_to_compile(self) -> float:
        """About how long `compile` takes now: less, if it only loads what is compiled."""
        ...

    def compile(self) -> Iterator[float]:
        """Compile what searches need, or load it, and remove what other versions of the program have left.

        Yields the share that is done, more than 0 and up to 1, after some steps.
        """
        ...

    def warm_up(self) -> None:
        """Load what searches need, so that the first turn of this process is not slow."""
        ...


def compile_all(all_bots: Sequence[Bots]) -> Iterator[float]:
    """Compile the searches of bots, or load them; yield the share that is done, from 0 to 1."""
    seconds = [bots.seconds_to_compile for bots in all_bots]
    for number, own in enumerate(all_bots):
        for share in own.compile():
            yield (sum(seconds[:number]) + share * seconds[number]) / sum(seconds)
