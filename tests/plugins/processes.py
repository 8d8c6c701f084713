"""The site's own processes, started by tests on the test's database: the ASGI server and Celery workers."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from celery import current_app
from django.db import connection

from tests.plugins import children

ROOT = Path(__file__).parents[2]
READY_WITHIN = 60  # seconds


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a process that works on this test's database."""
    url = os.environ["DATABASE_URL"]
    name = str(connection.settings_dict["NAME"])
    database = f"sqlite:///{name}" if connection.vendor == "sqlite" else url.rpartition("/")[0] + "/" + name
    return {**os.environ, "DATABASE_URL": database, **changes}


@contextmanager
def asgi_server(**environ: str) -> Iterator[str]:
    """Serve the site as production serves its streams; yield its address."""
    port = children.free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uvicorn", "novaluna_site.asgi:application", "--port", str(port)]
    options = ["--log-level=warning", "--timeout-graceful-shutdown=1", "--lifespan=off"]
    with running(command + options, SITE_URL=address, **environ):
        end = time.monotonic() + READY_WITHIN
        while True:
            try:
                urllib.request.urlopen(f"{address}/account/login/", timeout=5)
                break
            except (urllib.error.URLError, ConnectionError):
                assert time.monotonic() < end, "the ASGI server does not answer"
                time.sleep(0.05)
        yield address


@contextmanager
def celery_worker(
    site_url: str = "http://127.0.0.1:8000", queues: str = "default,bots"
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a Celery worker; yield its process, which a test may kill, when it takes tasks."""
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
    with running(command + options, SITE_URL=site_url) as worker:
        end = time.monotonic() + READY_WITHIN
        while not current_app.control.ping(destination=[name], timeout=0.5, limit=1):
            assert worker.poll() is None, "the Celery worker ends at its start"
            assert time.monotonic() < end, "the Celery worker does not answer"
        yield worker


@contextmanager
def running(
    command: list[str], stderr: IO[bytes] | None = None, **environ: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process on this test's database while the context lasts."""
    process = children.start(command, cwd=ROOT, env=environment(**environ), stderr=stderr)
    try:
        yield process
    finally:
        children.stop(process)
