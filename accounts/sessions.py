"""Whether a session is still one of a person, asked from outside their requests."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from accounts.models import User


def is_logged_in(session_key: str, user: User) -> bool:
    """Return whether somebody is logged in as `user` in this session.

    It has ended after a log-out and when it expires, and with the password of `user`.
    """
    stored = import_module(settings.SESSION_ENGINE).SessionStore(session_key).load()
    return stored.get(SESSION_KEY) == str(user.pk) and has_password_of(stored.get(HASH_SESSION_KEY, ""), user)


def has_password_of(mark: str, user: User) -> bool:
    """Return whether the password of `user` is the one for which `User.get_session_auth_hash` gave this."""
    current = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(mark, one) for one in current)
