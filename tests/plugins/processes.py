"""The site's processes, which tests start on the test database: the ASGI server and Celery workers."""

import os
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from celery import current_app
from django.db import connection

from tests.plugins import children
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]

# Seconds until a process is ready, while other tests use all processors. One that ends fails immediately.
LONGEST_START = 180


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a process that uses the test database."""
    url = os.environ["DATABASE_URL"]
    name = str(connection.settings_dict["NAME"])
    database = f"sqlite:///{name}" if connection.vendor == "sqlite" else url.rpartition("/")[0] + "/" + name
    return {**os.environ, "DATABASE_URL": database, **changes}


@contextmanager
def asgi_server(**environ: str) -> Iterator[str]:
    """Run the ASGI server as in production; yield its URL when it responds."""
    port = children.free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uvicorn", "novaluna_site.asgi:application", "--port", str(port)]
    options = ["--log-level=warning", "--timeout-graceful-shutdown=1", "--lifespan=off"]
    with running(command + options, SITE_URL=address, **environ) as server:

        def is_ready() -> bool:
            assert server.poll() is None, "the ASGI server ended when it started"
            return _responds(f"{address}/account/login/")

        wait_until(is_ready, "a response of the ASGI server", LONGEST_START)
        yield address


def _responds(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=20)
    except OSError:
        return False
    return True


@contextmanager
def celery_worker(
    site_url: str = "http://127.0.0.1:8000",
    queues: str = "default,outside,quick,bots,sweep",
    **environ: str,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a Celery worker; yield its process, which a test can kill, when it accepts tasks."""
    name = f"test-{uuid.uuid4()}@localhost"
    command = [sys.executable, "-m", "celery", "-A", "novaluna_site", "worker", "--queues", queues]
    options = [
        f"--hostname={name}",
        "--pool=solo",
        "--without-mingle",
        "--without-gossip",
        "--without-heartbeat",
        "--loglevel=ERROR",
    ]
    with running(command + options, SITE_URL=site_url, **environ) as worker:

        def is_ready() -> bool:
            assert worker.poll() is None, "the Celery worker ended when it started"
            return bool(current_app.control.ping(destination=[name], timeout=0.5, limit=1))

        wait_until(is_ready, "a reply of the Celery worker", LONGEST_START)
        yield worker


@contextmanager
def running(
    command: list[str], stderr: IO[bytes] | None = None, **environ: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process on the test database until the context ends."""
    process = children.start(command, cwd=ROOT, env=environment(**environ), stderr=stderr)
    try:
        yield process
    finally:
        children.stop(process)
