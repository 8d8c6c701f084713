"""Browsers in which a user has logged in: there, other people's wrong passwords do not lock the user out."""

from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponseBase

from accounts.addresses import main_address
from accounts.models import User

COOKIE = "known_browser"
COOKIE_AGE = timedelta(days=365)


def remember(response: HttpResponseBase, user: User) -> None:
    """Mark the browser that gets this response as one in which `user` has logged in.

    The cookie is no longer valid when the password has changed.
    """
    response.set_cookie(
        COOKIE,
        _signer(user).sign(str(user.pk)),
        max_age=COOKIE_AGE,
        path="/account/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_known(request: HttpRequest, login: str) -> bool:
    """Return whether the user with this username or main address has logged in with this browser."""
    return user_of(request, login) is not None


def user_of(request: HttpRequest, login: str) -> User | None:
    """Return the user with this username or main address if they were the last who logged in here."""
    cookie = request.COOKIES.get(COOKIE, "")
    pk = cookie.partition(":")[0]
    user = User.objects.filter(pk=pk).first() if pk.isdecimal() and len(pk) < 19 else None
    if user is None or login.lower() not in (user.username.lower(), main_address(user)):
        return None
    try:
        _signer(user).unsign(cookie)
    except BadSignature:
        return None
    return user


def _signer(user: User) -> Signer:
    return Signer(salt=f"accounts.known_browsers:{user.get_session_auth_hash()}")
