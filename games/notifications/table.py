"""The kind of notification for a table that is closed soon."""

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts.mail_links import unsubscribe_url
from games.models import Notification
from games.notifications.kind import Kind, Message
from games.services.pruning import WARNING


class TableKind(Kind):
    """The owner of a table is owed one such notification before the site closes it."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "unwanted", "started" or "seats changed"; empty while the table is to be closed."""
        game, user = notification.game, notification.user
        if not user.is_active or not user.turn_mails:
            return "unwanted"
        if not game.is_open:
            return "started"
        return "seats changed" if game.changes != notification.version else ""

    def message(self, notification: Notification) -> Message:
        """Return a message that says when the table is closed, with a link to it."""
        game, user = notification.game, notification.user
        unsubscribe = unsubscribe_url(user)
        context = {
            "user": user,
            "game_url": settings.SITE_URL + game.get_absolute_url(),
            "closes_at": timezone.now() + WARNING,
            "free_seats": game.seats.free().count(),
            "unsubscribe_url": unsubscribe,
            "settings_url": settings.SITE_URL + reverse("accounts:settings"),
        }
        return Message(
            id=f"table-{game.key}-{notification.pk}-{user.pk}",
            subject=" ".join(render_to_string("mail/table_subject.txt", context).split()),
            text=render_to_string("mail/table.txt", context),
            html=render_to_string("mail/table.html", context),
            unsubscribe_url=unsubscribe,
        )
