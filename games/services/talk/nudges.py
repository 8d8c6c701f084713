"""Nudges: a player asks another who has not moved for a day to move."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Nudge, apart_from, may_nudge_from
from games.services import notifications
from games.services.errors import Conflict
from games.services.play import lock_game, seat_of
from games.services.tables import count_change


def nudge(key: str, sender: User) -> list[Nudge]:
    """Ask the players for whom the game `key` waits to move, and return the nudges.

    Raises Gone, NotSeated, and Conflict if it waits for no other person, or for the sender too, if it has not
    waited for a day, or if somebody has nudged them within the last day.
    """
    own = seat_of(sender, key)
    with transaction.atomic():
        game = lock_game(key=key)
        awaited = game.seats.awaited().played_by_people().select_related("user")
        seats = awaited.exclude(user__in=apart_from(sender.pk))
        if not seats or own in seats or own.has_left:
            raise Conflict(_("You can only nudge another player who is to move."))
        now = timezone.now()
        nudges = [
            Nudge.objects.create(game=game, user=seat.user, sender=sender, at=now)
            for seat in seats
            if seat.user is not None and may_nudge_from(seat) <= now
        ]
        if not nudges:
            raise Conflict(_("You can nudge a player once a day, after a day of waiting."))
        for nudge in nudges:
            notifications.owe_nudge(nudge)
        count_change(game)
        return nudges
