"""Receives replies to turn emails."""

import asyncio
import os
import sys
from argparse import ArgumentTypeError
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.notifications.mailbox import Receipt, receives, refusal
from games.notifications.replies import receive

# The same as the limit of the listener, which needs a package that pipes do not need.
MOST_BYTES = 2_000_000
RECIPIENT_FIELDS = ("X-Original-To", "Delivered-To", "To", "Cc")


def _host_and_port(text: str) -> tuple[str, int]:
    host, _colon, port = text.rpartition(":")
    if not host or not port.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host.strip("[]"), int(port)


class Command(BaseCommand):
    help = (
        "Receive replies to emails, and bounces. With --listen, serve LMTP, or SMTP with --smtp. Without it, "
        "read one email from standard input, and exit with 75 if the mail server should try again later."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--listen", type=_host_and_port, metavar="HOST:PORT", help="serve at this address"
        )
        parser.add_argument("--smtp", action="store_true", help="serve SMTP instead of LMTP")
        parser.add_argument(
            "--recipient", help="of the email on standard input; else it is read from its header"
        )
        parser.add_argument("--sender", help="of the envelope of the email on standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["listen"]:
            # The package is needed for this only.
            from games.management.mail_listener import listen

            host, port = options["listen"]
            asyncio.run(listen(host, port, is_smtp=options["smtp"]))
            return
        raw = sys.stdin.buffer.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            self.stderr.write("The email is too long.")
            raise SystemExit(os.EX_DATAERR)
        try:
            receipt = receive(raw, options["recipient"] or _recipient_of(raw), options["sender"])
        except Exception as error:
            self.stderr.write(f"The email cannot be handled now: {error}")
            raise SystemExit(os.EX_TEMPFAIL) from error
        if words := refusal(receipt):
            self.stderr.write(words)
            raise SystemExit(os.EX_DATAERR if receipt is Receipt.UNREADABLE else os.EX_NOUSER)


def _recipient_of(raw: bytes) -> str:
    """Return the first address of this site in the header of an email; empty if there is none."""
    message = BytesHeaderParser().parsebytes(raw)
    values = [str(value) for name in RECIPIENT_FIELDS for value in message.get_all(name, [])]
    addresses = [address for _name, address in getaddresses(values)]
    return next((one for one in addresses if receives(one)), "")
