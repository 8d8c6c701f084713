"""A server on loopback for what the site sends to addresses of users: webhooks and push messages."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A key that `make_push_keys` has made.
PUSH_KEY = "x0N5D0mhZbqhKx2nVzVh3QmXq1oQf6E2Zl3cS3p3vXs"


@dataclass(frozen=True)
class Received:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Receiver(ThreadingHTTPServer):
    """Stores requests and answers with `status` and `answer`, or not at all while it or the path `hangs`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.statuses: dict[str, int] = {}  # by method
        self.paths: dict[str, int] = {}  # statuses by path
        self.answer = b"{}"
        self.headers: dict[str, str] = {}
        self.hangs = False
        self.hanging_paths: set[str] = set()
        self.is_over = threading.Event()
        self.requests: list[Received] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def received_at(self) -> list[str]:
        """Return the path of each request, in alphabetical order."""
        return sorted(one.path for one in self.requests)


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append(Received(self.command, self.path, headers, body))
        if self.server.hangs or self.path in self.server.hanging_paths:
            # One byte at a time, so that each single read is quick.
            while not self.server.is_over.wait(0.02):
                self.connection.sendall(b"H")
            return
        status = self.server.statuses.get(self.command, self.server.status)
        self.send_response(self.server.paths.get(self.path, status))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def do_PATCH(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
        self.do_POST()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that serves until the end."""
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.is_over.set()
        server.shutdown()
