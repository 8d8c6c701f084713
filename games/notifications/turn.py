"""The kind of notification for a player's turn."""

from collections.abc import Mapping, Sequence

from games.models import Game, Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.mail_links import move_url
from games.queries.pictures import turn_picture_of
from games.titles.registry import has_hands
from games.titles.view import AnyView


class TurnKind(Kind):
    """A player is owed one such notification for each turn in a game with others."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over" or "newer turn"; empty while the user is to move."""
        game, user = notification.game, notification.user
        if not Game.objects.waiting_for(user).filter(pk=game.pk).exists():
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
            "sentences": [*_played_plan(facts), *_sentences_since(facts)],
            "offers": [(offer, move_url(facts.turn, offer.line)) for offer in offers],
            "reply_to": facts.reply_to,
            **facts.pages.turn_values(facts.view),
        }

    def draw(self, facts: Facts) -> bytes | None:
        """Return the position as the player sees it."""
        return turn_picture_of(facts.game, facts.view)


def _played_plan(facts: Facts) -> Sequence[str]:
    played = facts.pages.describe_played_plan(facts.view)
    return [played.rstrip(".")] if played else []


def _sentences_since(facts: Facts) -> Sequence[str]:
    """Return what happened since the viewer's last turn in words, oldest first."""
    view, first = facts.view, _first_unseen(facts.view, has_hands=has_hands(facts.game.title))
    return [
        facts.pages.describe_step(view.steps[number - 1], view.as_played(number))
        for number in range(first, view.version + 1)
    ]


def _first_unseen(view: AnyView, *, has_hands: bool) -> int:
    """Return the number of the first action after the viewer's last one, or of that one if it is news.

    It is if it has revealed something: the viewer, who may have acted by email, has not seen what.
    """
    own = next(
        (number for number in range(view.version, 0, -1) if view.steps[number - 1].seat == view.viewer), 0
    )
    return own if own and _has_revealed(own, view, has_hands=has_hands) else own + 1


def _has_revealed(number: int, view: AnyView, *, has_hands: bool) -> bool:
    """Return whether an action has changed more than its player could foresee."""
    if view.position_after(number).known > view.position_after(number - 1).known:
        return True
    return has_hands and bool(view.steps[number - 1].events)
