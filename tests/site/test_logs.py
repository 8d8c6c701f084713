"""The log says what was asked for, without what would open it, and not who asked."""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from logging.config import DictConfigurator
from pathlib import Path

import psycopg
import pytest
from django.contrib.admindocs.views import extract_views_from_urlpatterns, simplify_regex
from django.db import OperationalError
from django.test import Client
from django.urls import get_resolver

from novaluna_site import logs

ROOT = Path(__file__).parents[2]
SECRET = "planted-token-4f1zk01b"
# Below these, addresses have keys of games, names and days, which open nothing that is not open anyway. The
# mailbox is on loopback only.
OPEN = {"admin", "daily", "duplicates", "g", "learn", "mailbox", "people", "rules"}


def secret_addresses() -> Iterator[str]:
    """Yield an address of each URL pattern that has a secret as its part."""
    for _view, route, _namespace, _name in extract_views_from_urlpatterns(get_resolver().url_patterns):
        address = re.sub(r"<(?!int:)[^>]+>", SECRET, simplify_regex(route))
        if SECRET in address and address.split("/")[1] not in OPEN:
            yield address


@contextmanager
def written_to_the_console(style: str = "plain") -> Iterator[io.StringIO]:
    """Yield what the log of the site gets, as it writes it."""
    config, written = logs.config(style, "WARNING"), io.StringIO()
    console = config["handlers"]["console"]
    maker = DictConfigurator(config)
    handler = logging.StreamHandler(written)
    handler.setFormatter(maker.configure_formatter(config["formatters"][console["formatter"]]))
    for name in console["filters"]:
        handler.addFilter(maker.configure_filter(config["filters"][name]))
    logging.getLogger().addHandler(handler)
    try:
        yield written
    finally:
        logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
@pytest.mark.parametrize("style", ["plain", "json"])
def test_the_log_has_no_secret_of_any_address(style: str) -> None:
    visitor, addresses = Client(enforce_csrf_checks=True), [*secret_addresses()]
    assert len(addresses) >= len(logs.BEFORE_SECRETS)
    with written_to_the_console(style) as written:
        for address in addresses:
            for asked in (address, f"{address}).", address.replace(SECRET, f" {SECRET}", 1)):
                visitor.post(asked)
            try:
                raise ValueError(address)
            except ValueError:
                logging.getLogger("games").exception("It failed")
    text = written.getvalue()
    assert not [line for line in text.splitlines() if SECRET in line]
    for before in logs.BEFORE_SECRETS:
        assert f": /{before}/…" in text


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (
            psycopg.OperationalError("connection refused\n\tIs the server running?"),
            "refused Is the server running?",
        ),
        (psycopg.errors.DiskFull("No space left on device"), "No space left on device"),
    ],
)
def test_each_failure_of_a_database_that_is_away_or_full_is_one_line(cause: Exception, text: str) -> None:
    with written_to_the_console() as written:
        try:
            raise OperationalError(str(cause)) from cause
        except OperationalError:
            logging.getLogger("games").exception("Cannot renew %s", "web")
        try:
            raise ValueError("a bug")
        except ValueError:
            logging.getLogger("games").exception("It failed")
    first, *others = written.getvalue().splitlines()
    assert first.endswith(text)
    assert "ERROR games: Cannot renew web: " in first
    assert others[1] == "Traceback (most recent call last):", "a bug keeps its traceback"
    assert others[-1] == "ValueError: a bug"


def test_the_servers_of_streams_do_not_log_who_opens_which_page() -> None:
    for name in ("deploy/novaluna-streams.service", "deploy/compose/compose.yaml"):
        [command] = [line for line in (ROOT / name).read_text().splitlines() if "uvicorn" in line]
        assert "--no-access-log" in command
