"""When the time of players does not count, in words for the others."""

from collections.abc import Iterable

from django.utils import timezone

from games.board.clocks import describe_pauses
from games.clocks import PACES
from games.models import Game, Seat, calendars_of


def pauses_of(game: Game, seats: Iterable[Seat]) -> dict[int | None, str]:
    """Return the pauses of the people on these seats in words, by user; none where all time counts."""
    if game.is_over or game.pace not in PACES or not PACES[game.pace].has_pauses:
        return {}
    now = timezone.now()
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    return {user: describe_pauses(calendar, now) for user, calendar in calendars_of(people).items()}
