"""The base class of kinds, and the messages that they write."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

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
