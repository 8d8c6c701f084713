"""How reliable the players of a game or table are, for the pages on which others read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Viewer
from games.board.reliability import describe_minimum
from games.clocks import Reliability
from games.models import Game, Seat, reliabilities_of


def shown_reliabilities(game: Game, seats: Sequence[Seat]) -> dict[int | None, Reliability]:
    """Return how reliable the people on these seats are, by user.

    Nobody is included when the game is over, or has only one person and bots. Runs one query.
    """
    if game.is_over or all(seat.bot for seat in seats[1:]):
        return {}
    return reliabilities_of(seat.user_id for seat in seats)


@dataclass(frozen=True)
class Minimum:
    """The reliability that a table asks for, in words for one viewer, and whether they have it."""

    text: str
    is_met: bool


def minimum_of(game: Game, viewer: Viewer) -> Minimum | None:
    """Return the reliability that a table asks of a viewer whom it has not invited; None if of nobody."""
    if not game.least_reliability:
        return None
    own = reliabilities_of([viewer.pk])[viewer.pk] if viewer.is_authenticated else None
    return Minimum(
        describe_minimum(game.least_reliability, own), own is None or own.meets(game.least_reliability)
    )
