"""A site that offers LUNAR."""

from collections.abc import Iterator

import pytest

from tests.titles.site import installed


@pytest.fixture
def lunar() -> Iterator[None]:
    """Offer LUNAR after the titles of the site."""
    with installed("games.lunar"):
        yield
