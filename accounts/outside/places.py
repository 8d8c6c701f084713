"""Requests to servers of users: few at the same time for one server or account, and rests for slow servers.

So a server that does not answer, or an account that has many of them, leaves processes for the others. All
processes count together, in the cache; what Redis forgets is counted again.

The services that most accounts use have more places and no rest, because the limits for each account are
enough for them, and a few slow answers to one person must delay nobody else.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from django.core.cache import cache

# Half of the processes of novaluna-outside.
MOST_AT_ONCE = 2
# The push services of browsers, Discord and Slack.
SHARED = re.compile(
    r"(?i)fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|(?:.+\.)?push\.apple\.com"
    r"|.+\.notify\.windows\.com|(?:(?:canary|ptb)\.)?discord(?:app)?\.com|hooks\.slack(?:-gov)?\.com"
)
MOST_AT_ONCE_SHARED = 20
# Seconds for which a request waits for a place. Most requests take a fraction of one.
WAIT = 3.0
# A place that was not returned, because its process was killed, is free after this time.
LONGEST_USE = 30.0  # seconds
# A request that took longer than this, whatever came of it, is slow.
SLOW = 4.0  # seconds
# A server rests after this many slow requests in a row, for a time that doubles with each further one.
SLOW_IN_A_ROW = 2
FIRST_REST, LONGEST_REST = 60, 15 * 60  # seconds
REMEMBERED = 2 * LONGEST_REST  # seconds for which slow requests count


class NoPlace(Exception):
    """Other requests for this server or account take longer than usual."""


@contextmanager
def place_for(name: str) -> Iterator[None]:
    """Take one of the places of a server or an account until the context ends. Raises NoPlace."""
    most = MOST_AT_ONCE_SHARED if SHARED.fullmatch(name) else MOST_AT_ONCE
    keys = [f"{_key('place', name)}-{number}" for number in range(most)]
    end = time.monotonic() + WAIT
    while not (taken := next((key for key in keys if cache.add(key, True, LONGEST_USE)), "")):
        if time.monotonic() > end:
            raise NoPlace
        time.sleep(0.05)
    try:
        yield
    finally:
        cache.delete(taken)


def is_resting(host: str) -> bool:
    """Return whether a server was slow lately, so that nothing is sent to it for a while."""
    return cache.get(_key("rest", host)) is not None


def note_request(host: str, seconds: float) -> None:
    """Store how long a request to a server took."""
    if SHARED.fullmatch(host):
        return
    slow = _key("slow", host)
    if seconds < SLOW:
        cache.delete(slow)
        return
    in_a_row = (cache.get(slow) or 0) + 1
    cache.set(slow, in_a_row, REMEMBERED)
    if in_a_row >= SLOW_IN_A_ROW:
        rest = min(FIRST_REST * 2 ** min(in_a_row - SLOW_IN_A_ROW, 10), LONGEST_REST)
        cache.set(_key("rest", host), True, rest)


def _key(what: str, name: str) -> str:
    """Return a key of the cache, which allows few characters and limits the length."""
    return f"outside-{what}-{sha256(name.lower().encode()).hexdigest()[:32]}"
