"""The kind of notification for the start of a game."""

from collections.abc import Mapping

from games import models
from games.models import Notification, opponents_of, seats_of, wanted_channels
from games.notifications.kind import Kind


class StartedKind(Kind):
    """Each person in a game that starts is owed one.

    The player who is to move first is owed one about the turn instead, where they want that.
    """

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over", "newer turn" or "seen"; empty while the user has not seen or heard of the game."""
        game, user = notification.game, notification.user
        if not game.is_running or not game.seats.filter(user=user, has_left=False).exists():
            return "over"
        turns = Notification.objects.filter(
            game=game, user=user, kind=models.Kind.TURN, channel=notification.channel
        )
        if turns.exists() and notification.channel in wanted_channels(user)[models.Kind.TURN]:
            return "newer turn"
        was_seen = game.seats.filter(user=user, seen_at__gt=game.started_at).exists()
        return "seen" if was_seen else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the opponents, and who is to move, which is empty if it is the user."""
        game, user = notification.game, notification.user
        assert game.to_move is not None, "the game is over"
        mover = seats_of(game)[game.to_move]
        return {"opponents": opponents_of(game, user), "mover": "" if mover.is_of(user) else mover.name}
