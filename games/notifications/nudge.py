"""The kind of notification for a player whom another one asks to move."""

from collections.abc import Mapping

from games.models import Game, Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind


class NudgeKind(Kind):
    """A player is owed one such notification for each nudge."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over"; empty while the user is to move, and has not moved since the nudge."""
        game, user = notification.game, notification.user
        is_waiting = Game.objects.waiting_for(user).filter(pk=game.pk).exists()
        has_moved = game.moved_at is not None and game.moved_at > notification.created_at
        return "turn over" if has_moved or not is_waiting else ""

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the name of the sender, since when the game waits, and where to reply."""
        nudge = facts.game.nudges.filter(user=facts.user).latest("pk")
        return {
            "sender": nudge.sender.get_username() if nudge.sender else "",
            "moved_at": facts.game.moved_at,
            "reply_to": facts.reply_to,
        }
