"""The kind of notification for the end of a duplicate match."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict

from games.models import Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind, Message
from games.queries.deals.duplicates import MatchView, Score, view_match
from games.queries.mail_links import url_for_reader

SHOWN = 5  # of the standings, and the reader's own row


class MatchFacts(TypedDict, total=False):
    """What an email says about the match to which its game belongs; nothing for other games.

    `own` is None until the last table is over, and in matches of teams, whose view has the `outcome`.
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

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the first rows of the standings, and the reader's own row; there are none with teams."""
        match = match_facts(facts)
        scores = match["match"].scores
        return match | {
            "scores": [score for nth, score in enumerate(scores) if nth < SHOWN or score.is_you],
        }

    def path(self, notification: Notification) -> str:
        """Return the path of the match."""
        match = notification.game.duplicate
        assert match is not None, "the game is no table of a match"
        return match.get_absolute_url()

    def brief(self, facts: Facts) -> Message:
        """Return the points of the teams or the first rows of the standings, and the address of the match."""
        view = match_facts(facts)["match"]
        lines = [f"{team.name}: {team.total}" for team in view.teams] or [
            f"{score.rank}. {score.name}: {score.percent:.0f}%" for score in view.scores[:SHOWN]
        ]
        text = " · ".join(lines)
        return replace(super().brief(facts), text=text)


def match_facts(facts: Facts) -> MatchFacts:
    """Return the duplicate match of the game of a notification, as the reader sees it."""
    match = facts.game.duplicate
    if match is None:
        return {}
    view = view_match(match, facts.user)
    return {
        "match": view,
        "own": next((score for score in view.scores if score.is_you), None),
        "players": len(view.scores),
        "match_url": url_for_reader(match.get_absolute_url(), facts.user),
    }
