"""The kind of notification for a player whom another one asks to move."""

from collections.abc import Mapping

from games.models import Notification, choice_began_at
from games.notifications.facts import Facts
from games.notifications.kind import Kind


class NudgeKind(Kind):
    """A player is owed one such notification for each nudge."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over"; empty while the user is to move, and has not moved since the nudge."""
        game, user = notification.game, notification.user
        seat = game.seats.awaited().played_by_people().filter(user=user).first()
        is_waiting = seat is not None and choice_began_at(seat) <= notification.created_at
        return "" if is_waiting and game.is_running else "turn over"

    def sender_of(self, notification: Notification) -> int | None:
        """Return the id of who nudged the user last."""
        nudges = notification.game.nudges.filter(user=notification.user).order_by("-pk")
        return nudges.values_list("sender", flat=True).first()

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the name of the sender, since when the game waits, and where to reply."""
        nudge = facts.game.nudges.filter(user=facts.user).latest("pk")
        seat = facts.game.seats.get(user=facts.user)
        return {
            "sender": nudge.sender.get_username() if nudge.sender else "",
            "moved_at": choice_began_at(seat),
            "reply_to": facts.reply_to,
        }
