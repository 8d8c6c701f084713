"""Reads bounces: emails in which a mail server reports that it could not deliver one of ours.

RFC 3464 defines reports for programs, RFC 3463 their status, and RFC 6533 reports about international
addresses. qmail, Exim and others write a text instead, with the status in it.
"""

import re
from collections.abc import Iterator, Sequence
from email.message import Message
from email.parser import BytesParser, HeaderParser
from email.utils import getaddresses, parseaddr
from enum import Enum, auto
from typing import NamedTuple

from games.replies.headers import header_text
from games.replies.reading import beginning_of, is_bounded, parts_of

MOST_RECIPIENTS = 50
_MOST_CHARACTERS = 20_000
_REPORTS = {"message/delivery-status", "message/global-delivery-status"}
_STATUS = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
# In the words of a server, a status follows a reply code, as in "550 5.1.1", or a "#". Other numbers with two
# dots are versions or parts of IP addresses.
_STATUS_IN_WORDS = re.compile(r"(?:\b[45]\d\d[ -]+|#)([45]\.\d{1,3}\.\d{1,3})\b(?!\.\d)")
_REPLY_IN_WORDS = re.compile(r"(?:^|[\s:;])55[0-4]\b(?!\.\d)")
_IS_DELAY = re.compile(r"\b(?:delay|warning|still being|not yet|will be retried)", re.IGNORECASE)
_SERVER = re.compile(r"mailer-?daemon|postmaster|mail-?deliver", re.IGNORECASE)
_ENCODED = re.compile(r"\+([0-9A-F]{2})")

# No such mailbox or domain, a wrong or former address, a domain without emails, or a mailbox that is closed.
_DEAD = re.compile(r"5\.(?:1\.(?:1|2|3|6|10)|2\.1|4\.4)")
# The server refuses the email or its sender, such as for its size or as spam. The address may be right.
_ABOUT_THE_EMAIL = re.compile(r"\d\.(?:1\.[789]|2\.3|3\.4|6\.\d+|7\.\d+)")
# Many servers send no status, or a wrong one, and say it in words.
_VAGUE = re.compile(r"5\.(?:0\.0|1\.0|4\.1|5\.\d+|7\.1)")
_NO_MAILBOX = re.compile(
    r"""no\ such\ (?:user|mailbox|recipient|address)\b
        | \b(?:unknown|invalid)\ (?:user|mailbox|recipient)\b
        | \b(?:user|mailbox|recipient|address|account)\ (?:is\ )?(?:unknown|not\ found|does\ ?n[o'’]t\ exist)
        | \buser\ does\ ?n[o'’]t\ have\ an?\ \S+\ account""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSAL = re.compile(
    r"\b(?:spam|junk|black-?list|block-?list|blocked|reputation|dmarc|spf)"
    r"|\bsender\b.{0,20}(?:denied|refused|rejected|unknown|verif)",
    re.IGNORECASE,
)
_LONGEST_REASON = 1000  # characters; after them, a copy of our email can begin


class Fate(Enum):
    """What a report says about a recipient."""

    DEAD = auto()
    # This email did not arrive. The next one may, such as when the mailbox is not full any more.
    NOT_REACHED = auto()
    # The email arrived, is on its way, or was refused for what it is.
    NOTHING = auto()


class Report(NamedTuple):
    """What a bounce says about one recipient, with all addresses that it names for them in small letters."""

    recipients: frozenset[str]
    fate: Fate
    error: str


def read_reports(raw: bytes) -> Sequence[Report]:
    """Return what a bounce says about its recipients, at most 50; nothing if that is unclear.

    Call it only for emails that `read_reply` ignores as bounces.
    """
    beginning = beginning_of(raw)
    if not is_bounded(beginning):
        return ()
    # Python's email package raises errors of many types for malformed emails.
    try:
        message = BytesParser().parsebytes(beginning)
        parts = list(parts_of(message))
        reports = [part for part in parts if part.get_content_type() in _REPORTS]
        if reports:
            return [_read(block) for part in reports for block in _blocks(part)][:MOST_RECIPIENTS]
        return _read_words(message, parts)
    except Exception:
        return ()


def _blocks(part: Message) -> Iterator[Message]:
    """Yield the blocks of fields in a report that are each about one recipient."""
    content = part.get_payload()
    blocks = [block for block in content if isinstance(block, Message)] if isinstance(content, list) else []
    if part.get_content_type() != "message/delivery-status" or not isinstance(content, list):
        text = "\n".join(block.as_string() for block in blocks) or str(content)
        blocks = [HeaderParser().parsestr(block) for block in re.split(r"\n\s*\n", text[:_MOST_CHARACTERS])]
    yield from (block for block in blocks if "Final-Recipient" in block or "Action" in block)


def _read(block: Message) -> Report:
    diagnosis = _value(header_text(block, "Diagnostic-Code"))
    action = re.split(r"[\s(;]", header_text(block, "Action").lower(), maxsplit=1)[0]
    found = _STATUS.match(header_text(block, "Status"))
    status = found[1] if found else ""
    if status in ("", "5.0.0") and (in_words := _status_in(diagnosis)):
        status = in_words
    final, original = (_value(header_text(block, f"{name}-Recipient")) for name in ("Final", "Original"))
    # RFC 3461 encodes characters such as "+" in the original one.
    decoded = _ENCODED.sub(lambda code: chr(int(code[1], 16)), original)
    recipients = {address.strip("<> ").lower() for address in (final, original, decoded)}
    fate = _fate_of(status, diagnosis) if action in ("failed", "") else Fate.NOTHING
    return Report(frozenset(recipients - {""}), fate, _error(f"{status} {diagnosis}"))


def _read_words(message: Message, parts: Sequence[Message]) -> Sequence[Report]:
    """Return what a bounce without a report for programs says; Exim names the recipients in a field."""
    is_from_server = _SERVER.match(parseaddr(str(message.get("From", "")))[1]) is not None
    if _IS_DELAY.search(header_text(message, "Subject")) or not is_from_server:
        return ()
    text = next((_text(part) for part in parts if part.get_content_maintype() == "text"), "")
    status = _status_in(text)
    named = [address.lower() for _name, address in getaddresses(message.get_all("X-Failed-Recipients", []))]
    if not status and not named:
        return ()
    return [Report(frozenset(named), _fate_of(status, text), _error(text))]


def _fate_of(status: str, words: str) -> Fate:
    if _DEAD.fullmatch(status):
        return Fate.DEAD
    reason = words[:_LONGEST_REASON]
    if _VAGUE.fullmatch(status):
        if _REFUSAL.search(reason):
            return Fate.NOTHING
        if _NO_MAILBOX.search(reason):
            return Fate.DEAD
    if status.startswith("2.") or _ABOUT_THE_EMAIL.fullmatch(status):
        return Fate.NOTHING
    return Fate.NOT_REACHED


def _status_in(words: str) -> str:
    if found := _STATUS_IN_WORDS.search(words):
        return found[1]
    return "5.0.0" if _REPLY_IN_WORDS.search(words) else ""


def _value(field: str) -> str:
    """Return the value of a field without its type, as in "rfc822; ines@example.org"."""
    return field.partition(";")[2].strip() or field.strip()


def _error(words: str) -> str:
    """Return words in one line, without the character that PostgreSQL cannot store."""
    return " ".join(words[:500].replace("\0", " ").split())


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content[:_MOST_CHARACTERS].decode("utf-8", "replace") if isinstance(content, bytes) else ""
