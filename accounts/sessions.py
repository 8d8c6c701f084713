"""Sessions: how they are read, and whether one is still of a person, asked from outside their requests."""

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.database.statements import Statement
from accounts.models import User

_sessions = Statement(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now))


class SessionStore(db.SessionStore):
    """A session that is read by a statement which is written once.

    Its name must be that of Django's class, because the name salts the signatures of stored sessions.
    """

    def _get_session_from_db(self) -> Session | None:
        found = next(iter(_sessions.rows(self.session_key, timezone.now())), None)
        if found is None:
            self._session_key = None
        return found


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
