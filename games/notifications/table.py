"""The kind of notification for a table that is closed soon."""

from collections.abc import Mapping

from django.conf import settings

from games.models import Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.services.pruning import WARNING


class TableKind(Kind):
    """The owner of a table is owed one such notification before the site closes it."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "started" or "seats changed"; empty while the table is to be closed."""
        game = notification.game
        if not game.is_open:
            return "started"
        is_current = game.closes_at is not None and notification.created_at >= game.closes_at - WARNING
        return "" if is_current else "seats changed"

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return when the table is closed, how many seats are free, and a link for friends.

        Unlike the link for the owner, it does not know its reader.
        """
        return {
            "share_url": settings.SITE_URL + facts.game.get_absolute_url(),
            "closes_at": facts.game.closes_at,
            "free_seats": facts.game.seats.free().count(),
        }
