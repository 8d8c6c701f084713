"""Starts the servers that the suite runs against before Django reads its settings, and stops them at the end.

Named in `addopts`, for pytest-django reads the settings before any conftest.py. With pytest-xdist the first
process starts PostgreSQL and Redis for all; each has its own database, Redis number and mail server.
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


def start_servers() -> None:
    """Start what all processes share, and tell Django and the suite's own processes by the environment."""
    folder = Path(tempfile.mkdtemp(prefix="novaluna-tests-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.update(
        NOVALUNA_DATA=str(folder / "data"),
        NOVALUNA_BOT_PAUSE="0",
        NOVALUNA_COMPILED=str(ROOT / "var/compiled"),
        SECRET_KEY="for-tests-only-" * 4,
        LOG_LEVEL="ERROR",
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


# A suite that is started in the background ignores Ctrl-C, and would hand that on to what it interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

if not WORKER:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the suite as Ctrl-C does: cleanly
    start_servers()

# Each process has its own queues and news.
number = int(WORKER.removeprefix("gw") or 0)
os.environ["REDIS_URL"] = f"{os.environ['NOVALUNA_TEST_REDIS']}{2 * number}"
SPARE_REDIS_URL = f"{os.environ['NOVALUNA_TEST_REDIS']}{2 * number + 1}"
os.environ["EMAIL_URL"] = mail_server.url
os.environ["DEFAULT_FROM_EMAIL"] = "Nova Luna <moon@nova-luna.example>"
# Playwright keeps an event loop running in the thread of the tests, where Django would refuse its queries.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
