"""The server at which people can log in too, by OpenID Connect, if the host names one.

Without NOVALUNA_LOGIN_PROVIDER, none of this is installed, imported, routed or stored.
"""

from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

APPS = ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
# Packages that `make install-social` installs, and others do not.
PACKAGES = ("jwt", "oauthlib", "requests")


class LoginProvider(NamedTuple):
    """What the variables say: the name on buttons, the server, what it calls this site, and the key."""

    name: str
    server: str
    client: str
    secret: str
    origins: list[str]

    @property
    def id(self) -> str:
        """A name for addresses and rows. Another server has another one: its people are other people.

        >>> LoginProvider("Club", "https://login.example/realms/club", "luna", "", []).id
        'login.example-realms-club'
        """
        return self.server.partition("://")[2].replace("/", "-").replace(":", "-")


def provider_of(env: environ.Env) -> LoginProvider | None:
    """Return the provider that the variables name; raise ImproperlyConfigured if one is missing or wrong."""
    name = env.str("NOVALUNA_LOGIN_PROVIDER", default="")
    if not name:
        return None
    if missing := [package for package in PACKAGES if find_spec(package) is None]:
        raise ImproperlyConfigured(f"{missing[0]} is missing. Run `make install-social`.")
    server = env.str("NOVALUNA_LOGIN_SERVER").rstrip("/")
    parts = urlsplit(server)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        # The answers of the server are trusted because they come from there.
        raise ImproperlyConfigured("NOVALUNA_LOGIN_SERVER must begin with https://.")
    origins = env.list("NOVALUNA_LOGIN_ORIGINS", default=[f"{parts.scheme}://{parts.netloc}"])
    client, secret = env.str("NOVALUNA_LOGIN_CLIENT"), env.str("NOVALUNA_LOGIN_SECRET")
    return LoginProvider(name, server, client, secret, origins)


def settings_of(provider: LoginProvider) -> dict[str, Any]:
    """Return the settings of allauth for a provider."""
    app = {
        "provider_id": provider.id,
        "name": provider.name,
        "client_id": provider.client,
        "secret": provider.secret,
        "settings": {"server_url": provider.server},
    }
    return {
        "SOCIALACCOUNT_ADAPTER": "accounts.provider_log_ins.Adapter",
        "SOCIALACCOUNT_PROVIDERS": {
            "openid_connect": {"APP": app, "SCOPE": ["openid", "email"], "OAUTH_PKCE_ENABLED": True}
        },
        # People choose their name.
        "SOCIALACCOUNT_AUTO_SIGNUP": False,
        # An address that somebody has elsewhere opens no account here.
        "SOCIALACCOUNT_EMAIL_AUTHENTICATION": False,
    }
