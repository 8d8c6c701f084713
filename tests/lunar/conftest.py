"""A site that offers LUNAR, and fixed deals."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from tests.titles.site import installed


@pytest.fixture
def lunar() -> Iterator[None]:
    """Offer LUNAR after the titles of the site."""
    # Its static files are not collected while no site offers it.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with installed("games.lunar"), override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        yield


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in each game. Seat 0 holds the black lead tile, so it starts."""
    dealt = {"leads": [0, 1], "seed": "07" * 32}
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: dealt)
