"""The kind of notification for a player who leaves a game."""

from collections.abc import Mapping

from django.db.models import Q

from games.models import Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.shown.words import join_words


class LeftKind(Kind):
    """Each person who plays on is owed one such notification.

    The player whose turn begins is owed one about the turn instead, where they want that. A player who is out
    without their choice is owed one too.
    """

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over" or "seen"; empty while the game goes on and the user has not seen it."""
        game, user = notification.game, notification.user
        left = game.actions.get(number=notification.version)
        seat = game.seats.filter(Q(has_left=False) | Q(number=left.seat), user=user).first()
        if not game.is_running or seat is None:
            return "over"
        return "seen" if seat.seen_at is not None and seat.seen_at > left.at else ""

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return who has left and whether it is the user, a sentence about it, and who still plays.

        `is_your_turn` says whether the game waits for the user.
        """
        game, view, number = facts.game, facts.view, facts.notification.version
        then, step = view.as_played(number), view.steps[number - 1]
        assert step.seat is not None, "the action is no resignation"
        playing = set(game.seats.filter(has_left=False).values_list("number", flat=True))
        others = [one.name for one in view.people if one.seat in playing and not one.is_you]
        is_gone = game.seats.filter(number=step.seat, user=None, bot="").exists()
        return {
            # The others learn no name of somebody who has deleted their account, and the subject says enough.
            "leaver": "" if is_gone else then.people[step.seat].name,
            "is_you": then.people[step.seat].is_you,
            "sentence": "" if is_gone else facts.pages.describe_step(step, then),
            "others": join_words(others),
            "is_your_turn": view.viewer in view.newest.awaited,
        }
