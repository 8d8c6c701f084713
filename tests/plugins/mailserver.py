"""An SMTP server for tests, which stores the emails that it receives and can refuse them."""

import threading
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.plugins.children import free_port


class MailServer:
    """Stores received emails in `mails`. While `refusal` is set, refuses every email with that SMTP reply."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refusal = ""
        self._received = threading.Condition()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self._controller.start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (aiosmtpd's name)
        with self._received:
            if self.refusal:
                return self.refusal
            content = cast(bytes, envelope.content)
            self.mails.append(cast(EmailMessage, message_from_bytes(content, policy=policy.default)))
            self._received.notify_all()
            return "250 Message accepted for delivery"

    def wait_for(self, subject: str, to: str = "", seconds: float = 20) -> EmailMessage:
        """Return the first email whose subject and recipient contain these texts; wait for it if necessary.

        Raises AssertionError, with the subjects of all received emails, if none arrives in time.
        """
        end = time.monotonic() + seconds
        with self._received:
            while True:
                for mail in self.mails:
                    if subject in mail["Subject"] and to in mail["To"]:
                        return mail
                left = end - time.monotonic()
                assert left > 0, (
                    f"no email {subject!r} to {to!r}, but {[mail['Subject'] for mail in self.mails]}"
                )
                self._received.wait(left)

    def reset(self) -> None:
        """Delete all emails and accept new ones."""
        with self._received:
            self.mails.clear()
            self.refusal = ""

    def stop(self) -> None:
        self._controller.stop()
