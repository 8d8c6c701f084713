"""Fixtures of the tests of processes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.processes import ROOT


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a site without people. To make one takes seconds, because each migration runs."""
    folder = tmp_path_factory.mktemp("site")
    environ = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(migrate, cwd=ROOT, env={**environ, "NOVALUNA_DATA": str(folder)}, check=True)
    return folder / "novaluna.sqlite3"


@pytest.fixture
def made_folder(database: Path, tmp_path: Path) -> Path:
    """The data folder of a site that has run before."""
    folder = tmp_path / "made"
    folder.mkdir()
    shutil.copy(database, folder)
    return folder
