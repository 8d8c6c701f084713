"""Reads a raw email as the lines that its sender wrote, in bounded time whatever it contains."""

import re
import uuid
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from typing import NamedTuple

from games.replies.automatic import Ignored, is_doubtful, why_ignored
from games.replies.charsets import decoded
from games.replies.flowed import unflowed
from games.replies.headers import header_text
from games.replies.html import text_of_html
from games.replies.quoting import own_lines

# The rest of a larger email is not read: the text comes first, then pictures. The parser compares each line
# with the boundary of each multipart that is open, so their numbers are limited too.
MOST_BYTES = 256 * 1024
MOST_RAW_LINES = 10_000
MOST_BOUNDARIES = 30
MOST_PARTS = 30

# The parameters of these fields are parsed several times.
_LONG_FIELD = re.compile(rb"(?im)^content-(?:type|disposition):(?:[^\n]|\n[ \t]){2000}")
_BOUNDARY = re.compile(rb"(?i)boundary\s*=")
_PREFIXES = re.compile(
    r"(?i)\A(?:(?:re|aw|antw|antwort|sv|vs|rv|ref|rif|r|odp|fwd?|wg|tr|vb|i)\s?(?:\[\d+\])?\s?:\s*)+"
)
_NAMESPACE = uuid.UUID("5a0ea0f5-6cd6-4d1b-9c37-6ba47ea0a0c5")


class Unreadable(Exception):
    """An email is built in a way that cannot be read in bounded time, or not at all. It should be refused."""


class Reply(NamedTuple):
    """What a person wrote in reply to an email.

    `lines` are their own lines without quotes and signature, at most 100 and possibly none. `subject` has no
    "Re:", "AW:" or "TR:". `message_id` is empty if the email has none. `request_id` is the same each time the
    email is received, for `services.play`. `is_doubtful` says that a program may have written it; then the
    same text has the same `request_id`, so that a program that answers each answer gets one.
    """

    lines: tuple[str, ...]
    subject: str
    message_id: str
    request_id: uuid.UUID
    is_doubtful: bool = False


def read_reply(raw: bytes, envelope_sender: str | None = None) -> Reply:
    """Return what a person wrote in reply to an email.

    `envelope_sender` is the sender's address in SMTP and LMTP; None if only the email itself is known. Raises
    Ignored for emails that no person wrote, which must get no answer, and Unreadable.
    """
    beginning = beginning_of(raw)
    # Python's email package raises errors of many types for malformed emails.
    try:
        header = BytesHeaderParser().parsebytes(beginning)
        why = why_ignored(header)
        if why is None and is_bounded(beginning):
            return _read(beginning, envelope_sender)
    except Exception as error:
        raise Unreadable from error
    raise Unreadable if why is None else Ignored(why)


def beginning_of(raw: bytes) -> bytes:
    """Return the part of an email that is read."""
    return b"\n".join(raw[:MOST_BYTES].split(b"\n", MOST_RAW_LINES)[:MOST_RAW_LINES])


def is_bounded(raw: bytes) -> bool:
    """Return whether the beginning of an email can be parsed in bounded time."""
    return len(_BOUNDARY.findall(raw)) <= MOST_BOUNDARIES and not _LONG_FIELD.search(raw)


def _read(raw: bytes, envelope_sender: str | None) -> Reply:
    message = BytesParser().parsebytes(raw)
    lines = _own_lines(message)
    doubtful = is_doubtful(message, envelope_sender)
    identity = "\n".join(lines) if doubtful else _identity(message, raw)
    subject = _PREFIXES.sub("", header_text(message, "Subject"))
    message_id = header_text(message, "Message-ID")
    return Reply(lines, subject, message_id, uuid.uuid5(_NAMESPACE, identity), doubtful)


def _identity(message: Message, raw: bytes) -> str:
    """Return what copies of an email have in common: its whole id or, without one, what its sender wrote."""
    message_id = "".join(str(message.get("Message-ID", "")).split())
    if message_id.strip("<>"):
        return message_id
    fields = [header_text(message, name) for name in ("From", "Date", "Subject")]
    content = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    return "\n".join([*fields, content.hex()])


def _own_lines(message: Message) -> tuple[str, ...]:
    """Return the sender's lines from the first part that has some: from a plain text, or else from HTML."""
    parts = [part for part in parts_of(message) if part.get_content_disposition() != "attachment"]
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == kind:
                text = _decoded_text(part)
                is_html = kind == "text/html"
                lines = own_lines(text_of_html(text) if is_html else text, is_wrapped=not is_html)
                if lines:
                    return lines
    return ()


def parts_of(message: Message) -> Iterator[Message]:
    """Yield the parts of a message, but not those of a message that is attached to it."""
    waiting = [message]
    for _i in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        if part.get_content_maintype() != "multipart":
            yield part
        elif isinstance(children := part.get_payload(), list):
            waiting[:0] = [child for child in children if isinstance(child, Message)]


def _decoded_text(part: Message) -> str:
    """Return the text of a part."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    text = decoded(content, str(part.get_content_charset() or ""))
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return unflowed(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
