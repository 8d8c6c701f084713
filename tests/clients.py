"""Django's test clients, logged in, and the headers of htmx."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie

from allauth.account.internal.flows import login
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.db import transaction
from django.test import Client

from accounts.models import User
from games import live
from games.models import Game
from games.views.game.drawing import draw_board
from novaluna_site.streams import request_for_part

HTMX = {"HX-Request": "true"}


def client_of(user: User) -> Client:
    """Return a new client that is logged in as `user`; staff and moderators with a second factor."""
    client = Client()
    client.force_login(user)
    if user.is_staff or user.moderates:
        prove_second_factor(client, user)
    return client


@contextmanager
def without_trace(client: Client) -> Iterator[None]:
    """Undo what requests of a client change: rows, and its cookies, such as at the end of its session."""
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)


def drawn_for(
    client: Client, game: Game, user: User, *, token: str = 32 * "c", since: int | None = None
) -> live.Drawn | None:
    """Return the board that a page of `user` gets in its stream, with the cookies of a client.

    `since` is the version that the page shows.
    """
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
    headers = [(b"cookie", f"{cookies}; csrftoken={token}".encode()), (b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    return draw_board(request_for_part(scope, game.get_absolute_url()), game.key, user.pk, since)


def add_second_factor(user: User) -> Authenticator:
    """Return the authenticator app of a user, who gets one if there is none."""
    app, _is_new = Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": generate_totp_secret()}}
    )
    return app


def prove_second_factor(client: Client, user: User) -> None:
    """Let the client be one in which `user` has proved an authenticator app."""
    app = add_second_factor(user)
    proof = {"method": "mfa", "id": app.pk, "type": app.type, "at": time.time()}
    session = client.session
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [proof]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session.save()


def without_marks(page: str) -> str:
    """Return a page without the marks that keep names in sentences out of translations."""
    return re.sub(r'<span translate="no">(.*?)</span>', r"\1", page)


def confirm_password(client: Client) -> None:
    """Enter the password of a test's person once more, as pages ask before somebody changes the account."""
    answer = client.post("/account/reauthenticate/", {"password": "moon-and-stars-17"})
    assert answer.status_code == 302, answer.text
