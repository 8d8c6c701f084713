"""Fixtures of the tests of processes."""

import shutil
from pathlib import Path

import pytest

from tests.plugins import databases


@pytest.fixture
def made_folder(tmp_path: Path) -> Path:
    """The data folder of a site that has run before, without people."""
    folder = tmp_path / "made"
    folder.mkdir()
    shutil.copy(databases.on_sqlite(), folder / "novaluna.sqlite3")
    return folder
