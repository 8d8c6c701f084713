"""The kind of notification for a player's turn."""

from collections.abc import Mapping, Sequence

from games.models import Notification, seats_of
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.mail_links import move_url
from games.shown.history import describe_news
from games.titles.registry import has_hands


class TurnKind(Kind):
    """A player is owed one such notification for each turn in a game with others."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over" or "newer turn"; empty while the user is to move."""
        game, user = notification.game, notification.user
        own = [seat for seat in seats_of(game) if seat.is_of(user)]
        if not game.is_running or not any(seat.is_awaited and not seat.caretaker for seat in own):
            return "turn over"
        return "newer turn" if Notification.objects.later_than(notification).exists() else ""

    def templates(self, facts: Facts) -> str:
        """Return the folder of the title, because the email shows the position."""
        return facts.pages.mail_templates

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return what happened since the player's last turn, what they can do, and the position."""
        offers = facts.pages.offers(facts.view)
        return {
            "move_by": facts.move_by,
            "also_awaited": [seat.name for seat in facts.awaited if not seat.is_of(facts.user)],
            "sentences": _sentences_since_last_turn(facts),
            "offers": [(offer, move_url(facts.turn, offer.line)) for offer in offers],
            "reply_to": facts.reply_to,
            **facts.pages.turn_values(facts.view),
        }

    def draw(self, facts: Facts) -> bytes | None:
        """Return the position as the player sees it."""
        return facts.pages.draw_turn(facts.view)


def _sentences_since_last_turn(facts: Facts) -> Sequence[str]:
    """Return what became of the plan, if it is about the last action, and all that has happened since."""
    played = facts.pages.describe_played_plan(facts.view).rstrip(".")
    news = describe_news(facts.view, facts.pages.describe_step, has_hands=has_hands(facts.game.title))
    # What the plan did can be among the news.
    return [*filter(None, [played]), *(sentence for sentence in news if not played.endswith(sentence))]
