"""The kind of notification for players who are asked to vote, and for the absent player whom a vote is on."""

from collections.abc import Mapping

from games.models import Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.votes import show_vote


class VoteKind(Kind):
    """A player who has not agreed is owed one such notification for each vote."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over", "settled" or "answered"; empty while the vote waits for the user."""
        game = notification.game
        if not game.is_running:
            return "over"
        vote = game.votes.running().filter(pk=notification.version).first()
        if vote is None:
            return "settled"
        return "answered" if game.seats.get(user=notification.user).number in vote.agreed else ""

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the vote as the user sees it."""
        vote = facts.game.votes.select_related("started_by").get(pk=facts.notification.version)
        return {"vote": show_vote(vote, facts.game.seats.get(user=facts.user))}
