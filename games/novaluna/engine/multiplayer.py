"""The multiplayer game, for two to four players."""

from dataclasses import dataclass, replace

from games.novaluna.engine.actions import Place
from games.novaluna.engine.display import Display
from games.novaluna.engine.events import Ending, Event, GameOver
from games.novaluna.engine.moon_track import MoonTrack
from games.novaluna.engine.position import Position, RefillRule, cover, first_wheel, with_item
from games.novaluna.engine.setup import TILES_AT_START, Setup

MOST_TILES_AT_REFILL = 2  # on the wheel; with more tiles there, a refill is not allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiplayerPosition(Position):
    """A position of a multiplayer game. After the end, `track` stays as it was after the last action."""

    track: MoonTrack

    @classmethod
    def start(cls, setup: Setup) -> "MultiplayerPosition":
        """Return the position before the first action."""
        return cls(
            setup=setup,
            wheel=first_wheel(setup),
            revealed_count=TILES_AT_START,
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
        """Whether the wheel may or must be refilled. It depends on the number of tiles on the wheel."""
        count = self.wheel.tile_count
        if self.over or self.draw_pile == 0 or count > MOST_TILES_AT_REFILL:
            return RefillRule.NOT_ALLOWED
        return RefillRule.ALLOWED if count else RefillRule.FORCED

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """All seats, best first; None while the game runs and after a cancel.

        The seats in play are sorted by discs left, then by turn order. Resigned seats follow, latest first.
        """
        if not self.over or self.ending is Ending.CANCELLED:
            return None
        return (*sorted(self.track.order, key=self.discs.__getitem__), *reversed(self.resigned_seats))

    @property
    def winner(self) -> int | None:
        """The first seat of the ranking; None if there is no ranking."""
        return self.ranking[0] if self.ranking else None

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; empty without a result.

        Only the winner of several seats with the same number of discs is told apart, because the rules know
        no further places. Who has resigned shares the last place.
        """
        winner = self.winner
        if winner is None:
            return ()
        keys = [
            (True, True, 0) if seat in self.resigned_seats else (False, seat != winner, self.discs[seat])
            for seat in range(self.seats)
        ]
        return tuple(1 + sum(other < own for other in keys) for own in keys)

    def figures(self, seat: int) -> dict[str, int]:
        """Return the discs left and the time of a seat, and its rank if there is a ranking."""
        figures = {"discs": self.discs[seat], "time": self.track.time[seat]}
        return {**figures, "rank": self.ranking.index(seat) + 1} if self.ranking else figures

    def state(self) -> dict[str, object]:
        """Return the position as a state of the record format."""
        return {
            **self._shared_state(),
            "time": list(self.track.time),
            "order": list(self.track.order),
            "winner": self.winner,
            "ranking": self.ranking and list(self.ranking),
        }

    def discs_for_goals(self, seat: int) -> int:
        """Return how many discs a seat has left."""
        return self.discs[seat]

    def _place(self, action: Place) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        seat = action.seat
        wheel, display, taken = self._take(action, self.track.time[seat])
        display, discs, completed = cover(display, self.discs[seat], seat)
        after = replace(
            self,
            wheel=wheel,
            displays=with_item(self.displays, seat, display),
            discs=with_item(self.discs, seat, discs),
            track=self.track.after_move(seat, taken.time_after - taken.time_before),
        )
        events: tuple[Event, ...] = (taken, *completed)
        ending = (
            Ending.DISCS if discs == 0 else Ending.TILES if wheel.tile_count == after.draw_pile == 0 else None
        )
        if ending is None:
            return after, events
        after, end_events = after._end(ending)
        return after, (*events, *end_events)

    def _refill(self, seat: int) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        wheel, revealed = self._draw(seat)
        after = replace(self, wheel=wheel, revealed_count=self.revealed_count + len(revealed.tiles))
        return after, (revealed,)

    def _leave(self, seat: int) -> "tuple[MultiplayerPosition, tuple[Event, ...]]":
        after = replace(
            self, resigned_seats=(*self.resigned_seats, seat), track=self.track.without_seat(seat)
        )
        return after._end(Ending.LEFT) if len(after.track.order) == 1 else (after, ())

    def _game_over(self, ending: Ending) -> GameOver:
        return GameOver(self.winner, self.ranking, None, ending)
