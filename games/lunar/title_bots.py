"""The bots of LUNAR as a title of the house.

The search is imported on first use, because processes that only serve pages or queue turns don't need it.
"""

from collections.abc import Iterator
from random import Random
from types import MappingProxyType

from games.compiled import folders
from games.lunar.bots.simple import choose_at_random
from games.lunar.engine import Action, Position
from games.titles.bots import Budget, Level

# docs/lunar.md says which of these ratings matches have measured.
LEVELS = MappingProxyType(
    {
        "easy": Level(1250, is_quick=True),
        "medium": Level(1500, is_quick=True),
        "hard": Level(2150),
        "expert": Level(2250),
    }
)
SEARCH = "games.lunar.bots.search"  # the package that is compiled


class LunarBots:
    """The bots; `games.lunar.bots` does it."""

    levels = LEVELS
    references = ("random",)

    def choose(
        self, position: Position, seat: int, level: str, rng: Random, budget: Budget | None = None
    ) -> Action:
        """Return the action of a level. Raises KeyError for an unknown level."""
        from games.lunar.bots.levels import choose

        return choose(position, seat, level, rng, budget)

    def choose_without_search(self, position: Position, seat: int, rng: Random) -> Action:
        """Return a random action, which needs only the engine."""
        return choose_at_random(position, seat, rng)

    @property
    def seconds_to_compile(self) -> float:
        """How long the search takes to load, or to compile at the first start."""
        return 2.0 if folders.has_compiled(SEARCH) else 21.0

    def compile(self) -> Iterator[float]:
        """Compile the search, or load it if that is done; remove the code of other versions."""
        from games.lunar.bots.levels import warm_up_in_steps

        return folders.compile_search(SEARCH, warm_up_in_steps)

    def warm_up(self) -> None:
        """Load the search."""
        from games.lunar.bots.levels import warm_up

        warm_up()
