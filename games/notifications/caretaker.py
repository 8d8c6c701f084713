"""The kind of notification for a player whose seat a bot plays."""

from collections.abc import Mapping

from games.models import Notification, SeatChange, opponents_of
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

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the names of the opponents, the level of the bot, and whether the others agreed on it."""
        game, user = notification.game, notification.user
        seat = game.seats.get(user=user)
        change = game.seat_changes.filter(seat=seat.number).latest("pk")
        return {
            "opponents": opponents_of(game, user),
            "level": BOT_LEVELS[seat.caretaker],
            "others_agreed": change.reason == SeatChange.Reason.CALL,
        }
