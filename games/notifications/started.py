"""The kind of notification for the start of a game."""

from collections.abc import Mapping

from games import models
from games.models import Notification
from games.notifications.kind import Kind
from games.queries.viewing import view_game


class StartedKind(Kind):
    """Each person in a game that starts is owed one, except for the player who is to move first."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over", "newer turn" or "seen"; empty while the user has not seen or heard of the game."""
        game, user = notification.game, notification.user
        if not game.is_running or not game.seats.filter(user=user, has_left=False).exists():
            return "over"
        if Notification.objects.filter(game=game, user=user, kind=models.Kind.TURN).exists():
            return "newer turn"
        was_seen = game.seats.filter(user=user, seen_at__gt=game.started_at).exists()
        return "seen" if was_seen else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the opponents, and who is to move."""
        game = notification.game
        assert game.to_move is not None, "the game is over"
        view = view_game(game, notification.user)
        return {"opponents": view.opponents, "mover": view.people[game.to_move].name}
