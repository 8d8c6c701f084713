"""Notifications that were sent to a person, or were not."""

from accounts.models import User, Viewer
from games.models import Game, Notification, NotificationQuerySet, Seat

SHOWN = 50


def sent_to(user: User) -> NotificationQuerySet:
    """Return the newest notifications to `user`, newest first, with their games."""
    return Notification.objects.filter(user=user).select_related("game").order_by("-pk")[:SHOWN]


def is_silent(game: Game, player: Viewer) -> bool | None:
    """Return whether `player` gets no notifications about a game; None if nobody gets any about it."""
    if game.is_solo or not isinstance(player, User) or player.is_guest:
        return None
    return Seat.objects.filter(game=game, user=player, is_silent=True).exists()
