"""Django's test clients, logged in, and the headers of htmx."""

import re

from django.test import Client

from accounts.models import User

HTMX = {"HX-Request": "true"}


def client_of(user: User) -> Client:
    """Return a new client that is logged in as `user`."""
    client = Client()
    client.force_login(user)
    return client


def without_marks(page: str) -> str:
    """Return a page without the marks that keep names in sentences out of translations."""
    return re.sub(r'<span translate="no">(.*?)</span>', r"\1", page)
