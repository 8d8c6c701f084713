"""The game for two to four players."""

from dataclasses import dataclass, replace

from games.engine.actions import Place
from games.engine.display import Display
from games.engine.events import Ending, Event, GameOver
from games.engine.moon_track import MoonTrack
from games.engine.position import Position, RefillRule, cover, first_wheel, swapped
from games.engine.setup import LAID_OUT, Setup

# With this many tiles on the wheel, or fewer, it may be refilled.
FEW = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiplayerPosition(Position):
    """A position of a game with others; once it is over, `track` stays as the last action left it."""

    track: MoonTrack

    @classmethod
    def start(cls, setup: Setup) -> "MultiplayerPosition":
        """Return the position before the first action."""
        return cls(
            setup=setup,
            wheel=first_wheel(setup),
            revealed=LAID_OUT,
            displays=(Display(),) * setup.seats,
            discs=(setup.goal_discs,) * setup.seats,
            track=MoonTrack((0,) * setup.seats, setup.start_order),
        )

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.over else self.track.order[0]

    @property
    def refill(self) -> RefillRule:
        """Whether the wheel may or must be refilled, by how many tiles lie on it."""
        count = self.wheel.tile_count
        if self.over or self.draw_pile == 0 or count > FEW:
            return RefillRule.NOT_ALLOWED
        return RefillRule.ALLOWED if count else RefillRule.FORCED

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """All seats, best first; None while the game runs and after a cancel.

        Those in play come by fewest discs left, then in turn order; then those who left, the last one first.
        """
        if not self.over or self.ending is Ending.CANCELLED:
            return None
        return (*sorted(self.track.order, key=self.discs.__getitem__), *reversed(self.left))

    @property
    def winner(self) -> int | None:
        """The first of the ranking."""
        return self.ranking[0] if self.ranking else None

    def state(self) -> dict[str, object]:
        """Return the position as the record format writes it."""
        return {
            **self._shared_state(),
            "time": list(self.track.time),
            "order": list(self.track.order),
            "winner": self.winner,
            "ranking": self.ranking and list(self.ranking),
        }

    def _place(self, action: Place) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        seat = action.seat
        wheel, display, taken = self._take(action, self.track.time[seat])
        display, discs, completed = cover(display, self.discs[seat], seat)
        after = replace(
            self,
            wheel=wheel,
            displays=swapped(self.displays, seat, display),
            discs=swapped(self.discs, seat, discs),
            track=self.track.advanced(seat, taken.time_after - taken.time_before),
        )
        events: tuple[Event, ...] = (taken, *completed)
        ending = (
            Ending.DISCS if discs == 0 else Ending.TILES if wheel.tile_count == after.draw_pile == 0 else None
        )
        if ending is None:
            return after, events
        after, over = after._ended(ending)
        return after, (*events, *over)

    def _refill(self, seat: int) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        wheel, revealed = self._draw(seat)
        return replace(self, wheel=wheel, revealed=self.revealed + len(revealed.tiles)), (revealed,)

    def _leave(self, seat: int) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        after = replace(self, left=(*self.left, seat), track=self.track.without(seat))
        return after._ended(Ending.LEFT) if len(after.track.order) == 1 else (after, ())

    def _game_over(self, ending: Ending) -> GameOver:
        return GameOver(self.winner, self.ranking, None, ending)
