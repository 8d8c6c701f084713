"""The game for one: two stacks of discs, one refill, and a score that should be low."""

from dataclasses import dataclass, replace

from games.engine.actions import Place
from games.engine.display import Display
from games.engine.events import Ending, Event, GameOver, PhaseEnded
from games.engine.position import Position, RefillRule, cover, first_wheel
from games.engine.setup import LAID_OUT, Setup

FIRST_STACK = 8
DISC_PENALTY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloPosition(Position):
    """A position of a solo game. `first_stack` counts the discs left on the first stack while phase 1 lasts.

    `phase_score` is noted at the refill that ends phase 1; before, it is None.
    """

    first_stack: int = FIRST_STACK
    phase_score: int | None = None

    @classmethod
    def start(cls, setup: Setup) -> "SoloPosition":
        """Return the position before the first action."""
        return cls(
            setup=setup,
            wheel=first_wheel(setup),
            revealed=LAID_OUT,
            displays=(Display(),),
            discs=(setup.goal_discs,),
        )

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.over else 0

    @property
    def phase(self) -> int:
        """1 until the refill, 2 from then on."""
        return 1 if self.phase_score is None else 2

    @property
    def refill(self) -> RefillRule:
        """Whether the wheel may or must be refilled, by how many tiles lie on it and the phase."""
        if self.over or self.phase == 2:
            return RefillRule.NOT_ALLOWED
        if self.wheel.tile_count == 0:
            return RefillRule.FORCED
        return RefillRule.NOT_ALLOWED if self.first_stack else RefillRule.ALLOWED

    @property
    def time(self) -> int:
        """The sum of the time costs in the display."""
        return self.displays[0].cost

    @property
    def score(self) -> int | None:
        """The final score; None while the game runs and when it ended unfinished."""
        return self.score_so_far if self.ending in (Ending.DISCS, Ending.TILES) else None

    @property
    def score_so_far(self) -> int:
        """What the score would be if the game ended here: phase 1 noted now where it still lasts."""
        noted = self._phase_score_now if self.phase_score is None else self.phase_score
        return noted + self.time + DISC_PENALTY * self.discs[0]

    @property
    def _phase_score_now(self) -> int:
        return self.time + DISC_PENALTY * self.first_stack

    def state(self) -> dict[str, object]:
        """Return the position as the record format writes it."""
        return {
            **self._shared_state(),
            "phase": self.phase,
            "score": self.score,
        }

    def _place(self, action: Place) -> "tuple[SoloPosition, tuple[Event, ...]]":
        wheel, display, taken = self._take(action, self.time)
        after = replace(self, wheel=wheel, displays=(display,))
        after, events = after._covered()
        if after.phase == 2 and wheel.tile_count == 0 and not after.over:
            after, over = after._ended(Ending.TILES)
            events = (*events, *over)
        return after, (taken, *events)

    def _refill(self, seat: int) -> "tuple[SoloPosition, tuple[Event, ...]]":
        wheel, revealed = self._draw(seat)
        score = self._phase_score_now
        after = replace(
            self, wheel=wheel, revealed=self.revealed + len(revealed.tiles), phase_score=score, first_stack=0
        )
        # Goals that were fulfilled while the first stack was empty have waited for this moment.
        after, events = after._covered()
        return after, (PhaseEnded(score), revealed, *events)

    def _leave(self, seat: int) -> "tuple[SoloPosition, tuple[Event, ...]]":
        return replace(self, left=(seat,))._ended(Ending.LEFT)

    def _covered(self) -> "tuple[SoloPosition, tuple[Event, ...]]":
        """Return the position after the goals that wait got discs from the stack in use."""
        [discs] = self.discs
        stack = self.first_stack if self.phase == 1 else discs
        display, stack_left, completed = cover(self.displays[0], stack, 0)
        used = stack - stack_left
        after = replace(
            self,
            displays=(display,),
            discs=(discs - used,),
            first_stack=self.first_stack - used if self.phase == 1 else 0,
        )
        if after.discs != (0,):
            return after, completed
        after, over = after._ended(Ending.DISCS)
        return after, (*completed, *over)

    def _game_over(self, ending: Ending) -> GameOver:
        return GameOver(None, None, self.score, ending)
