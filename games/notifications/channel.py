"""What a channel of notifications must know."""

from abc import ABC, abstractmethod

from accounts.models import User
from games.notifications.kind import Message


class AddressRefused(Exception):
    """The receiving side says that this address will never take a message."""


class Channel(ABC):
    """A way to send messages: where a person can be reached, and how."""

    @abstractmethod
    def address_of(self, user: User) -> str | None:
        """Return where `user` can be reached by this channel; None while they cannot."""

    @abstractmethod
    def send(self, message: Message, user: User, address: str) -> None:
        """Send a message. Raises AddressRefused for good; any other exception means try again later."""
