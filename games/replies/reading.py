"""Reads a raw email as the lines that its sender wrote, in bounded time whatever it contains."""

import codecs
import re
import uuid
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from typing import NamedTuple

from games.replies.automatic import Ignored, WhyIgnored, why_ignored
from games.replies.headers import header_text
from games.replies.html import text_of_html
from games.replies.quoting import own_lines

# The rest of a larger email is not read: the text comes first, then pictures. The parser compares each line
# with the boundary of each multipart that is open, so their numbers are limited too.
MOST_BYTES = 256 * 1024
MOST_RAW_LINES = 10_000
MOST_BOUNDARIES = 30
MOST_PARTS = 30

# Python has codecs for other things than charsets, and some take quadratic time, such as "idna".
_CHARSET = re.compile(r"(us-)?ascii|utf-?8|(iso|windows|cp|koi8|latin|mac|big5|gb|euc|shift|hz).*")
# The parameters of these fields are parsed several times.
_LONG_FIELD = re.compile(rb"(?im)^content-(?:type|disposition):(?:[^\n]|\n[ \t]){2000}")
_BOUNDARY = re.compile(rb"(?i)boundary\s*=")
_PREFIXES = re.compile(
    r"(?i)\A(?:(?:re|aw|antw|antwort|sv|vs|rv|ref|rif|r|odp|fwd?|wg|tr|vb|i)\s?(?:\[\d+\])?\s?:\s*)+"
)
_NAMESPACE = uuid.UUID("5a0ea0f5-6cd6-4d1b-9c37-6ba47ea0a0c5")


class Reply(NamedTuple):
    """What a person wrote in reply to an email.

    `lines` are their own lines without quotes and signature, at most 100 and possibly none. `subject` has no
    "Re:", "AW:" or "TR:". `message_id` is empty if the email has none. `request_id` is the same each time the
    email is received, for `services.play`.
    """

    lines: tuple[str, ...]
    subject: str
    message_id: str
    request_id: uuid.UUID


def read_reply(raw: bytes, envelope_sender: str | None = None) -> Reply:
    """Return what a person wrote in reply to an email.

    `envelope_sender` is the sender's address in SMTP and LMTP; None if only the email itself is known. Raises
    Ignored for emails that no person wrote, and for emails that cannot be read. These must get no answer.
    """
    beginning = b"\n".join(raw[:MOST_BYTES].split(b"\n", MOST_RAW_LINES)[:MOST_RAW_LINES])
    if len(_BOUNDARY.findall(beginning)) > MOST_BOUNDARIES or _LONG_FIELD.search(beginning):
        raise Ignored(WhyIgnored.UNREADABLE)
    # Python's email package raises errors of many types for malformed emails.
    try:
        message = BytesParser().parsebytes(beginning)
        why = why_ignored(message, envelope_sender)
        reply = _read(message, beginning)
    except Exception as error:
        raise Ignored(WhyIgnored.UNREADABLE) from error
    if why:
        raise Ignored(why)
    return reply


def _read(message: Message, raw: bytes) -> Reply:
    subject = _PREFIXES.sub("", header_text(message, "Subject"))
    message_id = header_text(message, "Message-ID")
    # Without an id, a copy that took another way gets another request id. The action's number refuses it.
    request_id = uuid.uuid5(_NAMESPACE, message_id or raw.hex())
    return Reply(_own_lines(message), subject, message_id, request_id)


def _own_lines(message: Message) -> tuple[str, ...]:
    """Return the sender's lines from the first part that has some: from a plain text, or else from HTML."""
    parts = [part for part in _parts(message) if part.get_content_disposition() != "attachment"]
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == kind:
                text = _decoded_text(part)
                lines = own_lines(text_of_html(text) if kind == "text/html" else text)
                if lines:
                    return lines
    return ()


def _parts(message: Message) -> Iterator[Message]:
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
    """Return the text of a part. Charsets that are unknown or wrong do no harm to letters of ASCII."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    for charset in (_charset(part), "utf-8"):
        try:
            return content.decode(charset)
        except (UnicodeError, LookupError):
            continue
    return content.decode("windows-1252", "replace")


def _charset(part: Message) -> str:
    """Return the charset that a part declares; UTF-8 if it declares none or an unknown one."""
    try:
        name = str(part.get_content_charset() or "").strip()
        return codecs.lookup(name).name if _CHARSET.fullmatch(name) else "utf-8"
    except (LookupError, ValueError):
        return "utf-8"
