"""Who sits where in a game, by name."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Seat
from games.words import Person


def people(seats: Iterable[Seat], user: User | AnonymousUser) -> list[Person]:
    """Return who sits where, in seat order, as `user` sees them."""
    return [
        Person(
            seat.number, seat.name, bot=seat.bot, is_you=seat.user_id is not None and seat.user_id == user.pk
        )
        for seat in seats
    ]
