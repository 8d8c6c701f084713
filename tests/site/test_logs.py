"""The log says what was asked for, without what would open it, and not who asked."""

import io
import logging
import re
from collections.abc import Iterator
from logging.config import DictConfigurator
from pathlib import Path

import pytest
from django.contrib.admindocs.views import extract_views_from_urlpatterns, simplify_regex
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


@pytest.mark.django_db
@pytest.mark.parametrize("style", ["plain", "json"])
def test_the_log_has_no_secret_of_any_address(style: str) -> None:
    config, written = logs.config(style, "WARNING"), io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(DictConfigurator(config).configure_formatter(config["formatters"][style]))
    visitor, addresses = Client(enforce_csrf_checks=True), [*secret_addresses()]
    assert len(addresses) >= len(logs.BEFORE_SECRETS)
    logging.getLogger().addHandler(handler)
    try:
        for address in addresses:
            for asked in (address, f"{address}).", address.replace(SECRET, f" {SECRET}", 1)):
                visitor.post(asked)
            try:
                raise ValueError(address)
            except ValueError:
                logging.getLogger("games").exception("It failed")
    finally:
        logging.getLogger().removeHandler(handler)
    text = written.getvalue()
    assert not [line for line in text.splitlines() if SECRET in line]
    for before in logs.BEFORE_SECRETS:
        assert f": /{before}/…" in text


def test_the_servers_of_streams_do_not_log_who_opens_which_page() -> None:
    for name in ("deploy/novaluna-streams.service", "deploy/compose/compose.yaml"):
        [command] = [line for line in (ROOT / name).read_text().splitlines() if "uvicorn" in line]
        assert "--no-access-log" in command
