"""Passwords: how they are hashed, whose account a username or address is, and tokens for new ones."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import get_user_by_username
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db.models import Q
from django.http import HttpRequest

from accounts import known_browsers
from accounts.database.statements import Statement
from accounts.models import User


class Hasher(Argon2PasswordHasher):
    """Argon2 with the cost that OWASP's password storage cheat sheet recommends: 19 MiB, 2 passes."""

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1


class ResetTokens(PasswordResetTokenGenerator):
    """Makes the same tokens as allauth's generator, which checks them, and stores no address.

    So it can make one for a user who does not exist.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        emails = set(EmailAddress.objects.filter(user_id=user.pk).values_list("email", flat=True))
        return super()._make_hash_value(user, timestamp) + "|".join(sorted({user.email, *emails} - {""}))


class Backend(AuthenticationBackend):
    """Logs in by username or address.

    An address belongs to the account that has confirmed it. In a browser in which somebody has logged in,
    it is also their main one without that.

    It hashes one password for each attempt, or two if the first belongs to such an account. If it did more
    or less for a known address than for an unknown one, the time would show which addresses have accounts.
    There is one exception: checking an older hash (PBKDF2) takes several times as long, so until its user
    logs in again, the time shows that account.
    """

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session, unless they may not log in."""
        user = next(iter(_users.rows(user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None

    def _authenticate(
        self,
        request: HttpRequest | None,
        *,
        password: str,
        username: str = "",
        email: str = "",
        **_other: Any,
    ) -> AbstractBaseUser | None:
        if user := get_user_by_username(username) if username else None:
            return self._check_password(user, password)
        address = (email or username).lower()
        holder = _holder_of(address)
        here = known_browsers.user_of(request, address) if request else None
        if here is None or here == holder:
            return self._check_password(holder, password)
        found = self._check_password(here, password)
        if found is None and holder is None:
            self._mitigate_timing_attack(password)
        return found or self._check_password(holder, password)


_users = Statement(lambda user: User.objects.filter(pk=user))


def _holder_of(address: str) -> User | None:
    """Return the user who has confirmed the address, or the one to whom staff or older versions gave it."""
    if not address:
        return None
    is_confirmed = Q(pk__in=EmailAddress.objects.filter(email=address, verified=True).values("user"))
    users = User.objects.filter(is_confirmed | Q(email=address)).annotate(is_confirmed=is_confirmed)
    return users.order_by("-is_confirmed", "pk").first()
