"""Requests to addresses that users have typed, such as webhooks: https to public servers only, and bounded.

The name is looked up once, and the connection goes to an address that was checked. So a name server that
answers differently the second time (DNS rebinding) changes nothing.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from time import monotonic
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.http import parse_http_date_safe
from django.utils.translation import gettext as _

from accounts.outside import places

PORTS = (443, 8443)
LONGEST_URL = 1000
LONGEST_REQUEST = 8.0  # seconds, from the look-up of the name to the last byte of the answer
LARGEST_ANSWER = 64_000  # bytes; the rest is not read
A_DAY = 24 * 60 * 60  # seconds
# Public IPv6 addresses are in this network, except for those that lead to an IPv4 address or to no server.
PUBLIC_IPV6 = ip_network("2000::/3")
NOT_PUBLIC = [
    ip_network(one) for one in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20")
]


class Forbidden(Exception):
    """The site sends nothing to this address."""


class NoAnswer(Exception):
    """The server can't be reached, or its answer was late, damaged or not HTTP."""


class NotTried(NoAnswer):
    """Nothing was sent, because the server was slow lately. So this says nothing about the address."""


class Occupied(NotTried):
    """Nothing was sent, because other requests to this server take longer than usual."""


@dataclass(frozen=True)
class Answer:
    """What a server answered. Redirects are answers too: nobody follows them.

    `retry_after` is the shortest pause before the next request that the server asks for.
    """

    status: int
    body: bytes
    retry_after: timedelta = timedelta(0)

    @property
    def is_good(self) -> bool:
        """Whether the server accepted the request."""
        return 200 <= self.status < 300


@dataclass(frozen=True)
class Target:
    """The parts of an address."""

    is_secure: bool
    host: str
    port: int
    path: str


