"""How the site proves to push servers that it has sent a message (RFC 8292), and whom they can write to."""

import time
from collections.abc import Sequence
from email.utils import parseaddr
from functools import lru_cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

KEY_LENGTH = 32  # bytes
LIFETIME = 12 * 60 * 60  # of a token, in seconds; push servers refuse one of more than a day
# Nobody can have an address at a name that ends like these (RFC 2606, RFC 6761, RFC 6762).
NOT_PUBLIC = ("localhost", "local", "internal", "invalid", "test", "localdomain")


def public_key() -> str:
    """Return the key with which browsers ask for push messages; empty if the site sends none."""
    return _public_key(settings.PUSH_KEY) if settings.PUSH_KEY else ""


@lru_cache(maxsize=2)
def _public_key(key: str) -> str:
    public = Vapid02.from_raw(key.encode()).public_key
    return str(b64urlencode(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))


def authorization(endpoint: str) -> dict[str, str]:
    """Return the header that proves to the push server of an endpoint that the site sends the message."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + LIFETIME,
        "sub": contact(),
    }
    signed: dict[str, str] = Vapid02.from_raw(settings.PUSH_KEY.encode()).sign(claims)
    return signed


def contact() -> str:
    """Return where push servers can reach the owner: the address of the site's emails, or the site itself.

    Some refuse messages from a site whose contact is at no public name.
    """
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    is_site = not _is_public(address.rpartition("@")[2]) and settings.SITE_URL.startswith("https://")
    return f"{settings.SITE_URL}/" if is_site else f"mailto:{address}"


def _is_public(name: str) -> bool:
    """Return whether a server name can be one that everybody reaches."""
    name = name.lower().strip("[]").rstrip(".")
    try:
        return ip_address(name.removeprefix("ipv6:")).is_global
    except ValueError:
        labels = name.split(".")
        return len(labels) > 1 and all(labels) and labels[-1] not in NOT_PUBLIC


def _is_key(key: str) -> bool:
    try:
        return len(b64urldecode(key.encode())) == KEY_LENGTH and bool(_public_key(key))
    except ValueError:
        return False


@register(Tags.security, deploy=True)
def check_push(**_options: Any) -> Sequence[CheckMessage]:
    """Report a key that signs nothing, and a contact that push servers refuse."""
    if not settings.PUSH_KEY:
        return []
    if not _is_key(settings.PUSH_KEY):
        return [
            Error(
                "NOVALUNA_PUSH_KEY is no key for push messages.",
                hint="Set it to the line that `manage.py make_push_keys` prints.",
                id="accounts.E001",
            )
        ]
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if _is_public(address.rpartition("@")[2]):
        return []
    return [
        Error(
            f"Push messages name {address or 'nobody'} as the contact of the site. "
            "This is no public address, so some push servers refuse them.",
            hint="Set DEFAULT_FROM_EMAIL to an address of the site, such as moon@nova-luna.example.",
            id="accounts.E002",
        )
    ]
