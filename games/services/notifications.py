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


def owe_invitations(game: Game) -> None:
    """Store, in the caller's transaction, a notification for each person for whom a seat is kept."""
    for user in User.objects.filter(invitations__in=game.seats.free()):
        notification = Notification.objects.create(
            game=game, user=user, kind=Notification.Kind.INVITATION, version=0, due_at=timezone.now()
        )
        after_commit.queue_delivery(notification)


def owe_table_warning(game: Game) -> None:
    """Store, in the caller's transaction, a warning for the owner of a table that is closed soon."""
    assert game.opened_by is not None, "a table without an owner"
    # The version is not the number of actions, which is 0 at every table: each change of seats may need
    # another warning.
    of_table = {
        "game": game,
        "user": game.opened_by,
        "kind": Notification.Kind.TABLE,
        "version": game.changes,
    }
    # An earlier warning is from before the owner's last visit.
    Notification.objects.filter(**of_table).delete()
    notification = Notification.objects.create(**of_table, due_at=timezone.now())
    after_commit.queue_delivery(notification)
