"""How sessions are ended from another browser: each is a line in the log of the account."""

from collections.abc import Iterable

from allauth.core import context
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession

from accounts import security_log


class Adapter(DefaultUserSessionsAdapter):
    """allauth's adapter, which also stores what has happened."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """End sessions of the person who requests it."""
        for session in sessions:
            session.end()
            security_log.session_ended(context.request, session)
