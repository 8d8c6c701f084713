"""Recognises emails that no person wrote. They are ignored and never answered, so that no loop can begin."""

import re
from email.message import Message
from email.utils import parseaddr
from enum import StrEnum

from games.replies.headers import header_text

# A person's email passes through ten servers or fewer.
MOST_SERVERS = 40

_AUTOMATIC_HEADERS = (
    "X-Autoreply",
    "X-Auto-Reply",
    "X-Autoreply-From",
    "X-Autorespond",
    "X-Autoresponder",
    "X-Auto-Response-From",
    "X-Mail-Autoreply",
    "X-Vacation",
)
_LIST_HEADERS = ("List-Id", "List-Post", "List-Unsubscribe", "X-Mailing-List", "Mailing-List", "X-BeenThere")
_BOUNCE_HEADERS = ("X-Failed-Recipients", "X-MS-Exchange-Message-Is-Ndr", "X-BounceMessage")
_BOUNCE_TYPES = {
    "multipart/report",
    "message/delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
}
_PROGRAMS = re.compile(
    r"(?:mailer-?daemon|postmaster|mail-?delivery.*|(?:do-?)?no-?t?-?reply|bounces?)(?:[+=].*)?",
    re.IGNORECASE,
)
# Some servers and phones send no header that says so.
_AUTOMATIC_SUBJECT = re.compile(
    r"""\s*(?:
        auto(?:matic|mated)?[ -]?(?:reply|response) | out\ of\ (?:the\ )?office | (?:on\ )?vacation\b
        | (?:automatische\ (?:antwort|beantwortung) | abwesenheit(?:snotiz|sassistent|snachricht)?)\b
        | r.{1,2}ponse\ automatique | absen(?:ce|t)(?:\ du\ bureau)?\ ?:
        | respuesta\ automática | risposta\ automatica | automatisch\ antwoord | autosvar
        | un(?:deliver(?:able|ed)|zustellbar) | non[ -]remis | delivery\ (?:status\ notification|failure)
        | (?:mail|message)\ deliver(?:y|ed)?.*fail | returned\ mail | failure\ notice | .{1,2}chec\ de
        | read: | gelesen: | lu\ ?:
    )""",
    re.IGNORECASE | re.VERBOSE,
)


class WhyIgnored(StrEnum):
    """Why an email is ignored."""

    AUTOMATIC = "automatic reply"
    BOUNCE = "bounce"
    LIST = "mailing list"
    LOOP = "loop"
    UNREADABLE = "unreadable"


class Ignored(Exception):
    """No person wrote this email, or it cannot be read. It must get no answer."""

    def __init__(self, why: WhyIgnored) -> None:
        super().__init__(str(why))
        self.why = why


def why_ignored(message: Message, envelope_sender: str | None) -> WhyIgnored | None:
    """Return why an email must be ignored; None if a person probably wrote it.

    `envelope_sender` is the sender's address in SMTP; None if it is not known. See RFC 3834 and RFC 5230.
    """
    if len(message.get_all("Received", [])) > MOST_SERVERS:
        return WhyIgnored.LOOP
    if _is_bounce(message, envelope_sender):
        return WhyIgnored.BOUNCE
    if any(name in message for name in _LIST_HEADERS) or _value(message, "Precedence") in {"list", "bulk"}:
        return WhyIgnored.LIST
    return WhyIgnored.AUTOMATIC if _is_automatic(message) else None


def _is_bounce(message: Message, envelope_sender: str | None) -> bool:
    senders = [str(value).strip() for value in message.get_all("Return-Path", [])]
    if envelope_sender is not None:
        senders.append(envelope_sender.strip())
    return (
        any(sender in ("", "<>") for sender in senders)
        or message.get_content_type() in _BOUNCE_TYPES
        or any(name in message for name in _BOUNCE_HEADERS)
        or _is_program(_value(message, "From"))
    )


def _is_automatic(message: Message) -> bool:
    suppressed = {word.strip() for word in _value(message, "X-Auto-Response-Suppress").split(",")}
    return (
        _value(message, "Auto-Submitted").partition(";")[0].strip() not in ("", "no")
        or _value(message, "Precedence") in {"auto_reply", "junk"}
        # Exchange puts this into its own automatic replies, so that they get none.
        or bool(suppressed & {"all", "oof", "autoreply"})
        or any(_value(message, name) not in ("", "no") for name in _AUTOMATIC_HEADERS)
        or _AUTOMATIC_SUBJECT.match(_value(message, "Subject")) is not None
    )


def _is_program(sender: str) -> bool:
    return _PROGRAMS.fullmatch(parseaddr(sender)[1].partition("@")[0]) is not None


def _value(message: Message, name: str) -> str:
    return header_text(message, name).lower()
