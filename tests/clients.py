"""Django's test clients, logged in, and the headers of htmx."""

from django.test import Client

from accounts.models import User

HTMX = {"HX-Request": "true"}


def client_of(user: User) -> Client:
    """Return a new client that is logged in as `user`."""
    client = Client()
    client.force_login(user)
    return client
