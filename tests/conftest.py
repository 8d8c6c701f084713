"""Fixtures for all tests; `tests.plugins.servers` starts the servers that they use."""

import gc
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from unittest import mock

import hypothesis
import pytest
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client, TransactionTestCase
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import queueing
from accounts.models import User
from games.models import Game
from games.services import uptime
from tests import receiver as outside
from tests.clients import client_of
from tests.frozen import FrozenClock, frozen_clock
from tests.play import game_of, person, same_deals
from tests.plugins import databases, postgres, processes, servers, template_fields
from tests.plugins.mailserver import MailServer
from tests.pseudo_locale import write as write_pseudo_locale
from tests.titles import site

# The real hasher is slow on purpose, and tests create many users.
settings.PASSWORD_HASHERS.insert(0, "django.contrib.auth.hashers.MD5PasswordHasher")

# This process is no part of a site.
settings.SERVES_PAGES = False

# Each process of the test run has its own pictures, so that it can delete them all.
settings.CACHES["previews"]["LOCATION"] = settings.DATA_DIR / f"previews-{servers.WORKER}"

# A worker or server can deadlock with a test that empties its tables at its end. PostgreSQL cancels the
# session that detects the deadlock first. With this timeout, that is the worker or server, not the test.
if not servers.ON_SQLITE:
    settings.DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c deadlock_timeout=60s"


# Each run tries the same examples, however slow the machine is.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")
# For `make check`, which tries others each time; tests that set a number of examples keep it.
hypothesis.settings.register_profile("quick", max_examples=10, deadline=None)
# For an hour with the state machine of services.
hypothesis.settings.register_profile("long", max_examples=300, stateful_step_count=40, deadline=None)


