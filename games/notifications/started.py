"""The kind of notification for the start of a game."""

from collections.abc import Mapping

from games import models
from games.models import Notification, wanted_channels
from games.notifications.facts import Facts
from games.notifications.kind import Kind


class StartedKind(Kind):
    """Each person in a game that starts is owed one.

    Players who are to move first are owed one about the turn instead, where they want that.
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

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the names of the others who are to move, and whether the user is."""
        awaited = facts.awaited
        movers = [seat.name for seat in awaited if not seat.is_of(facts.user)]
        return {"movers": movers, "is_your_turn": len(movers) < len(awaited)}
