"""Fixtures of the tests of commands."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.commands.matches import LinesRead, Write
from tests.plugins.processes import ROOT


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a Python program, and returns its name as a player."""

    def write(source: str) -> str:
        file = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        file.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{source}")
        return f"cmd:{shlex.join([sys.executable, str(file), str(tmp_path / 'lines')])}"

    return write


@pytest.fixture
def lines_read(tmp_path: Path) -> LinesRead:
    """Return a function that returns the lines that programs have read, in order."""
    return lambda: [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]
