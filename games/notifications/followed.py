"""The kind of notification for the end of a game that a person follows."""

from collections.abc import Mapping

from games.models import FollowedGame, Game, Notification, Watch
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.summaries import summary


class FollowedKind(Kind):
    """Each person who follows a game and has chosen this kind is owed one when the game ends."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "seen" to who looked at the game when it ended, and "not followed" if they stopped before.

        Nobody follows a game that is not public any more, or in which they have got a seat.
        """
        game, user = notification.game, notification.user
        can_follow = Game.objects.watchable_by(user).filter(pk=game.pk).exists()
        if not can_follow or not FollowedGame.objects.filter(user=user, game=game).exists():
            return "not followed"
        has_seen = game.moved_at and Watch.objects.here(game.moved_at).filter(user=user, game=game).exists()
        return "seen" if has_seen else ""

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return how the game ended, as a list shows it."""
        return {"outcome": summary(facts.game, facts.user).outcome}
