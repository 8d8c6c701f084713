"""Starts the servers of the test run before Django reads its settings, and stops them at the end.

This is a plugin in `addopts`, because pytest-django reads the settings before any conftest.py. With
pytest-xdist the main process starts PostgreSQL and Redis for all processes. Each process has its own
database, its own two Redis databases and its own mail server.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.plugins.mailserver import MailServer
from tests.plugins.postgres import Postgres
from tests.plugins.redis import Redis

ROOT = Path(__file__).parents[2]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
ON_SQLITE = os.environ.get("NOVALUNA_TEST_DB") == "sqlite"

mail_server = MailServer()
postgres: Postgres | None = None  # in the process that has started it


def start_servers() -> None:
    """Start the servers that all processes share, and set the environment for Django and child processes."""
    global postgres
    folder = Path(tempfile.mkdtemp(prefix="novaluna-tests-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.update(
        NOVALUNA_DATA=str(folder / "data"),
        NOVALUNA_BOT_PAUSE="0",
        NOVALUNA_COMPILED=str(ROOT / "var/compiled"),
        SECRET_KEY="for-tests-only-" * 4,
        LOG_LEVEL="ERROR",
        NOVALUNA_TURN_MAILS_WAIT="0",
        NOVALUNA_REPLY_ADDRESS="reply@nova-luna.example",
        COMPRESS_STATIC="0",
    )
    static = subprocess.Popen(
        [sys.executable, ROOT / "manage.py", "collectstatic", "--noinput", "-v0"],
        cwd=ROOT,
        env={**os.environ},
    )
    if ON_SQLITE:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'novaluna.sqlite3'}"
    else:
        postgres = Postgres(folder)
        atexit.register(postgres.stop)
        os.environ["DATABASE_URL"] = postgres.url
    redis = Redis(folder)
    atexit.register(redis.stop)
    os.environ["NOVALUNA_TEST_REDIS"] = redis.url(0).removesuffix("0")
    if static.wait(120):
        pytest.exit("collectstatic failed", returncode=3)


# A test run in the background ignores SIGINT, and so would its child processes, which tests stop with SIGINT.
# With this handler they stop.
signal.signal(signal.SIGINT, signal.default_int_handler)

if not WORKER:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as after Ctrl-C
    start_servers()

# Each process has its own queues and live updates.
number = int(WORKER.removeprefix("gw") or 0)
os.environ["REDIS_URL"] = f"{os.environ['NOVALUNA_TEST_REDIS']}{2 * number}"
SPARE_REDIS_URL = f"{os.environ['NOVALUNA_TEST_REDIS']}{2 * number + 1}"
os.environ["EMAIL_URL"] = mail_server.url
os.environ["DEFAULT_FROM_EMAIL"] = "Nova Luna <moon@nova-luna.example>"
# Playwright runs an event loop in the tests' thread, so Django would refuse queries there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
