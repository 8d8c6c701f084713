"""A server of OpenID Connect on loopback, at which one person is logged in already."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt

CLIENT = "nova-luna"
KEY = "a-key-that-only-the-stub-and-the-tests-know"


class Provider(ThreadingHTTPServer):
    """Says `claims` about whoever comes; `fails` with status 500 at the address that exchanges the code."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.claims: dict[str, object] = {}
        self.fails = False
        self.verifier = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        url = self.server.url
        if self.path == "/userinfo":
            assert self.headers["Authorization"] == "Bearer token"
            return self._answer(self.server.claims)
        assert self.path == "/.well-known/openid-configuration"
        return self._answer(
            {
                "issuer": url,
                "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token",
                "userinfo_endpoint": f"{url}/userinfo",
                "jwks_uri": f"{url}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            }
        )

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        assert self.path == "/token"
        assert (
            self.headers["Authorization"] == f"Basic {base64.b64encode(f'{CLIENT}:{KEY}'.encode()).decode()}"
        )
        self.server.verifier = fields["code_verifier"][0]
        token = {"iss": self.server.url, "aud": CLIENT, "iat": 1, "exp": 9_999_999_999} | self.server.claims
        self._answer(
            {"access_token": "token", "id_token": jwt.encode(token, KEY)}, 500 if self.server.fails else 200
        )

    def _answer(self, data: dict[str, object], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(data).encode())

    def log_message(self, *args: object) -> None:
        """Print nothing."""


def state_of(address: str) -> str:
    """Return the state in the address of the log-in page to which the site leads."""
    return parse_qs(urlsplit(address).query)["state"][0]


@contextmanager
def provider(port: int = 0) -> Iterator[Provider]:
    """Yield a provider that serves until the end."""
    with Provider(port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
