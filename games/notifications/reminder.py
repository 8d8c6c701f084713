"""The kind of notification for a player whose time is running out."""

from collections.abc import Mapping

from accounts.clock import zone_of
from games.models import Game, Notification, deadline_for
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.shown.clocks import format_with_zone


class ReminderKind(Kind):
    """A player is owed one such notification for each deadline, worded when it is sent."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over" or "deadline moved"; empty while the user is to move before it."""
        game, user = notification.game, notification.user
        if not Game.objects.waiting_for(user).filter(pk=game.pk).exists():
            return "turn over"
        seat = game.seats.get(user=user)
        is_same = seat.time_is_up_at is not None and seat.time_is_up_at == seat.deadline_reminded_of
        return "" if is_same else "deadline moved"

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the deadline, and where to reply."""
        deadline = deadline_for(facts.game, facts.user)
        assert deadline is not None, "the game has no deadline"
        return {
            "reply_to": facts.reply_to,
            "when": format_with_zone(deadline, zone_of(facts.user.time_zone)),
        }
