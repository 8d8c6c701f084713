"""Nudges: a player asks another who has not moved for a day to move."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Nudge, may_nudge_from
from games.services import notifications
from games.services.errors import Conflict
from games.services.play import lock_game, seat_of
from games.services.tables import count_change


def nudge(key: str, sender: User) -> Nudge:
    """Ask the player who is to move in the game `key` to move, and return the nudge.

    Raises Gone, NotSeated, and Conflict if no other person is to move, if the game has not waited for them
    for a day, or if somebody has nudged them within the last day.
    """
    own = seat_of(sender, key)
    with transaction.atomic():
        game = lock_game(key=key)
        seat = game.seats.awaited().select_related("user").first()
        if seat is None or seat.user is None or seat == own or own.has_left:
            raise Conflict(_("You can only nudge another player who is to move."))
        if may_nudge_from(game, seat.user) > timezone.now():
            raise Conflict(_("You can nudge a player once a day, after a day of waiting."))
        nudge = Nudge.objects.create(game=game, user=seat.user, sender=sender, at=timezone.now())
        notifications.owe_nudge(nudge)
        count_change(game)
        return nudge
