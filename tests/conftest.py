"""Fixtures for all tests; `tests.plugins.servers` starts the servers that they use."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.plugins import chromium, processes, servers
from tests.plugins.mailserver import MailServer
from tests.pseudo_locale import write as write_pseudo_locale

# The real hasher is slow on purpose, and tests create many users.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A worker or server can deadlock with a test that empties its tables at its end. PostgreSQL cancels the
# session that detects the deadlock first. With this timeout, that is the worker or server, not the test.
if not servers.ON_SQLITE:
    settings.DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c deadlock_timeout=60s"

OpenBrowser = Callable[..., Page]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On SQLite, use a file as the test database, so that threads and processes can share it."""
    if servers.ON_SQLITE:
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Clear the cache before each test."""
    cache.clear()


@pytest.fixture(autouse=True)
def _same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same games in each test run, except those that another process deals."""
    monkeypatch.setattr("games.services.tables.random", Random(1))


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


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """The URL of a running ASGI server on the test database."""
    with processes.asgi_server() as address:
        yield address


@pytest.fixture(scope="session")
def worker(server: str) -> Iterator[None]:
    """A Celery worker for both queues, for tests with bots or emails."""
    with processes.celery_worker(site_url=server):
        yield


@pytest.fixture
def start_worker(django_db_setup: None) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """A function that starts a Celery worker, which the test can kill."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(processes.celery_worker())


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Chromium for one module, because Django's test client can't run during Playwright's event loop."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_browser(chrome: Browser, server: str) -> Iterator[OpenBrowser]:
    """A function that opens a page with its own cookies; the test fails if one of these pages has errors."""
    contexts: list[BrowserContext] = []
    recorders: list[chromium.PageErrors] = []

    def open_one(*, allows_refusals: bool = False, **options: object) -> Page:
        # A service worker would hide requests from tests that intercept them. Its own tests allow it.
        options.setdefault("service_workers", "block")
        context = chrome.new_context(base_url=server, locale="en-GB", **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        recorders.append(chromium.PageErrors(page))
        recorders[-1].allows_refusals = allows_refusals
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [error for recorder in recorders for error in recorder.errors] == []


@pytest.fixture
def page(open_browser: OpenBrowser) -> Page:
    return open_browser()


@pytest.fixture
def axe() -> Callable[..., None]:
    """A function that checks a page against the given accessibility rules of axe, or all of them."""

    def check(page: Page, *rules: str) -> None:
        # Reporting the rules that pass would double the time.
        options: dict[str, object] = {"resultTypes": ["violations"]}
        found = Axe().run(page, options=options | {"runOnly": rules} if rules else options)
        assert found.violations_count == 0, found.generate_report()

    return check
