"""The kind of notification for the end of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Notification, ReceivedReply
from games.notifications.facts import Facts
from games.notifications.kind import Kind, Message
from games.notifications.match import match_facts
from games.queries.mail_links import url_for_reader
from games.shown.words import begin_sentence, join_words
from games.titles.actions import CANCELLED
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.titles.view import AnyView


class OverKind(Kind):
    """Each person who has not left is owed one such notification when a game with others ends."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "seen" if the user ended the game on its page, or has looked at it since; else nothing."""
        game, user = notification.game, notification.user
        was_seen = game.seats.filter(user=user, seen_at__gt=game.moved_at).exists()
        has_ended_it = game.actions.latest("number").made_by == user
        by_reply = ReceivedReply.objects.filter(
            game=game, user=user, number=game.version, outcome=ReceivedReply.Outcome.PLAYED
        )
        return "seen" if was_seen or (has_ended_it and not by_reply.exists()) else ""

    def templates(self, facts: Facts) -> str:
        """Return the folder of the title, because the email shows the position."""
        return facts.pages.mail_templates

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the result, what decided it, and the addresses of what comes next."""
        game, view = facts.game, facts.view
        return {
            **_result(view),
            "sentences": self.details(facts),
            # The panel with the next steps, where one press offers a rematch.
            "rematch_url": f"{url_for_reader(game.get_absolute_url(), facts.user)}#what-next",
            "review_url": _review_url(facts),
            **match_facts(facts),
            **facts.pages.end_values(view),
        }

    def details(self, facts: Facts) -> Sequence[str]:
        """Return what decided the game, or that it was cancelled, and the reader's rating after it."""
        rating = next((person.rating_change for person in facts.view.people if person.is_you), "")
        return [facts.pages.describe_end(facts.view), *filter(None, [rating and f"{rating}."])]

    def brief(self, facts: Facts) -> Message:
        """Return what decided the game, the reader's rating, and the score."""
        message = super().brief(facts)
        return replace(message, text="\n".join([" ".join(self.details(facts)), message.text]))


def _review_url(facts: Facts) -> str:
    """Return the address of the review; empty if there is none, or nobody has moved."""
    has_review = Talent.REVIEWS in title_named(facts.game.title).talents and facts.view.has_moves
    return settings.SITE_URL + reverse("games:review", args=[facts.game.key]) if has_review else ""


def _result(view: AnyView) -> Mapping[str, object]:
    """Return who has won against whom, the reader first."""
    own_first = sorted(view.people, key=lambda person: (not person.is_you, person.seat))
    first = {seat for seat, place in enumerate(view.newest.places) if place == 1}
    winners = [_("You") if one.is_you else one.name for one in own_first if one.seat in first]
    return {
        "is_cancelled": view.newest.ending == CANCELLED,
        "is_won_alone": first == {view.viewer},
        "is_tie": len(first) == len(view.people),
        "winners": begin_sentence(join_words(winners)),
        "losers": [_("you") if one.is_you else one.name for one in own_first if one.seat not in first],
    }
