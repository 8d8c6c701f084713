"""Who has which game open: a visible page of it, seen by stream or poll within the last minute.

Kept in the cache, for it may be lost: then a mail is sent that was not needed.
"""

from django.core.cache import cache

SECONDS = 60


def mark(key: str, user_id: int) -> None:
    """Note that this person sees a page of the game `key` now."""
    cache.set(_name(key, user_id), True, timeout=SECONDS)


def is_here(key: str, user_id: int) -> bool:
    """Whether this person has seen a page of the game `key` within the last minute."""
    return cache.get(_name(key, user_id)) is not None


def _name(key: str, user_id: int) -> str:
    return f"here:{key}:{user_id}"
