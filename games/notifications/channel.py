"""The base class of channels."""

from abc import ABC, abstractmethod
from datetime import datetime, timedelta
from typing import ClassVar

from accounts.models import User
from games.notifications.kind import Message


class AddressRefused(Exception):
    """The server refuses this address, for good or because the server itself fails for a while."""


class AddressGone(AddressRefused):
    """The server says that this address will never take anything again."""


class MessageRefused(Exception):
    """The server takes messages at this address, but not this one."""


class NotSent(Exception):
    """The message could not be sent this time. A later try may succeed, after this pause or a longer one."""

    def __init__(self, words: str, pause: timedelta = timedelta(0)) -> None:
        super().__init__(words)
        self.pause = pause


class NotTried(NotSent):
    """The server was slow lately, so nothing was sent. That says nothing about the address."""


class Busy(Exception):
    """Another worker sends to the same place, so the message waits a moment. Nothing has failed."""


class Channel(ABC):
    """A way to send messages, such as email."""

    # Whether its messages are brief, and each is about one game.
    is_brief: ClassVar[bool] = False

    @abstractmethod
    def address_of(self, user: User) -> str | None:
        """Return the address of `user` on this channel; None while they have none."""

    @abstractmethod
    def send(self, message: Message, user: User, address: str) -> None:
        """Send a message.

        Raises AddressRefused, MessageRefused, NotSent if a later try may succeed, and Busy.
        """

    def withdraw(self, message: Message, user: User) -> None:  # noqa: B027 - most channels can't
        """Correct what shows `user` that it is their turn in a game; `message` says that it is over.

        Do nothing if the next one has begun. Nothing is retried: the next message about the game is right.
        """

    def switch_off(  # noqa: B027 - most channels need nothing
        self, user: User, error: str, since: datetime
    ) -> None:
        """Stop using the address of `user`, where a message was refused since then, unless others arrived."""
