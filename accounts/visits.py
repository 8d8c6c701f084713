"""Where a user is logged in: for each session its browser, coarse network, place of the clock and last visit.

The rows are allauth's. No other service is asked about an address.
"""

from ipaddress import ip_address, ip_network
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.core.internal.httpkit import HTTP_USER_AGENT_MAX_LENGTH
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.clock import device_zone_of
from accounts.models import User
from accounts.sessions import SessionStore

STORED_EVERY = 15 * 60  # seconds
# The first name that a browser's description contains; many contain those of others.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Vivaldi": "Vivaldi",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}
KEPT_BITS = {4: 24, 6: 48}
UNKNOWN = "::"


def coarse(address: str) -> str:
    """Return the first address of the network, of a size at which it names no household; else UNKNOWN.

    >>> coarse("192.0.2.77"), coarse("2001:db8:1:2::9"), coarse("")
    ('192.0.2.0', '2001:db8:1::', '::')
    """
    try:
        bits = KEPT_BITS[ip_address(address).version]
    except ValueError:
        return UNKNOWN
    return str(ip_network(f"{address}/{bits}", strict=False).network_address)


def browser_of(user_agent: str) -> str:
    """Return the browser and the system in words, from how the browser describes itself.

    >>> browser_of("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0")
    'Edge on Windows'
    >>> browser_of("curl/8.5")
    'Unknown browser'
    """
    browser = next((name for part, name in BROWSERS.items() if part in user_agent), "")
    system = next((name for part, name in SYSTEMS.items() if part in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown browser")


def place_of(session: UserSession) -> str:
    """Return the place of the device's clock, such as Berlin; empty if it is unknown."""
    zone: str = session.data.get("zone", "")
    return zone.rpartition("/")[2].replace("_", " ")


def in_words(network: str) -> str:
    """Return a network of `coarse` for a page, such as 192.0.2.…; empty if it is unknown.

    >>> in_words("192.0.2.0"), in_words("2001:db8:1::"), in_words(UNKNOWN)
    ('192.0.2.…', '2001:db8:1:…', '')
    """
    if network == UNKNOWN:
        return ""
    return f"{network.removesuffix('.0')}.…" if "." in network else f"{network.removesuffix(':')}…"


def note(request: HttpRequest) -> None:
    """Store a visit, at most every quarter of an hour, and extend the session.

    Pages show even while nothing can be stored.
    """
    key = request.session.session_key
    if key and cache.add(f"visit:{key}", True, STORED_EVERY):
        try:
            with transaction.atomic():
                _store(request, request.user)
            cast(SessionStore, request.session).extend()
        except DatabaseError:
            cache.delete(f"visit:{key}")


@receiver(user_logged_in)
def note_log_in(request: HttpRequest, user: User, **_signal: object) -> None:
    """Store the new session, saved first: allauth deletes rows of sessions in which nobody is logged in."""
    request.session.save()
    cache.set(f"visit:{request.session.session_key}", True, STORED_EVERY)
    _store(request, user)


@receiver(pre_save, sender=UserSession)
def coarsen(instance: UserSession, **_signal: object) -> None:
    """Store only what `coarse` keeps of an address, also when allauth stores it."""
    instance.ip = coarse(instance.ip)


def address_of(request: HttpRequest) -> str:
    """Return the IP address of a request; UNKNOWN if the server gave none."""
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return UNKNOWN


def user_agent_of(request: HttpRequest) -> str:
    """Return how the browser describes itself, as far as it is stored."""
    return request.headers.get("User-Agent", "")[:HTTP_USER_AGENT_MAX_LENGTH]


def _store(request: HttpRequest, user: Any) -> None:
    UserSession.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "ip": address_of(request),
            "user_agent": user_agent_of(request),
            "last_seen_at": timezone.now(),
            "data": {"zone": device_zone_of(request)},
        },
    )
