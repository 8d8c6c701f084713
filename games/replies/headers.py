"""Reads header fields of emails."""

from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message

_LONGEST_VALUE = 500


def header_text(message: Message, name: str) -> str:
    """Return the beginning of a header field as text on one line; empty if there is no such field."""
    value = str(message.get(name, ""))[:_LONGEST_VALUE]
    # A field that cannot be decoded is kept as it is.
    with suppress(HeaderParseError, ValueError, LookupError):
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())
