"""The kind of notification for lines of the chat that a player has not read."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.models import ChatLine, Notification
from games.notifications.kind import Kind
from games.queries.mail_links import url_for_reader

MOST_LINES = 20  # in a message: the newest ones


class ChatKind(Kind):
    """A player is owed one such notification for all lines that are unread when it is sent."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "seen" if the user has read all lines, or does not want to read those that are left."""
        return "" if _unread(notification) else "seen"

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the unread lines, the names of their authors, and the opponents."""
        game, lines = notification.game, _unread(notification)
        seats = game.seats.exclude(joined_at=None).select_related("user").order_by("number")
        return {
            "game_url": f"{url_for_reader(game.get_absolute_url(), notification.user)}#chat-lines",
            "lines": lines,
            "authors": list(dict.fromkeys(_author(line) for line in lines)),
            "opponents": [seat.name for seat in seats if not seat.is_of(notification.user)],
        }

    def details(self, notification: Notification) -> Sequence[str]:
        """Return the unread lines with their authors."""
        return [f"{_author(line)}: {line.text}" for line in _unread(notification)]


def _unread(notification: Notification) -> list[ChatLine]:
    """Return the newest lines that the user of a notification has not read, oldest first."""
    unread = ChatLine.objects.filter(game=notification.game).unread_by(notification.user)
    return list(reversed(unread.select_related("author").order_by("-pk")[:MOST_LINES]))


def _author(line: ChatLine) -> str:
    return line.author.get_username() if line.author else _("former player")
