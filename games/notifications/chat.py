"""The kind of notification for lines of the chat that a player has not read."""

from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from games.models import ChatLine, Notification
from games.notifications.facts import Facts
from games.notifications.kind import Kind
from games.queries.mail_links import url_for_reader

MOST_LINES = 20  # in a message: the newest ones


class ChatKind(Kind):
    """A player is owed one such notification for several lines.

    Its version is the id of the first line. It ends before the next such notification on its channel.
    """

    def why_unwanted(self, notification: Notification) -> str:
        """Return "seen" if the user has read all its lines, or does not want to read those that are left."""
        return "" if _unread(notification) else "seen"

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the unread lines, the names of their authors, and the opponents."""
        game, lines = facts.game, _unread(facts.notification)
        seats = game.seats.exclude(joined_at=None).select_related("user").order_by("number")
        return {
            "game_url": f"{url_for_reader(game.get_absolute_url(), facts.user)}#chat-lines",
            "lines": lines,
            "authors": list(dict.fromkeys(_author(line) for line in lines)),
            "opponents": [seat.name for seat in seats if not seat.is_of(facts.user)],
        }

    def details(self, facts: Facts) -> Sequence[str]:
        """Return the unread lines with their authors."""
        return [f"{_author(line)}: {line.text}" for line in _unread(facts.notification)]


def _unread(notification: Notification) -> list[ChatLine]:
    """Return the newest lines of a notification that its user has not read, oldest first."""
    later = Notification.objects.later_than(notification).filter(version__lte=OuterRef("pk"))
    # One query, because a line can be stored meanwhile, together with a notification of its own.
    lines = ChatLine.objects.filter(~Exists(later), game=notification.game, pk__gte=notification.version)
    unread = lines.unread_by(notification.user)
    return list(reversed(unread.select_related("author").order_by("-pk")[:MOST_LINES]))


def _author(line: ChatLine) -> str:
    return line.author.get_username() if line.author else _("a former player")
