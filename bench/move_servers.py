"""The servers of a site as `deploy/` runs them, and the processor time that each of them has used."""

import http.client
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench import proc
from tests.plugins.children import free_port, start, stop
from tests.waiting import wait_until

PAGES = ["gunicorn", "novaluna_site.wsgi:application", "--workers=3", "--threads=4", "--log-level=warning"]
STREAMS = ["uvicorn", "novaluna_site.asgi:application", "--lifespan=off", "--log-level=warning"]
STREAMS += ["--timeout-graceful-shutdown=1"]
WORKER = ["celery", "-A", "novaluna_site", "worker", "--queues=default,quick", "--concurrency=1"]
WORKER += ["--without-mingle", "--without-gossip", "--without-heartbeat", "--loglevel=ERROR"]


class Servers:
    """Pages, streams and a worker of a site whose PostgreSQL and Redis run already."""

    def __init__(self) -> None:
        self.pages_port, self.streams_port = free_port(), free_port()
        self._pages = _start([*PAGES, f"--bind=127.0.0.1:{self.pages_port}"])
        self._worker = _start(WORKER)
        self.start_streams()
        wait_until(lambda: _responds(self.pages_port), "the pages", 60)

    def start_streams(self) -> None:
        """Start the process for streams, and wait until it listens."""
        self._streams = _start([*STREAMS, f"--port={self.streams_port}"], NOVALUNA_SERVES_PAGES="false")
        wait_until(lambda: _is_listening(self.streams_port), "the streams", 60)

    def stop_streams(self) -> None:
        """Stop the process for streams; all open pages lose theirs."""
        stop(self._streams)

    def stop(self) -> None:
        """Stop all of them."""
        for process in (self._pages, self._streams, self._worker):
            stop(process)

    def processor_times(self) -> dict[str, float]:
        """Return the processor time of each part so far, in seconds."""
        return {
            "web": processor_time(self._pages.pid),
            "streams": processor_time(self._streams.pid),
            "database": processor_time(int(os.environ["BENCH_POSTGRES"])),
            "Redis": processor_time(int(os.environ["BENCH_REDIS"])),
            "worker": processor_time(self._worker.pid),
        }


def processor_time(pid: int) -> float:
    """Return the processor time of a process and of all its children, with those that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0  # It ends now, and its parent counts its time from then on.
    own = sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_time(child) for child in proc.children(pid))


def _start(command: list[str], **environ: str) -> "subprocess.Popen[Any]":
    # The worker prints a banner.
    own = {"env": {**os.environ, **environ}, "stdout": subprocess.DEVNULL}
    return start([sys.executable, "-m", *command], **own)


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _responds(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False
