"""The kind of notification for an invitation to a table, such as a rematch."""

from collections.abc import Mapping

from games.models import Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.mail_links import invitation_reply_address, invitation_url
from games.queries.summaries import summary


class InvitationKind(Kind):
    """Each person for whom a seat is kept is owed one such notification."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "answered"; empty while the seat is kept for the user."""
        game, user = notification.game, notification.user
        return "" if game.is_open and game.seats.kept_for(user).exists() else "answered"

    def sender_of(self, notification: Notification) -> int | None:
        """Return the id of the opener of the table."""
        return notification.game.opened_by_id

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the table as lists show it, the title, and where the user answers: by a link or a reply."""
        game, user = facts.game, facts.user
        seat = game.seats.kept_for(user).first()
        return {
            "summary": summary(game, user),
            "is_by_address": seat is not None and seat.invited_address != "",
            "pages": facts.pages,
            "invitation_url": invitation_url(game, user),
            "reply_to": invitation_reply_address(seat) if seat and user.plays_by_reply else "",
        }
