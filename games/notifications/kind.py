"""The base class of kinds, and the messages that they write."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from games.models import Notification
from games.queries.mail_links import stop_url, url_for_reader


@dataclass(frozen=True)
class Message:
    """The words of one or more notifications, in the forms that channels need.

    A second message of the same notifications has the same `id`, so that a receiver can drop it. Messages
    with the same `thread` belong together.
    """

    id: str
    thread: str
    subject: str
    text: str
    html: str
    unsubscribe_url: str


class Kind(ABC):
    """A kind of notification. It checks whether one is still wanted, and writes its message."""

    @abstractmethod
    def why_unwanted(self, notification: Notification) -> str:
        """Return why nobody needs the notification now, in at most 20 characters; empty if somebody does.

        Whether its user wants this kind at all is checked before.
        """

    @abstractmethod
    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the variables of this kind's templates, in the active language."""

    def subject(self, notification: Notification) -> str:
        """Return what happened, in one line and in the active language."""
        return _one_line(f"mail/{notification.kind}_subject.txt", self._values(notification))

    def message(self, notification: Notification) -> Message:
        """Return the message of the notification, in the active language."""
        name, values = f"mail/{notification.kind}", self._values(notification)
        game, user = notification.game, notification.user
        return Message(
            id=f"{notification.kind}-{game.key}-{notification.pk}",
            thread=f"game-{game.key}-{user.pk}",
            subject=_one_line(f"{name}_subject.txt", values),
            text=render_to_string(f"{name}.txt", values),
            html=render_to_string(f"{name}.html", values),
            unsubscribe_url=str(values["unsubscribe_url"]),
        )

    def _values(self, notification: Notification) -> dict[str, object]:
        """Return the variables of the templates: the kind's own, and those that every message needs."""
        game, user = notification.game, notification.user
        return {
            "user": user,
            "game": game,
            "game_url": url_for_reader(game.get_absolute_url(), user),
            "unsubscribe_url": stop_url(user, notification.kind, notification.channel),
            "settings_url": settings.SITE_URL + reverse("games:notifications"),
            **self.context(notification),
        }


def _one_line(template: str, values: dict[str, object]) -> str:
    return " ".join(render_to_string(template, values).split())
