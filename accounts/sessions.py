"""Sessions: how they are read, and whether one is still of a person, asked from outside their requests."""

from datetime import datetime, timedelta

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.database.statements import Statement
from accounts.models import User

# An extension is a write.
EXTENDED_EVERY = timedelta(days=1)

_sessions = Statement(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now))


class SessionStore(db.SessionStore):
    """A session that is read by a statement which is written once.

    It has the name of Django's class, because the name salts the signatures of stored sessions.
    """

    _expires_at: datetime | None = None  # None while it is new

    def _get_session_from_db(self) -> Session | None:
        found = next(iter(_sessions.rows(self.session_key, timezone.now())), None)
        if found is None:
            self._session_key = None
        else:
            self._expires_at = found.expire_date
        return found

    def extend(self) -> None:
        """Let this session last as long as a new one, if that is more than a day longer."""
        full = timezone.now() + timedelta(seconds=self.get_expiry_age())
        if self._expires_at and full - self._expires_at > EXTENDED_EVERY:
            self.modified = True  # So the answer stores it, and sends the cookie again.


def is_logged_in(session_key: str, user: User) -> bool:
    """Return whether somebody is logged in as `user` in this session.

    It has ended after a log-out and when it expires, and with the password of `user`.
    """
    stored = SessionStore(session_key).load()
    return stored.get(SESSION_KEY) == str(user.pk) and has_password_of(stored.get(HASH_SESSION_KEY, ""), user)


def has_password_of(mark: str, user: User) -> bool:
    """Return whether the password of `user` is the one for which `User.get_session_auth_hash` gave this."""
    current = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(mark, one) for one in current)
