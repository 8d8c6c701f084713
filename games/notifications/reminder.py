"""The kind of notification for a player whose time is running out."""

from collections.abc import Mapping

from accounts.clock import zone_of
from games.models import Game, Notification, opponents_of
from games.notifications.kind import Kind, reply_address_to_turn
from games.shown.clocks import format_with_zone


class ReminderKind(Kind):
    """A player is owed one such notification for each deadline, worded when it is sent."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over" or "deadline moved"; empty while the user is to move before it."""
        game, user = notification.game, notification.user
        if not Game.objects.waiting_for(user).filter(pk=game.pk).exists():
            return "turn over"
        is_same = game.deadline is not None and game.deadline == game.reminded_of
        return "" if is_same else "deadline moved"

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the names of the opponents, the deadline, and where to reply."""
        game, user = notification.game, notification.user
        assert game.deadline is not None, "the game has no deadline"
        return {
            "opponents": opponents_of(game, user),
            "reply_to": reply_address_to_turn(game, user),
            "when": format_with_zone(game.deadline, zone_of(user.time_zone)),
        }
