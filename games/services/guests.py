"""Removal of guests who do not visit any more."""

import uuid
from contextlib import suppress

from accounts import guests
from accounts.models import User
from games.engine import Resign, UnknownRules
from games.models import Game, Seat
from games.services import tables
from games.services.errors import Refused
from games.services.play import play


def remove_guests() -> None:
    """Remove the guests whose last visit is more than 30 days ago.

    They leave their tables and resign their running games. Their seats in finished games stay, without a
    name. A guest whose game cannot be left now stays until the next call.
    """
    for guest in list(guests.abandoned()):
        unfinished = Seat.objects.filter(user=guest, has_left=False).exclude(game__status=Game.Status.OVER)
        for seat in unfinished.select_related("game"):
            with suppress(Refused, UnknownRules):
                _leave(seat.game, guest)
        if not unfinished.exists():
            guests.abandoned().filter(pk=guest.pk).delete()


def _leave(game: Game, guest: User) -> None:
    """Close or leave a table, or resign a running game. Raises Refused and UnknownRules."""
    if game.is_running:
        play(game.key, guest, Resign(0), game.version + 1, uuid.uuid4())
    elif game.opened_by_id == guest.pk:
        tables.close(game.key, guest)
    else:
        tables.leave(game.key, guest)