def read_url(url: str) -> Target:
    """Return the parts of an address to which the site may send. Raises Forbidden.

    A name that leads to a private address is found out when something is sent.
    """
    if (
        len(url) > LONGEST_URL
        or not url.isascii()
        or not url.isprintable()
        or any(c in url for c in ' \\"<>')
    ):
        raise Forbidden(_("This is not a web address."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise Forbidden(_("This is not a web address.")) from error
    if not host or parts.username is not None or parts.password is not None:
        raise Forbidden(_("The address needs a server, and no name or password."))
    is_local = settings.OUTGOING_TO_LOOPBACK and host in ("127.0.0.1", "localhost", "::1")
    if parts.scheme != "https" and not (is_local and parts.scheme == "http"):
        raise Forbidden(_("The address must begin with https://."))
    port = port or (443 if parts.scheme == "https" else 80)
    if port not in PORTS and not is_local:
        raise Forbidden(_("The port must be 443 or 8443."))
    _check_literal(host)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port, path)


def _check_literal(host: str) -> None:
    """Raise Forbidden if `host` is an IP address that is not public."""
    try:
        address = ip_address(host)
    except ValueError:
        return
    if not is_allowed(address):
        raise Forbidden(_("The address is not public."))


def is_allowed(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the site may connect to an IP address: public ones, and loopback if a setting allows."""
    if address.is_loopback:
        return settings.OUTGOING_TO_LOOPBACK
    if any(address in network for network in NOT_PUBLIC if network.version == address.version):
        return False
    if isinstance(address, IPv6Address) and address not in PUBLIC_IPV6:
        return False
    return address.is_global and not address.is_multicast


def send(method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a request and return the answer. Raises Forbidden and NoAnswer, also NotTried."""
    target = read_url(url)
    try:
        with places.place_for(target.host):
            # Not before the wait for a place, because a slow request may have ended meanwhile.
            if places.is_resting(target.host):
                raise NotTried(_("This server answers slowly, so messages to it wait for some minutes."))
            start = monotonic()
            try:
                return _send(target, method, body, headers, start + LONGEST_REQUEST)
            finally:
                places.note_request(target.host, monotonic() - start)
    except places.NoPlace as error:
        raise Occupied(_("Other messages to this server are being sent.")) from error


def _send(target: Target, method: str, body: bytes, headers: Mapping[str, str], end: float) -> Answer:
    try:
        with _connected(target, end) as connection:
            connection.request(method, target.path, body, dict(headers))
            response = connection.getresponse()
            retry_after = read_retry_after(response.getheader("Retry-After", ""), timezone.now())
            return Answer(response.status, response.read(LARGEST_ANSWER), retry_after)
    except (OSError, HTTPException, ValueError) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}"[:300]) from error


def read_retry_after(value: str, now: datetime) -> timedelta:
    """Return the pause for which a Retry-After header asks, at most a day; none for one that is damaged.

    It has seconds or a date (RFC 9110, section 10.2.3); Discord also sends fractions of seconds.

    >>> from datetime import UTC
    >>> read_retry_after("1.5", datetime(2026, 1, 1, tzinfo=UTC))
    datetime.timedelta(seconds=1, microseconds=500000)
    >>> read_retry_after("Thu, 01 Jan 2026 00:02:00 GMT", datetime(2026, 1, 1, tzinfo=UTC))
    datetime.timedelta(seconds=120)
    """
    try:
        seconds = float(value)
    except ValueError:
        date = parse_http_date_safe(value)
        seconds = date - now.timestamp() if date is not None else 0
    # The comparison is false for "nan" too.
    return timedelta(seconds=min(seconds, A_DAY)) if seconds > 0 else timedelta(0)


@contextmanager
def _connected(target: Target, end: float) -> Iterator[HTTPConnection]:
    """Yield a connection to a checked address, which is cut at `end`."""
    sock = _open_socket(_look_up(target, end), end)
    if target.is_secure:
        sock = ssl.create_default_context().wrap_socket(
            sock, server_hostname=target.host, do_handshake_on_connect=False
        )
    # The time limit of a socket is for each read, and a server can send a byte at a time. The base class's
    # `shutdown` leaves the TLS object alone, which another thread is using.
    cut = Timer(max(end - monotonic(), 0), socket.socket.shutdown, (sock, socket.SHUT_RDWR))
    cut.daemon = True
    connection = (HTTPSConnection if target.is_secure else HTTPConnection)(target.host, target.port)
    connection.sock = sock
    cut.start()
    try:
        if isinstance(sock, ssl.SSLSocket):
            sock.do_handshake()
        yield connection
    finally:
        cut.cancel()
        sock.close()


def _look_up(target: Target, end: float) -> list[tuple[str, int]]:
    """Return the public addresses of a server. Raises Forbidden if it has none, and OSError."""
    # getaddrinfo has no time limit, so it runs in a thread that is left behind if it takes too long.
    pool = ThreadPoolExecutor(1)
    try:
        found = pool.submit(socket.getaddrinfo, target.host, target.port, type=socket.SOCK_STREAM)
        rows = found.result(timeout=max(end - monotonic(), 0))
    except FutureTimeout as error:
        raise TimeoutError("The look-up of the name took too long.") from error
    finally:
        pool.shutdown(wait=False)
    addresses = dict.fromkeys(str(row[4][0]) for row in rows)
    public = [one for one in addresses if is_allowed(ip_address(one.partition("%")[0]))]
    if not public:
        raise Forbidden(_("The address is not public."))
    return [(one, target.port) for one in public]


def _open_socket(addresses: list[tuple[str, int]], end: float) -> socket.socket:
    """Return a connection to the first of these addresses that accepts one. Raises OSError."""
    *others, last = addresses
    for address in others:
        try:
            return socket.create_connection(address, timeout=_seconds_until(end) / 2)
        except OSError:
            continue
    return socket.create_connection(last, timeout=_seconds_until(end))


def _seconds_until(end: float) -> float:
    """Return the time that is left. Raises TimeoutError if none is."""
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError("The request took too long.")
    return left
