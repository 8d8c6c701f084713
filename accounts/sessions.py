"""Sessions: how they are read, and whether one is still of a person, asked from outside their requests."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.database.statements import Statement
from accounts.models import User

# An extension is a write.
EXTENDED_EVERY = timedelta(days=1)

# The key of a session, and the id of the user who is logged in there.
LogIn = tuple[str | None, int]

# Sent with the argument `user_id` when a person ends a session, here or from another browser.
ended = Signal()

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

    def delete(self, session_key: str | None = None) -> None:
        """Delete a session, by default this one."""
        key = session_key or self.session_key
        user_id = SessionStore(key).load().get(SESSION_KEY) if key else None
        super().delete(session_key)
        if user_id is not None:
            ended.send(SessionStore, user_id=int(user_id))

    def extend(self) -> None:
        """Let this session last as long as a new one, if that is more than a day longer."""
        full = timezone.now() + timedelta(seconds=self.get_expiry_age())
        if self._expires_at and full - self._expires_at > EXTENDED_EVERY:
            self.modified = True  # So the answer stores it, and sends the cookie again.


def is_logged_in(session_key: str, user: User) -> bool:
    """Return whether somebody is logged in as `user` in this session.

    It has ended after a log-out and when it expires, and with the password of `user`.
    """
    return _is_of(SessionStore(session_key).load(), user)


def lasting(log_ins: Collection[LogIn]) -> set[LogIn]:
    """Return which of these log-ins have not ended: by `is_logged_in`, of users who may use the site now.

    It takes two queries for all of them.
    """
    users = User.objects.filter(pk__in={user for _key, user in log_ins}, is_active=True).in_bulk()
    rows = Session.objects.filter(
        session_key__in={key for key, _user in log_ins}, expire_date__gt=timezone.now()
    )
    stored: dict[str | None, Any] = {row.session_key: SessionStore().decode(row.session_data) for row in rows}
    return {
        (key, pk)
        for key, pk in log_ins
        if pk in users and not users[pk].is_suspended and _is_of(stored.get(key, {}), users[pk])
    }


def _is_of(stored: Mapping[str, Any], user: User) -> bool:
    return stored.get(SESSION_KEY) == str(user.pk) and has_password_of(stored.get(HASH_SESSION_KEY, ""), user)


def has_password_of(mark: str, user: User) -> bool:
    """Return whether the password of `user` is the one for which `User.get_session_auth_hash` gave this."""
    current = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(mark, one) for one in current)
