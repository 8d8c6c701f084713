"""The site with further titles, which come from outside `games`."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.conf import settings
from django.test import override_settings

from games.shown.parts import include_kept, include_kept_panel
from games.titles import registry

PAIRS = "tests.titles.pairs"

# The settings of servers and workers with Pairs, for the variable DJANGO_SETTINGS_MODULE.
PAIRS_SETTINGS = "tests.titles.site_settings"


@contextmanager
def installed(*apps: str) -> Iterator[None]:
    """Offer the titles of these apps after those of the site, until the context ends."""
    titles = dict(registry.TITLES)
    forget_parts()
    with override_settings(INSTALLED_APPS=[*dict.fromkeys([*settings.INSTALLED_APPS, *apps])]):
        try:
            yield
        finally:
            registry._titles.clear()
            registry._titles.update(titles)
            forget_parts()


@contextmanager
def offering_only(key: str) -> Iterator[None]:
    """Offer one title of the site only, until the context ends."""
    forget_parts()
    with mock.patch.dict(registry._titles, {key: registry.TITLES[key]}, clear=True):
        yield
    forget_parts()


def forget_parts() -> None:
    """Render kept parts of pages again, because they link to what the titles of the site can do."""
    include_kept.forget()
    include_kept_panel.forget()
