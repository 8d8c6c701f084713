"""An SMTP server for tests, which stores the emails that it receives and can refuse them, or not respond."""

import asyncio
import threading
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.plugins.children import free_port


class MailServer:
    """Stores received emails in `mails`.

    While `refusal` is set, the reply to each command `refused_command` is that refusal. While `is_hanging` is
    true, received emails get no reply, and `held` counts them.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refusal = ""
        self.refused_command = "DATA"
        self.is_hanging = False
        self.held = 0
        self._received = threading.Condition()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self._controller.start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    # The names of the following methods are aiosmtpd's.

    async def handle_HELO(self, server: SMTP, session: Session, envelope: Envelope, name: str) -> str:  # noqa: N802
        session.host_name = name
        return self._refusal_of("EHLO") or f"250 {server.hostname}"

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, name: str, responses: list[str]
    ) -> list[str]:
        session.host_name = name
        refusal = self._refusal_of("EHLO")
        return [refusal] if refusal else responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self._refusal_of("MAIL") or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self._refusal_of("RCPT") or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.is_hanging:
            self.held += 1
            await asyncio.sleep(60)
        with self._received:
            if refusal := self._refusal_of("DATA"):
                return refusal
            content = cast(bytes, envelope.content)
            self.mails.append(cast(EmailMessage, message_from_bytes(content, policy=policy.default)))
            self._received.notify_all()
            return "250 Message accepted for delivery"

    def _refusal_of(self, command: str) -> str:
        return self.refusal if command == self.refused_command else ""

    def wait_for(self, subject: str, to: str = "", seconds: float = 60) -> EmailMessage:
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

    def mails_to(self, address: str) -> list[EmailMessage]:
        """Return the emails that were received for this address."""
        with self._received:
            return [mail for mail in self.mails if address in mail["To"]]

    def reset(self) -> None:
        """Delete all emails and accept new ones."""
        with self._received:
            self.mails.clear()
            self.refusal = ""
            self.refused_command = "DATA"
            self.is_hanging = False
            self.held = 0

    def stop(self) -> None:
        self._controller.stop()
