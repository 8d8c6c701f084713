"""Reads header fields of emails."""

from collections.abc import Iterator
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message

from games.replies.characters import one_line

_LONGEST_VALUE = 500


def header_text(message: Message, name: str) -> str:
    """Return the beginning of a header field as text on one line; empty if there is no such field."""
    return next(header_texts(message, name), "")


def header_texts(message: Message, name: str) -> Iterator[str]:
    """Yield the beginnings of all header fields with a name, each as text on one line."""
    for each, value in message.raw_items():
        if each.lower() == name.lower():
            yield _decoded(str(value)[:_LONGEST_VALUE])


def _decoded(value: str) -> str:
    # Some programs write bytes of UTF-8 or another charset, as RFC 6532 allows for UTF-8.
    content = value.encode("utf-8", "surrogateescape")
    try:
        value = content.decode("utf-8")
    except UnicodeDecodeError:
        value = content.decode("windows-1252", "replace")
    # A field that cannot be decoded is kept as it is.
    with suppress(HeaderParseError, ValueError, LookupError):
        value = str(make_header(decode_header(value)))
    return one_line(value)
