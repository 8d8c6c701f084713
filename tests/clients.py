"""Django's test clients, logged in, and the headers of htmx."""

import re

from allauth.account.internal.flows import login
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.test import Client

from accounts.models import User

HTMX = {"HX-Request": "true"}


def client_of(user: User) -> Client:
    """Return a new client that is logged in as `user`; staff with a second factor, as the admin demands."""
    client = Client()
    client.force_login(user)
    if user.is_staff:
        prove_second_factor(client, user)
    return client


def prove_second_factor(client: Client, user: User) -> None:
    """Let the client be one in which `user` has proved an authenticator app."""
    app, _is_new = Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": generate_totp_secret()}}
    )
    session = client.session
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "id": app.pk, "type": app.type}]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session.save()


def without_marks(page: str) -> str:
    """Return a page without the marks that keep names in sentences out of translations."""
    return re.sub(r'<span translate="no">(.*?)</span>', r"\1", page)


def confirm_password(client: Client) -> None:
    """Enter the password of a test's person once more, as pages ask before somebody changes the account."""
    answer = client.post("/account/reauthenticate/", {"password": "moon-and-stars-17"})
    assert answer.status_code == 302
