"""What the site writes to its log."""

import json
import logging
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from accounts.database.errors import is_away, is_unable_to_store
from novaluna_site import request_ids

# What follows these opens something for everybody who knows it, and may hold an email address.
BEFORE_SECRETS = (
    "account/confirm-email",
    "account/export",
    "account/guest-code",
    "account/keep",
    "account/password/reset/key",
    "account/turn-mails/off",
    "account/undo",
    "feeds",
    "invitations",
    "move",
    "seats",
)
_SECRETS = re.compile(rf"(/(?:{'|'.join(BEFORE_SECRETS)})/)\s*\S+")


def config(style: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: messages of this level and above go to the console, "plain" or as "json"."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {"()": Lines},
            "json": {"()": JsonLines},
        },
        "filters": {"short_failures": {"()": ShortFailures}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": style, "filters": ["short_failures"]}
        },
        "root": {"handlers": ["console"], "level": level},
    }


class ShortFailures(logging.Filter):
    """Drops the tracebacks of failures that fill the log and whose reason one line says.

    Anybody can send requests that are refused with a 4xx status. While the database is away or its disk is
    full, every task fails.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status: int = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
        error = record.exc_info[1] if record.exc_info else None
        if is_away(error) or is_unable_to_store(error):
            words = record.getMessage()
            reason = "" if str(error) in words else f": {error}"
            record.msg, record.args = " ".join(f"{words}{reason}".split()), ()
            record.exc_info = None
        elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = None
        return True


def without_secrets(text: str) -> str:
    """Return a text of the log, in which each address of a page ends before its secret.

    >>> without_secrets("Not Found: /account/undo/ImE6Mg:1vQ/ again")
    'Not Found: /account/undo/… again'
    """
    return _SECRETS.sub(r"\1…", text)


class Lines(logging.Formatter):
    """Writes each message as a line to read, and below it the error if there was one."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """Writes each message as one line of JSON, with the id of its request."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a message. Its fields without a value are left out."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "request": request_ids.current.get(),
            "status": getattr(record, "status_code", None),
            "exception": without_secrets(self.formatException(record.exc_info)) if record.exc_info else "",
            "process": record.process,
        }
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)
