"""Fixtures of the whole suite; the servers behind them are started by `tests.plugins.servers`."""

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

# The slowness of the real one is its purpose; here people are made by the dozen.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A worker or server may be in a deadlock with the emptying of the tables after a test. Whoever finds it first
# gives way, and that must not be the test.
if not servers.ON_SQLITE:
    settings.DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c deadlock_timeout=60s"

OpenBrowser = Callable[..., Page]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On SQLite, test on a file as the site runs on one: threads and processes must be able to share it."""
    if servers.ON_SQLITE:
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """No test sees what another left in the cache."""
    cache.clear()


@pytest.fixture(autouse=True)
def _same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run deals the same games, but for those that a server deals."""
    monkeypatch.setattr("games.services.tables.random", Random(1))


@pytest.fixture(scope="session")
def pseudo_locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a locale in which every marked text looks foreign."""
    folder = tmp_path_factory.mktemp("pseudo_locale")
    write_pseudo_locale(folder)
    return folder


@pytest.fixture
def smtp() -> MailServer:
    """The mail server that the site's processes send to, without the mails of tests before."""
    servers.mail_server.reset()
    return servers.mail_server


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """The address of a running ASGI server on the test's database."""
    with processes.asgi_server() as address:
        yield address


@pytest.fixture(scope="session")
def worker(server: str) -> Iterator[None]:
    """A Celery worker on both queues, for tests in which bots play and mails are sent."""
    with processes.celery_worker(site_url=server):
        yield


@pytest.fixture
def start_worker(django_db_setup: None) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """Start Celery workers of the test's own, which it may kill."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(processes.celery_worker())


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Chromium, for one file of tests: while Playwright's event loop runs, Django's test client can't."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_browser(chrome: Browser, server: str) -> Iterator[OpenBrowser]:
    """Open a browser of its own, with cookies of its own, for each call; nothing in it may fail unseen."""
    contexts: list[BrowserContext] = []
    watches: list[chromium.PageErrors] = []

    def open_one(*, allows_refusals: bool = False, **options: object) -> Page:
        # A service worker would hide requests from tests that catch them; one that is about it allows it.
        options.setdefault("service_workers", "block")
        context = chrome.new_context(base_url=server, locale="en-GB", **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        watches.append(chromium.PageErrors(page))
        watches[-1].allows_refusals = allows_refusals
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [error for watch in watches for error in watch.errors] == []


@pytest.fixture
def page(open_browser: OpenBrowser) -> Page:
    return open_browser()


@pytest.fixture
def axe() -> Callable[..., None]:
    """Assert that a page breaks no accessibility rule that can be checked by machine, or none of some."""

    def check(page: Page, *rules: str) -> None:
        # To tell of what passes takes as long again.
        options: dict[str, object] = {"resultTypes": ["violations"]}
        found = Axe().run(page, options=options | {"runOnly": rules} if rules else options)
        assert found.violations_count == 0, found.generate_report()

    return check
