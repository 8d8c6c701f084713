"""The kind of notification for an invitation to a rematch."""

from collections.abc import Mapping

from games.models import Notification
from games.notifications.kind import Kind
from games.queries.summaries import summary


class InvitationKind(Kind):
    """Each person for whom a seat of a rematch is kept is owed one such notification."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "answered"; empty while the seat is kept for the user."""
        game, user = notification.game, notification.user
        return "" if game.is_open and game.seats.kept_for(user).exists() else "answered"

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the table as lists show it, with who offers the rematch."""
        return {"summary": summary(notification.game, notification.user)}
