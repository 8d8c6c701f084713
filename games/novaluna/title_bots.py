"""The bots of Nova Luna as a title of the house.

The search is imported on first use, because processes that only serve pages or queue turns don't need it.
"""

from collections.abc import Iterator
from random import Random
from types import MappingProxyType

from games.compiled import folders
from games.novaluna.bots.face import Worth, worth_from_float
from games.novaluna.engine import Action, Mode, Place, Position, Refill
from games.titles.bots import Budget, Level
from games.titles.experts import Comparison, Estimate, Judgement, Luck

# The ratings follow from matches that docs/bots.md describes.
LEVELS = MappingProxyType(
    {
        "easy": Level(1160, is_quick=True),
        "medium": Level(1500, is_quick=True),
        "hard": Level(1870),
        "expert": Level(2350),
    }
)
# The least loss of a turn that is trained: a smaller one is too near to the noise of a review.
LEAST_CHANCE = 0.10
LEAST_SCORE = 4.0
SEARCH = "games.novaluna.bots.search"  # the package that is compiled


class NovaLunaBots:
    """The bots, which give hints, judge games and train players; `games.novaluna.bots` does it.

    A value is a chance to win or, in a solo game, a score, of which less is better.
    """

    levels = LEVELS
    references = ("random", "greedy", "uct1024")
    luck_version = 1

    def choose(
        self, position: Position, seat: int, level: str, rng: Random, budget: Budget | None = None
    ) -> Place | Refill:
        """Return the action of a level. Raises KeyError for an unknown level."""
        from games.novaluna.bots.face import choose

        limits = () if budget is None else (budget,)
        return choose(position, seat, level, rng, *limits)

    def choose_without_search(self, position: Position, _seat: int, rng: Random) -> Place | Refill:
        """Return an action by a rule of thumb, which needs only the engine."""
        from games.novaluna.bots.face import choose_greedily

        return choose_greedily(position, rng)

    @property
    def seconds_to_compile(self) -> float:
        """How long the search takes to load, or to compile at the first start."""
        return 4.0 if folders.has_compiled(SEARCH) else 36.0

    def compile(self) -> Iterator[float]:
        """Compile the search, or load it if that is done; remove the code of other versions."""
        from games.novaluna.bots.face import warm_up_in_steps

        return folders.compile_search(SEARCH, warm_up_in_steps)

    def warm_up(self) -> None:
        """Load the search."""
        from games.novaluna.bots.face import warm_up

        warm_up()

    def advise(self, position: Position, seat: int, rng: Random) -> Estimate | None:
        """Return the expert's action; None if a display is too large for the search."""
        from games.novaluna.bots.face import TooLarge, estimates

        try:
            best = estimates(position, seat, rng)[0]
        except TooLarge:
            return None
        return Estimate(best.action, best.worth.value)

    def judge(self, position: Position, action: Action, rng: Random) -> Judgement:
        """Return how good an action was."""
        from games.novaluna.bots.face import judge

        found = judge(position, action, rng)
        if found.worth is None or found.loss is None:
            return Judgement()
        return Judgement(found.best, found.worth.value, found.loss.value, found.line)

    def luck_of_deal(self, start: Position, rng: Random) -> Luck | None:
        """Return the luck of the first tiles and the start order."""
        from games.novaluna.bots.face import TooLarge, luck_of_deal

        try:
            return luck_of_deal(start, rng)
        except TooLarge:
            return None

    def luck_of_action(self, before: Position, action: Action, after: Position, rng: Random) -> Luck | None:
        """Return the luck of a refill; None for other actions."""
        from games.novaluna.bots.face import TooLarge, luck_of_refill

        if not isinstance(action, Refill):
            return None
        try:
            return luck_of_refill(before, action, after, rng)
        except TooLarge:
            return None

    def least_loss(self, seats: int) -> float:
        """Return the least chance or score that a turn must give away to be trained."""
        return LEAST_SCORE if seats == 1 else LEAST_CHANCE

    def is_solved(self, best: float, value: float, seats: int) -> bool:
        """Return whether two values differ by no more than noise."""
        mode = Mode.of(seats)
        return not worth_from_float(mode, best).is_clearly_better_than(worth_from_float(mode, value))

    def compare(self, position: Position, played: Place | Refill, rng: Random) -> Comparison | None:
        """Return the worth of actions by a deep search. Raises TooLarge."""
        from games.novaluna.bots.face import compare

        found = compare(position, played, rng)
        (_best, highest), worths = found.worths[0], dict(found.worths)
        if not highest.is_clearly_better_than(worths[played]):
            return None
        return Comparison([(action, worth.value) for action, worth in found.worths], found.line)

    def value_beside(self, position: Position, best: Estimate, action: Place | Refill, rng: Random) -> float:
        """Return the worth of an action that the search has hardly visited. Raises TooLarge."""
        from games.novaluna.bots.face import worth_beside

        worth: Worth = worth_from_float(position.mode, best.value)
        return worth_beside(position, best.action, worth, action, rng).value
