"""The kind of notification for the end of a duplicate match."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict

from games.models import Notification
from games.notifications.kind import Kind, Message
from games.queries.deals.duplicates import MatchView, Score, view_match
from games.queries.mail_links import url_for_reader

SHOWN = 5  # of the standings, and the reader's own row


class MatchFacts(TypedDict, total=False):
    """What an email says about the match to which its game belongs; nothing for other games.

    `own` is None until the last table is over.
    """

    match: MatchView
    own: Score | None
    players: int
    match_url: str


class MatchKind(Kind):
    """Each person at another table is owed one such notification when the last table of a match is over."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return nothing: the page of the match does not know who has looked at it."""
        return ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the first rows of the standings, and the reader's own row."""
        facts = match_facts(notification)
        scores = facts["match"].scores
        return facts | {
            "scores": [score for nth, score in enumerate(scores) if nth < SHOWN or score.is_you],
        }

    def path(self, notification: Notification) -> str:
        """Return the path of the match."""
        match = notification.game.duplicate
        assert match is not None, "the game is no table of a match"
        return match.get_absolute_url()

    def brief(self, notification: Notification) -> Message:
        """Return the first rows of the standings, and the address of the match."""
        scores = match_facts(notification)["match"].scores[:SHOWN]
        text = " · ".join(f"{score.rank}. {score.name}: {score.percent:.0f}%" for score in scores)
        return replace(super().brief(notification), text=text)


def match_facts(notification: Notification) -> MatchFacts:
    """Return the duplicate match of the game of a notification, as the reader sees it."""
    match = notification.game.duplicate
    if match is None:
        return {}
    view = view_match(match, notification.user)
    return {
        "match": view,
        "own": next((score for score in view.scores if score.is_you), None),
        "players": len(view.scores),
        "match_url": url_for_reader(match.get_absolute_url(), notification.user),
    }
