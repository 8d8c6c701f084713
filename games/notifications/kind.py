"""What a kind of notification must know."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from games.models import Notification


@dataclass(frozen=True)
class Message:
    """What a notification says, in the forms that channels need.

    `id` is the same whenever the same notification is sent, so that a receiver can drop a second copy.
    """

    id: str
    subject: str
    text: str
    html: str
    unsubscribe_url: str


class Kind(ABC):
    """A kind of notification: whether one is still wanted, and what it says."""

    @abstractmethod
    def why_unwanted(self, notification: Notification) -> str:
        """Return why the notification need not be sent any more, in a few words; empty while it is wanted."""

    @abstractmethod
    def message(self, notification: Notification) -> Message:
        """Return what the notification says, in the language that is active."""
