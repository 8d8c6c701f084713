"""What ends when a person wants to leave the site: all that waits for a game to start."""

from contextlib import suppress

from django.dispatch import receiver

from accounts import deletion
from accounts.models import User
from games.models import Game, Seat, SeatOffer, Seek
from games.services.errors import Refused
from games.services.tables import duplicates
from games.services.tables.leaving import close, leave


@receiver(deletion.asked)
def leave_what_waits(user: User, **_signal: object) -> None:
    """Take a person out of tables and duplicate matches that have not started, and of seats to come.

    Those that they have opened close.
    """
    Seek.objects.filter(user=user).delete()
    SeatOffer.objects.filter(taker=user).lapse()
    duplicates.leave_waiting_matches(user)
    for seat in (
        Seat.objects.filter(user=user, game__in=Game.objects.open())
        .select_related("game")
        .order_by("game_id")
    ):
        change = close if seat.game.opened_by_id == user.pk else leave
        with suppress(Refused):  # It may have started in the meantime.
            change(seat.game.key, user)
