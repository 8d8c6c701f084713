"""The kind of notification for a table that is closed soon."""

from django.utils import timezone

from games.models import Notification
from games.notifications.kind import Kind, Message, render_message
from games.services.pruning import WARNING


class TableKind(Kind):
    """The owner of a table is owed one such notification before the site closes it."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "unwanted", "started" or "seats changed"; empty while the table is to be closed."""
        game, user = notification.game, notification.user
        if not user.is_active or not user.turn_mails:
            return "unwanted"
        if not game.is_open:
            return "started"
        return "seats changed" if game.changes != notification.version else ""

    def message(self, notification: Notification) -> Message:
        """Return a message that says when the table is closed, with a link to it."""
        game, user = notification.game, notification.user
        context = {"closes_at": timezone.now() + WARNING, "free_seats": game.seats.free().count()}
        return render_message(notification, f"table-{game.key}-{notification.pk}-{user.pk}", context)
