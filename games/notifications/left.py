"""The kind of notification for a player who leaves a game."""

from collections.abc import Mapping

from games.board.events import describe_step
from games.board.words import join_words
from games.models import Notification
from games.notifications.kind import Kind
from games.queries.viewing import view_game


class LeftKind(Kind):
    """Each person who plays on is owed one such notification, except for the player whose turn begins."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over" or "seen"; empty while the user plays on and has not seen it."""
        game, user = notification.game, notification.user
        if not game.is_running or not game.seats.filter(user=user, has_left=False).exists():
            return "over"
        left_at = game.actions.get(number=notification.version).at
        return "seen" if game.seats.filter(user=user, seen_at__gt=left_at).exists() else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return who has left, what happened in a sentence, and who still plays with the user."""
        game = notification.game
        view = view_game(game, notification.user)
        then = view.as_played(notification.version)
        step = view.steps[notification.version - 1]
        assert step.seat is not None, "the action is no resignation"
        playing = set(game.seats.filter(has_left=False).values_list("number", flat=True))
        others = [one.name for one in view.people if one.seat in playing and not one.is_you]
        return {
            "leaver": then.people[step.seat].name,
            "sentence": describe_step(step, then),
            "others": join_words(others),
        }
