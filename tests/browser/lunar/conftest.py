"""A site that offers LUNAR too."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.plugins import processes
from tests.titles.site import installed

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.lunar.site_settings"}


@pytest.fixture(scope="package")
def server(django_db_setup: None) -> Iterator[str]:
    """The URL of a server that offers LUNAR, with its style sheets and scripts."""
    command = [sys.executable, processes.ROOT / "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(command, env=processes.environment(**SETTINGS), check=True)
    with processes.asgi_server(**SETTINGS) as address:
        yield address


@pytest.fixture(autouse=True)
def lunar() -> Iterator[None]:
    """Let this process offer LUNAR too."""
    with installed("games.lunar"):
        yield
