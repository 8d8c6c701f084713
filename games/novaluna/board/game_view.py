"""A game of Nova Luna as one viewer sees it: the value that every part of the board takes.

Its positions hold no undrawn tiles.
"""

from dataclasses import dataclass

from games.novaluna.engine import GameOver, Place, Position, Refill, Step
from games.titles import view
from games.titles.view import Hint as Hint
from games.titles.view import Plan as Plan

Wish = Place | Refill


@dataclass(frozen=True)
class GameView(view.GameView[Position, Step]):
    """A game as one viewer sees it, with what only Nova Luna asks of it."""

    def unchanged_seats(self, number: int) -> list[int]:
        """Return the seats whose displays are now as they were after action `number`."""
        before, now = self.position_after(number).displays, self.newest.displays
        return [seat for seat, display in enumerate(now) if display == before[seat]]

    def new_tiles(self, seat: int) -> int:
        """Return how many tiles another seat has placed since the viewer's action before its last one.

        A spectator has none, so they are those of its last turns in a row.
        """
        count = 0
        for number in reversed(self.counting_numbers):
            step = self.steps[number - 1]
            if step.seat == seat:
                count += isinstance(step.action, Place)
            elif count and self.viewer in (None, step.seat):
                break
        return max(count, 1)

    @property
    def possible_wishes(self) -> list[Wish]:
        """The wishes of the viewer's plan that can still be played: their tiles are on the wheel."""
        in_sight = {tile.code for tile in self.newest.wheel.spaces if tile}
        wishes = self.plan.wishes if self.plan else ()
        return [wish for wish in wishes if isinstance(wish, Refill) or wish.tile in in_sight]

    @property
    def can_add_wish(self) -> bool:
        """Whether the viewer's plan can have one more wish."""
        return self.can_plan and (self.plan is None or len(self.possible_wishes) < self.plan.most_wishes)

    @property
    def game_over(self) -> GameOver | None:
        """How the game ended; None while it runs."""
        return self.steps[-1].game_over if self.steps else None
