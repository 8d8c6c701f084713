"""The base class of kinds, and the messages that they write."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.mail_links import unsubscribe_url
from games.models import Notification


@dataclass(frozen=True)
class Message:
    """The words of a notification, in the forms that channels need.

    A second message of the same notification has the same `id`, so that a receiver can drop it.
    """

    id: str
    subject: str
    text: str
    html: str
    unsubscribe_url: str


class Kind(ABC):
    """A kind of notification. It checks whether one is still wanted, and writes its message."""

    @abstractmethod
    def why_unwanted(self, notification: Notification) -> str:
        """Return why the notification is no longer wanted, in at most 20 characters; empty while it is."""

    @abstractmethod
    def message(self, notification: Notification) -> Message:
        """Return the message of the notification, in the active language."""


def render_message(notification: Notification, message_id: str, context: Mapping[str, object]) -> Message:
    """Return the message that the templates of the notification's kind write, in the active language.

    They get `context`, and the user, the game and the addresses that every message links to.
    """
    game, user, name = notification.game, notification.user, f"mail/{notification.kind}"
    unsubscribe = unsubscribe_url(user)
    values = {
        "user": user,
        "game": game,
        "game_url": settings.SITE_URL + game.get_absolute_url(),
        "unsubscribe_url": unsubscribe,
        "settings_url": settings.SITE_URL + reverse("accounts:settings"),
        **context,
    }
    return Message(
        id=message_id,
        subject=" ".join(render_to_string(f"{name}_subject.txt", values).split()),
        text=render_to_string(f"{name}.txt", values),
        html=render_to_string(f"{name}.html", values),
        unsubscribe_url=unsubscribe,
    )
