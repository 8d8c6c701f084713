"""The systemd units in `deploy/`, whose commands tests run."""

import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNITS = sorted((ROOT / "deploy").glob("*.service"))


def command_of(unit: Path, folder: Path, changes: Mapping[str, str] = {}) -> list[str]:
    """Return the command of a unit, which writes to `folder` only.

    `changes` are applied too: text in the unit -> text in the test.
    """
    match = re.search(r"^ExecStart=(.+)$", unit.read_text(), re.MULTILINE)
    assert match
    places = {"/opt/novaluna/.venv/bin": str(Path(sys.executable).parent), "/var/lib/novaluna": str(folder)}
    changes = {**places, **changes}
    any_key = "|".join(map(re.escape, changes))
    words = shlex.split(match[1].replace("%%", "%"))
    return [re.sub(any_key, lambda found: changes[found[0]], word) for word in words]


def queues_of(unit: Path) -> list[str]:
    """Return the queues of a unit that runs a Celery worker, and an empty list for other units."""
    match = re.search(r"--queues (\S+)", unit.read_text())
    return match[1].split(",") if match else []