# Collecting tests makes hardly any garbage, and walks over what it makes took a seventh of its time.
gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector what all tests share: its walks over that took a tenth of the time.

    It looks for garbage after as many new objects as some tests make, not after the usual 700.
    """
    gc.enable()
    gc.set_threshold(50_000, 20, 20)
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Let the test database be a copy on PostgreSQL, and a file on SQLite, which processes can share."""
    test_database = settings.DATABASES["default"].setdefault("TEST", {})
    if servers.ON_SQLITE:
        test_database["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
    else:
        test_database["TEMPLATE"] = databases.on_postgresql()


@pytest.fixture(scope="session", autouse=True)
def _delete_rows_quickly() -> Iterator[None]:
    """On PostgreSQL, empty the tables after a test by DELETE: for few rows, TRUNCATE takes ten times as long.

    Content types and permissions stay, so Django need not create them again. No trigger keeps a row.
    """
    flush = TransactionTestCase._fixture_teardown

    def flush_sqlite(case: TransactionTestCase) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _sql in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            flush(case)
            for _name, sql in triggers:
                cursor.execute(sql)

    def delete_rows(_case: TransactionTestCase) -> None:
        kept = {"django_content_type", "auth_permission"}
        tables = [f'"{table}"' for table in sorted({*connection.introspection.django_table_names()} - kept)]
        with transaction.atomic(), connection.cursor() as cursor:
            # Waits for the transactions of workers and servers, as TRUNCATE does.
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
            # PostgreSQL then checks no foreign keys, so the order of the tables does not matter.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join(f"DELETE FROM {table}" for table in tables))

    with pytest.MonkeyPatch.context() as patch:
        teardown = flush_sqlite if servers.ON_SQLITE else delete_rows
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        yield


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Clear the cache before each test."""
    cache.clear()


@pytest.fixture(autouse=True)
def _redis_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that Redis failed in an earlier test."""
    monkeypatch.setattr(queueing, "_paused_until", 0.0)


RENEW = uptime.renew


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_noted_between_tests() -> Iterator[None]:
    """Let threads that go on between tests store no row of a part of the site, which would stay there."""
    with mock.patch.object(uptime, "renew", return_value=None):
        yield


@pytest.fixture(autouse=True)
def _site_is_always_up(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site count as up at all times: tests move the clock on by days, and no process runs meanwhile.

    Tests of outages use the fixture `outages`.
    """
    if "outages" in request.fixturenames:
        monkeypatch.setattr(uptime, "renew", RENEW)
    else:
        monkeypatch.setattr(uptime, "acts_until", lambda: timezone.now())


@pytest.fixture(autouse=True)
def _only_tests_with_a_worker_queue_for_it(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queue tasks where nobody runs them, unless the test uses a worker. Earlier workers still run."""
    if not {"worker", "start_worker"} & {*request.fixturenames}:
        monkeypatch.setattr(current_app.conf, "broker_write_url", servers.SPARE_REDIS_URL)


@pytest.fixture
def outages() -> None:
    """Let the site note when it is up, and act on no deadline that passed while it was down."""


@pytest.fixture(autouse=True)
def _same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same games in each test run, except those that another process deals."""
    monkeypatch.setattr("games.services.deals.mixed_deal", same_deals(1))


@pytest.fixture
def backups(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of backups, which the programs of the PostgreSQL of the test run make and restore."""
    monkeypatch.setenv("PATH", f"{postgres.programs()}:{os.environ['PATH']}")
    settings.BACKUPS_DIR = tmp_path / "backups"
    return tmp_path / "backups"


@pytest.fixture
def clock() -> Iterator[FrozenClock]:
    with frozen_clock() as clock:
        yield clock


@pytest.fixture
def ines() -> User:
    return person("Ines")


@pytest.fixture
def tobias() -> User:
    return person("Tobias")


@pytest.fixture
def game(ines: User, tobias: User) -> Game:
    """A game of Ines and Tobias, before the first action."""
    return game_of(ines, tobias)


# Tests of what a site with several titles shows.
OF_SEVERAL_TITLES = "tests.titles.", "tests.lunar."


@pytest.fixture(autouse=True, scope="module")
def _offered_titles(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let other tests be about a site that offers only Nova Luna, where texts need not name the title."""
    is_of_several = request.module.__name__.startswith(OF_SEVERAL_TITLES)
    with nullcontext() if is_of_several else site.offering_only("novaluna"):
        yield


@pytest.fixture
def pairs() -> Iterator[None]:
    """Let the site offer the test title too, after its own titles."""
    with site.installed(site.PAIRS):
        yield


@pytest.fixture(scope="session")
def pseudo_locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pseudo-locale, for `LOCALE_PATHS`."""
    folder = tmp_path_factory.mktemp("pseudo_locale")
    write_pseudo_locale(folder)
    return folder


@pytest.fixture
def smtp() -> MailServer:
    """The mail server that the site's processes use, without emails from earlier tests."""
    servers.mail_server.reset()
    return servers.mail_server


@pytest.fixture
def receiver(settings: Settings) -> Iterator[outside.Receiver]:
    """A server to which the site posts: the webhook or the push server of a person."""
    settings.OUTGOING_TO_LOOPBACK = True
    with outside.receiver() as one:
        yield one


@pytest.fixture
def push_key(settings: Settings) -> None:
    """Let the site offer push messages."""
    settings.PUSH_KEY = outside.PUSH_KEY


@pytest.fixture
def admin_client(admin_user: User) -> Client:
    """A client of a superuser who has proved a second factor."""
    return client_of(admin_user)


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """The URL of a running ASGI server on the test database."""
    with processes.asgi_server(NOVALUNA_PUSH_KEY=outside.PUSH_KEY) as address:
        yield address


@pytest.fixture(scope="session")
def worker(server: str) -> Iterator[None]:
    """A Celery worker for all queues, for tests with bots or emails."""
    with processes.celery_worker(site_url=server):
        yield


@pytest.fixture
def start_worker(django_db_setup: None) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    """A function that starts a Celery worker, of some queues or all, which the test can kill."""
    workers: list[subprocess.Popen[bytes]] = []
    with ExitStack() as stack:

        def start(**options: str) -> "subprocess.Popen[bytes]":
            workers.append(stack.enter_context(processes.celery_worker(**options)))
            return workers[-1]

        yield start
        # A worker needs seconds to end by itself.
        for worker in workers:
            worker.kill()


@pytest.fixture
def template_fields_exist() -> Iterator[None]:
    """Fail the test if a template reads a field that does not exist, which Django shows as nothing."""
    with template_fields.checked():
        yield
