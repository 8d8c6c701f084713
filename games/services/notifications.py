"""Notifications that players are owed. They are stored here, and `games.notifications` sends them."""

from django.utils import timezone

from accounts.models import User
from games.models import Game, Notification
from games.services import after_commit


def owe_turn(game: Game, user: User) -> None:
    """Store, in the caller's transaction, a notification for `user` about the turn that begins now."""
    notification = Notification.objects.create(
        game=game, user=user, kind=Notification.Kind.TURN, version=game.version, due_at=timezone.now()
    )
    after_commit.queue_delivery(notification)
