"""An LMTP or SMTP server for replies to turn emails. The site's mail server passes them on to it."""

import asyncio
import logging
import signal
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import close_old_connections

from games.notifications.replies import Receipt, receive
from games.replies import is_reply_address

logger = logging.getLogger(__name__)

# A reply with a picture in its signature has less. The server refuses more.
MOST_BYTES = 2_000_000
SILENCE = 60  # seconds, after which a connection is closed
THREADS = 4

REPLIES = {
    Receipt.HANDLED: "250 2.0.0 Received",
    # Accepted, because a refusal would make the sender's server send a bounce.
    Receipt.IGNORED: "250 2.0.0 Received",
    Receipt.UNREADABLE: "554 5.6.0 This email cannot be read. Please send one line of plain text",
    Receipt.NO_SUCH_ADDRESS: "550 5.1.1 Nobody can reply to this address",
}


class Handler:
    """Receives emails to addresses with a valid token. The names of its methods are aiosmtpd's."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept one recipient for each email; a server sends copies to the others separately."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time"
        if not is_reply_address(address):
            return REPLIES[Receipt.NO_SUCH_ADDRESS]
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
        lambda: protocol(handler, data_size_limit=MOST_BYTES, timeout=SILENCE, ident="Nova Luna", loop=loop),
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
        return REPLIES[receive(content, envelope.rcpt_tos[0], envelope.mail_from or "")]
    except Exception:
        logger.exception("A reply cannot be handled now.")
        return "451 4.3.0 Try again later"
    finally:
        close_old_connections()
