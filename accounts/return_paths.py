"""Envelope senders of emails, to which other mail servers report that an email could not be delivered.

Each names the address of its email and the user, with a signature: a report shows whose email came back, even
if it does not say so itself, and nobody can forge a report about somebody else.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

_SALT = "accounts.return_paths"
# Small letters and digits, because mail servers may change case. With the "reply+" before it and the largest
# numbers, it has 62 of the 64 characters that mail servers accept before the @.
_TOKEN = re.compile(r"b-([0-9a-f]{1,16})-([0-9a-f]{16})-([2-7a-z]{20})")


class ReturnPath(NamedTuple):
    """Whose email came back: the id of a user, 0 without one, and a digest of the address."""

    user: int
    digest: str

    def is_of(self, address: str) -> bool:
        """Return whether the email was sent to this address."""
        return any(self.digest == _digest(address, key) for key in _keys())


def return_path(address: str, user: int = 0) -> str:
    """Return the envelope sender of an email to an address; empty if reports have nowhere to go."""
    if not (settings.REPLY_ADDRESS and settings.RETURN_PATHS):
        return ""
    name, _at, domain = settings.REPLY_ADDRESS.rpartition("@")
    token = _signed(ReturnPath(user, _digest(address, settings.SECRET_KEY)), settings.SECRET_KEY)
    return f"{name}+{token}@{domain}"


def read_return_path(recipient: str) -> ReturnPath | None:
    """Return what an envelope sender of this site names, in upper or lower case; None for other addresses."""
    token = recipient.strip().lower().rpartition("@")[0].partition("+")[2]
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    path = ReturnPath(int(match[1], 16), match[2])
    return path if any(constant_time_compare(token, _signed(path, key)) for key in _keys()) else None


def _keys() -> tuple[str | bytes, ...]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def _digest(address: str, key: str | bytes) -> str:
    return salted_hmac(f"{_SALT}.address", address.lower(), secret=key, algorithm="sha256").hexdigest()[:16]


def _signed(path: ReturnPath, key: str | bytes) -> str:
    value = f"b-{path.user:x}-{path.digest}"
    digest = salted_hmac(_SALT, value, secret=key, algorithm="sha256").digest()
    return f"{value}-{base64.b32encode(digest).decode().lower()[:20]}"
