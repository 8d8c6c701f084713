"""Notifications that were sent to a person, or were not."""

from accounts.models import User, Viewer
from games.models import Game, Notification, NotificationQuerySet, Seat, Webhook

SHOWN = 50


def sent_to(user: User) -> NotificationQuerySet:
    """Return the newest notifications to `user`, newest first, with their games."""
    return Notification.objects.filter(user=user).select_related("game").order_by("-pk")[:SHOWN]


def is_silent(game: Game, player: Viewer) -> bool | None:
    """Return whether `player` gets no notifications about a game; None if nobody gets any about it."""
    if game.is_solo or not isinstance(player, User) or player.is_guest:
        return None
    return Seat.objects.filter(game=game, user=player, is_silent=True).exists()


def webhook_of(user: User) -> Webhook | None:
    """Return the webhook of `user`, also if it is switched off; None if they have none."""
    return Webhook.objects.filter(user=user).first()


def has_dead_webhook(viewer: Viewer) -> bool:
    """Return whether the webhook of `viewer` was switched off, because it refused messages."""
    return viewer.is_authenticated and Webhook.objects.filter(user=viewer, off_at__isnull=False).exists()
