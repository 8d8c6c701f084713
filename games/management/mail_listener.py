"""An LMTP or SMTP server for replies and bounces. The site's mail server passes them on to it."""

import asyncio
import logging
import signal
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections

from games.notifications.mailbox import Receipt, receives, refusal
from games.notifications.replies import receive

logger = logging.getLogger(__name__)

# A reply with a picture in its signature has less. The server refuses more.
MOST_BYTES = 2_000_000
# After so many seconds without a command, a connection is closed: the least that RFC 5321, 4.5.3.2.7 allows.
SILENCE = 300
THREADS = 4


class Handler:
    """Receives emails to the addresses of the site. The names of its methods are aiosmtpd's."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept one recipient for each email; a server sends copies to the others separately."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time"
        if not receives(address):
            return _reply_to(Receipt.NO_SUCH_ADDRESS)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Handle an email in a thread. Without a database, the sender's server keeps it and tries again."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _receive, envelope)

    def stop(self) -> None:
        """Wait for the emails that are being handled."""
        self._threads.shutdown()


async def listen(host: str, port: int, *, is_smtp: bool) -> None:
    """Serve LMTP or SMTP until the process gets SIGTERM or SIGINT."""
    protocol, handler, end = (SMTP if is_smtp else LMTP), Handler(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    server = await loop.create_server(
        lambda: protocol(
            handler, data_size_limit=MOST_BYTES, timeout=SILENCE, ident=settings.SITE_NAME, loop=loop
        ),
        host,
        port,
    )
    try:
        await end.wait()
    finally:
        server.close()
        handler.stop()


def _receive(envelope: Envelope) -> str:
    """Handle an email and return the reply of the protocol."""
    content = envelope.content
    assert isinstance(content, bytes), "aiosmtpd is asked for bytes"
    close_old_connections()
    try:
        return _reply_to(receive(content, envelope.rcpt_tos[0], envelope.mail_from or ""))
    except Exception:
        logger.exception("A reply cannot be handled now.")
        return "451 4.3.0 Try again later"
    finally:
        close_old_connections()


def _reply_to(receipt: Receipt) -> str:
    """Return the reply of the protocol.

    Ignored emails are accepted, because a refusal would make the sender's server send a bounce.
    """
    words = refusal(receipt)
    status = "554 5.6.0" if receipt is Receipt.UNREADABLE else "550 5.1.1"
    return f"{status} {words}" if words else "250 2.0.0 Received"
