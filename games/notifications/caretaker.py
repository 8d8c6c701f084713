"""The kind of notification for a player whose seat a bot plays."""

from collections.abc import Mapping

from games.models import Notification, SeatChange
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.shown.words import BOT_LEVELS


class CaretakerKind(Kind):
    """A player is owed one such notification each time a bot takes over their seat."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over" or "seat is yours"; empty while the game runs and a bot plays the seat."""
        game, user = notification.game, notification.user
        if not game.is_running:
            return "over"
        return "" if game.seats.filter(user=user).exclude(caretaker="").exists() else "seat is yours"

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the level of the bot, and whether the others agreed on it."""
        seat = facts.game.seats.get(user=facts.user)
        change = facts.game.seat_changes.filter(seat=seat.number).latest("pk")
        return {
            "level": BOT_LEVELS[seat.caretaker],
            "others_agreed": change.reason == SeatChange.Reason.CALL,
        }
