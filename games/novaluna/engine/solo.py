"""The solo game: two stacks of discs, one refill and a score. A lower score is better."""

from dataclasses import dataclass, replace

from games.novaluna.engine.actions import Place
from games.novaluna.engine.display import Display
from games.novaluna.engine.events import Ending, Event, GameOver, PhaseEnded
from games.novaluna.engine.position import Position, RefillRule, cover, first_wheel
from games.novaluna.engine.setup import TILES_AT_START, Setup

FIRST_STACK = 8
DISC_PENALTY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloPosition(Position):
    """A position of a solo game.

    `first_stack` is the number of discs left on the first stack, and 0 in phase 2. `phase_score` is the score
    of phase 1. It is None until the refill that ends phase 1.
    """

    first_stack: int = FIRST_STACK
    phase_score: int | None = None

    @classmethod
    def start(cls, setup: Setup) -> "SoloPosition":
        """Return the position before the first action."""
        return cls(
            setup=setup,
            wheel=first_wheel(setup),
            revealed_count=TILES_AT_START,
            displays=(Display(),),
            discs=(setup.goal_discs,),
        )

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.over else 0

    @property
    def phase(self) -> int:
        """The phase of the game: 1 before the refill, 2 after it."""
        return 1 if self.phase_score is None else 2

    @property
    def refill(self) -> RefillRule:
        """Whether the wheel may or must be refilled.

        It depends on the phase, the tiles on the wheel and the discs on the first stack.
        """
        if self.over or self.phase == 2:
            return RefillRule.NOT_ALLOWED
        if self.wheel.tile_count == 0:
            return RefillRule.FORCED
        return RefillRule.NOT_ALLOWED if self.first_stack else RefillRule.ALLOWED

    @property
    def time(self) -> int:
        """The sum of the time costs on the display."""
        return self.displays[0].cost

    @property
    def score(self) -> int | None:
        """The final score; None while the game runs, and after a resign or a cancel."""
        return self.score_so_far if self.ending in (Ending.DISCS, Ending.TILES) else None

    @property
    def score_so_far(self) -> int:
        """The score if the game ended now. In phase 1, this phase also counts as if it ended now."""
        phase_score = self.current_phase_score if self.phase_score is None else self.phase_score
        return phase_score + self.time + DISC_PENALTY * self.discs[0]

    @property
    def current_phase_score(self) -> int:
        """The score of phase 1 if it ended now."""
        return self.time + DISC_PENALTY * self.first_stack

    @property
    def places(self) -> tuple[int, ...]:
        """No places: nobody else plays."""
        return ()

    def figures(self, seat: int) -> dict[str, int]:
        """Return the discs left and the tiles on the display, and the score if there is one at the end."""
        figures = {"discs": self.discs[seat], "tiles": len(self.displays[seat].tiles)}
        return figures if self.score is None else {**figures, "score": self.score}

    def state(self) -> dict[str, object]:
        """Return the position as a state of the record format."""
        return {
            **self._shared_state(),
            "phase": self.phase,
            "score": self.score,
        }

    def discs_for_goals(self, _seat: int) -> int:
        """Return how many discs are left in the stack of this phase."""
        return self.first_stack if self.phase == 1 else self.discs[0]

    def _place(self, action: Place) -> "tuple[SoloPosition, tuple[Event, ...]]":
        wheel, display, taken = self._take(action, self.time)
        after = replace(self, wheel=wheel, displays=(display,))
        after, events = after._cover_goals()
        if after.phase == 2 and wheel.tile_count == 0 and not after.over:
            after, end_events = after._end(Ending.TILES)
            events = (*events, *end_events)
        return after, (taken, *events)

    def _refill(self, seat: int) -> "tuple[SoloPosition, tuple[Event, ...]]":
        wheel, revealed = self._draw(seat)
        score = self.current_phase_score
        after = replace(
            self,
            wheel=wheel,
            revealed_count=self.revealed_count + len(revealed.tiles),
            phase_score=score,
            first_stack=0,
        )
        # Goals that were fulfilled while the first stack was empty get their discs now.
        after, events = after._cover_goals()
        return after, (PhaseEnded(score), revealed, *events)

    def _leave(self, seat: int) -> "tuple[SoloPosition, tuple[Event, ...]]":
        return replace(self, resigned_seats=(seat,))._end(Ending.LEFT)

    def _cover_goals(self) -> "tuple[SoloPosition, tuple[Event, ...]]":
        """Return the position after waiting goals got discs from the stack of this phase, and the events.

        The game ends if no disc is left.
        """
        [discs] = self.discs
        stack = self.discs_for_goals(0)
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
        after, end_events = after._end(Ending.DISCS)
        return after, (*completed, *end_events)

    def _game_over(self, ending: Ending) -> GameOver:
        return GameOver(None, None, self.score, ending)
