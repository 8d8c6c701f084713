"""The bots' search: compiled in advance, and loaded only by the processes that play bots' turns."""

import fcntl
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.compiled import folders
from games.novaluna.title_bots import SEARCH
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
START_A_WORKER = """
import sys
from novaluna_site.celery import app
app.WorkController(queues=sys.argv[1], pool="solo")
print("numba" in sys.modules)
"""
IMPORT_THE_PAGES = """
import sys
import novaluna_site.wsgi, novaluna_site.urls
print("numba" in sys.modules)
"""
# Prints how many functions were loaded from disk and how many were compiled.
TAKE_FIRST_TURNS = """
import gc, random
from novaluna_site.celery import app
app.WorkController(queues="bots", pool="solo")
from numba.core.dispatcher import Dispatcher
from games.novaluna.bots.face import Budget, choose
from games.novaluna.engine import start
from tests.novaluna.engine.games import deal
for seats in (1, 2, 3, 4):
    position = start(deal(seats, 1))
    choose(position.public(), position.to_move, "expert", random.Random(1), Budget(rollouts=100))
functions = [one.stats for one in gc.get_objects() if isinstance(one, Dispatcher)]
print(sum(sum(one.cache_hits.values()) for one in functions))
print(sum(sum(one.cache_misses.values()) for one in functions))
"""


def output_of(script: str, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *args], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("queues", "loaded"), [("bots", "True"), ("quick", "True"), ("default,outside,sweep", "False")]
)
def test_only_workers_for_bots_load_the_search_when_they_start(queues: str, loaded: str) -> None:
    assert output_of(START_A_WORKER, queues) == loaded


def test_a_new_worker_compiles_nothing_in_its_first_turns() -> None:
    call_command("compile_bots", stdout=StringIO())
    loaded, compiled = output_of(TAKE_FIRST_TURNS).split()
    assert int(loaded) > 0
    assert int(compiled) == 0


def test_web_processes_do_not_load_the_search() -> None:
    assert output_of(IMPORT_THE_PAGES) == "False"


def test_compiling_again_only_removes_outdated_code() -> None:
    call_command("compile_bots", stdout=StringIO())
    compiled = {path: path.stat().st_mtime_ns for path in folders.folder(SEARCH).rglob("*.nbi")}
    assert compiled
    outdated = folders.folder(SEARCH).parent / f"{SEARCH}-outdated"
    outdated.mkdir(exist_ok=True)
    output = StringIO()
    call_command("compile_bots", stdout=output)
    assert not outdated.exists()
    assert {path: path.stat().st_mtime_ns for path in folders.folder(SEARCH).rglob("*.nbi")} == compiled
    assert output.getvalue() == ""


def test_changed_sources_get_another_version(tmp_path: Path) -> None:
    (tmp_path / "tree.py").write_text("BRANCHES = 8\n")
    versions = [folders.version_of(tmp_path) for _ in range(2)]
    (tmp_path / "tree.py").write_text("BRANCHES = 9\n")
    versions.append(folders.version_of(tmp_path))
    assert versions[0] == versions[1] != versions[2]


def test_two_processes_never_compile_at_the_same_time() -> None:
    """Two sites that start on the same folder: the second waits, and then loads what the first has stored."""
    call_command("compile_bots", stdout=StringIO())
    with (folders.folder(SEARCH) / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen([sys.executable, "manage.py", "compile_bots"], cwd=ROOT) as second:
            waiting = re.compile(rf"-> FLOCK .* {second.pid} ")
            wait_until(lambda: waiting.search(Path("/proc/locks").read_text()), "the second process waits")
            assert second.poll() is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.wait(60) == 0
