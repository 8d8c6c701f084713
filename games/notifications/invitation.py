"""The kind of notification for an invitation to a rematch."""

from accounts.mail_links import url_for_reader
from games.models import Notification
from games.notifications.kind import Kind, Message, render_message
from games.queries.summaries import summary


class InvitationKind(Kind):
    """Each person for whom a seat of a rematch is kept is owed one such notification."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "unwanted" or "answered"; empty while the seat is kept for a user who wants emails."""
        game, user = notification.game, notification.user
        if not user.is_active or not user.turn_mails:
            return "unwanted"
        return "" if game.is_open and game.seats.kept_for(user).exists() else "answered"

    def message(self, notification: Notification) -> Message:
        """Return a message that says who offers the rematch, with a link to its table."""
        game, user = notification.game, notification.user
        context = {
            "game_url": url_for_reader(game.get_absolute_url(), user),
            "summary": summary(game, user),
        }
        return render_message(notification, f"invite-{game.key}-{user.pk}", context)
