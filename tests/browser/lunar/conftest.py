"""LUNAR in the process of the tests; the server offers it anyway."""

from collections.abc import Iterator

import pytest

from tests.titles.site import installed


@pytest.fixture(autouse=True)
def lunar() -> Iterator[None]:
    """Let this process offer LUNAR too."""
    with installed("games.lunar"):
        yield
