"""`make play` in bad circumstances: it says in a sentence what is wrong and what to do, and loses nothing."""

import contextlib
import os
import re
import resource
import subprocess
import sys
import urllib.error
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.clients import without_marks
from tests.operations.test_serve import Site, open_table, sign_up
from tests.plugins.children import free_port
from tests.plugins.processes import LONGEST_START, ROOT

SERVE = ("manage.py", "serve")
# Every write to a file beyond this number of blocks fails, as on a full disk.
FULL_DISK = ["sh", "-c", 'ulimit -f "$1"; shift; exec "$@"', "sh"]
# Root may write everywhere, so tests that run as root start the site without this right.
WITHOUT_RIGHTS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []


# Ends one part of a site that is running.
END_A_PART = """
import sys
from unittest import mock

import novaluna_site
from django.core.management import execute_from_command_line

def end_worker(*args):
    novaluna_site.celery_app.control.shutdown(destination=["default@embedded"])

targets = {
    "beat": ("celery.beat.Scheduler.tick", RuntimeError("moonstruck")),
    "worker-default": ("novaluna_site.management.commands.serve.Command._announce", end_worker),
}
target, effect = targets[sys.argv[1]]
with mock.patch(target, side_effect=effect):
    execute_from_command_line(["manage.py", "serve"])
"""


def refusal(folder: Path, *before: str, command: Sequence[str] = SERVE, **environment: str) -> str:
    """Return the last line that a command prints when it ends with an error."""
    unset = ("REDIS_URL", "DATABASE_URL", "EMAIL_URL", "SECRET_KEY")
    base = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [*before, sys.executable, *command], cwd=ROOT, text=True, timeout=LONGEST_START, check=False,
        env={**base, "NOVALUNA_DATA": str(folder), **environment}, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    *above, line = done.stderr.strip().splitlines()
    assert command != SERVE or not above
    return line.removeprefix("CommandError: ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def outcome_of_start(folder: Path) -> Site | AssertionError:
    """Return the running site, or the error with its output if it does not start."""
    try:
        return Site(folder, free_port())
    except AssertionError as refused:
        return refused


def test_a_read_only_folder_is_refused(folder: Path) -> None:
    folder.chmod(0o500)
    words = f"Cannot write to {folder} (Permission denied). Make this folder writable"
    assert words in refusal(folder, *WITHOUT_RIGHTS)
    assert words in refusal(folder, *WITHOUT_RIGHTS, SECRET_KEY="moon" * 20)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file/data"
    assert f"Cannot make the folder {folder} (Not a directory)." in refusal(folder)


def test_a_full_disk_is_refused_and_leaves_no_broken_file(folder: Path) -> None:
    # Python must not store bytecode, because it would not notice that it is cut off.
    line = refusal(folder, *FULL_DISK, "0", PYTHONDONTWRITEBYTECODE="1")
    assert f"Cannot write to {folder} (File too large)." in line
    assert "free some space" in line
    assert not (folder / "secret_key").exists()


def test_a_full_disk_is_refused_when_the_database_is_made(folder: Path) -> None:
    line = refusal(folder, *FULL_DISK, "16", PYTHONDONTWRITEBYTECODE="1")
    assert f"Cannot store anything in {folder / 'novaluna.sqlite3'}" in line
    assert "free some space" in line


def test_a_broken_database_is_refused_and_not_changed(folder: Path) -> None:
    database = folder / "novaluna.sqlite3"
    database.write_bytes(b"moonlight" * 1000)
    line = refusal(folder)
    assert f"{database} is not a database, or it is damaged." in line
    assert "Replace it with a copy, or move it away to start with an empty site." in line
    assert database.read_bytes() == b"moonlight" * 1000


@pytest.mark.parametrize("content", [b"", b"moon", bytes(range(256))])
def test_a_damaged_key_is_refused(folder: Path, content: bytes) -> None:
    key = folder / "secret_key"
    key.write_bytes(content)
    words = f"{key} is empty or damaged. Delete it, and the next start makes a new key."
    assert words in refusal(folder)
    assert key.read_bytes() == content


def test_a_second_site_on_the_same_folder_is_refused_even_if_both_start_first(folder: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(outcome_of_start, folder) for _site in range(2)]
    [refused] = [str(task.result()) for task in both if isinstance(task.result(), AssertionError)]
    [site] = [task.result() for task in both if isinstance(task.result(), Site)]
    with contextlib.closing(site):
        assert f"Another site is already running on {folder}. Stop it first" in refused
        sign_up(site)
        assert "Welcome, Ines!" in without_marks(site.get("/"))


def test_a_running_site_keeps_its_files_private_and_its_pages_readable_while_the_disk_is_full(
    made_folder: Path,
) -> None:
    (made_folder / "mails").mkdir(mode=0o755)
    (made_folder / "secret_key").write_text("moon" * 20)
    (made_folder / "novaluna.sqlite3").chmod(0o644)
    site = Site(made_folder, free_port())
    try:
        sign_up(site)
        open_table(site, "people", "2")
        table = re.search(r"/g/\w{12}/", site.get("/"))
        assert table
        private = [
            made_folder / "mails",
            made_folder / "secret_key",
            *made_folder.glob("mails/*"),
            *made_folder.glob("*sqlite3*"),
        ]
        assert len(private) >= 4
        assert [path for path in private if path.stat().st_mode & 0o077] == []

        limits = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE)
        # Every write to a file fails now, as on a full disk.
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        assert "Hello, Ines" in without_marks(site.get("/"))
        assert "Ines" in site.get(table[0])
        with pytest.raises(urllib.error.HTTPError) as refused:
            site.post(f"{table[0]}close/")
        with refused.value as answer:
            assert answer.code == 503
            assert "Nothing can be saved at the moment" in answer.read().decode()

        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limits)
        site.post(f"{table[0]}close/")
        assert table[0] not in site.get("/")
    finally:
        code, printed = site.stop()
        site.close()
    assert code == 0
    assert "Traceback" not in printed, printed


@pytest.mark.parametrize("name", ["beat", "worker-default"])
def test_the_site_stops_with_a_sentence_if_a_worker_or_beat_ends(made_folder: Path, name: str) -> None:
    line = refusal(made_folder, command=["-c", END_A_PART, name])
    assert f"The site has stopped, because its part {name} ended with an error." in line
    assert "Start it again: make play" in line
