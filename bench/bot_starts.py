"""Measure how soon a new process of the bots plays its first action: `python -m bench.bot_starts`.

The time is measured from the start of the process to the expert's action. The processes are `manage.py bot`,
with a line already waiting, and a Celery worker on SQLite, with a turn already waiting in its queue. The
figures are for a compiled search and compiled bytecode, as after `make install-production`. The first start
compiles the bytecode, so it is not counted.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench import proc
from bench.goals import report
from games.novaluna.engine import start, write_record
from tests.novaluna.engine.games import deal
from tests.plugins import children
from tests.plugins.redis import Redis

ROOT = Path(__file__).parents[1]
BOT_COMMAND = [sys.executable, "manage.py", "bot", "--level", "expert"]
WORKER = [sys.executable, "-m", "celery", "-A", "novaluna_site", "worker", "--queues", "bots"]
OPTIONS = ["--without-mingle", "--concurrency", "2", "--loglevel", "ERROR"]

COMMAND_STARTS = 7
WORKER_STARTS = 5
TIME_LIMIT = 120  # seconds


class StartTime(NamedTuple):
    """The seconds until the first answer: clock time and processor time."""

    clock: float
    processor: float


def main() -> None:
    """Print the figures."""
    measure_compilation()
    subprocess.run([sys.executable, "manage.py", "compile_bots"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as name:
        os.environ["PYTHONPYCACHEPREFIX"] = f"{name}/bytecode"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        print_times("manage.py bot", [start_command() for _ in range(1 + COMMAND_STARTS)][1:])
        redis = Redis(Path(name))
        try:
            environment = os.environ | {
                "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
                "DATABASE_URL": f"sqlite:///{name}/bench.sqlite3",
                "REDIS_URL": redis.url(0),
            }
            command = [sys.executable, "-c", "from bench import bot_starts; bot_starts.measure_workers()"]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        finally:
            redis.stop()


def measure_compilation() -> None:
    """Compile the search of Nova Luna from nothing, and report the processor time."""
    compile_all = "from games.novaluna.title_bots import NovaLunaBots as Bots; list(Bots().compile())"
    before = os.times()
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as folder:
        environment = os.environ | {"NOVALUNA_COMPILED": folder}
        subprocess.run([sys.executable, "-c", compile_all], cwd=ROOT, env=environment, check=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    report("bots: compiling the search, processor time", seconds, "s", at_most=45)


def print_times(process: str, taken: list[StartTime]) -> None:
    """Print the shortest and the median time."""
    kinds = zip(("clock", "processor"), zip(*taken, strict=True), strict=True)
    words = ", ".join(f"{kind} {min(times):.2f} / {statistics.median(times):.2f}" for kind, times in kinds)
    print(f"s from start to first answer, {process}: {words} (shortest / median of {len(taken)})", flush=True)


def start_command() -> StartTime:
    """Start `manage.py bot` with a line to answer, and return the time until its answer."""
    line = json.dumps(write_record(start(deal(2, 1)).public().setup, []))
    began = time.perf_counter()
    bot = subprocess.Popen(BOT_COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with bot:
        assert bot.stdin
        assert bot.stdout
        bot.stdin.write(f"{line}\n")
        bot.stdin.flush()
        answer = bot.stdout.readline()
        taken = StartTime(time.perf_counter() - began, proc.processor_time(bot.pid))
        assert json.loads(answer)["do"] == "place"
        return taken


def measure_workers() -> None:
    """Print the figures of Celery workers, with the database and the queues of the settings."""
    import django

    django.setup()

    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    found = [start_worker(number) for number in range(1 + WORKER_STARTS)][1:]
    print_times("Celery worker", [taken for taken, _memories in found])
    main_process, *others = found[-1][1]
    print(f"memory of the worker's main process: {main_process}", flush=True)
    for memory in others:
        print(f"memory of a process that it forked: {memory}", flush=True)


def start_worker(number: int) -> tuple[StartTime, list[proc.Memory]]:
    """Start a worker while a turn is waiting; return its time and the memory of its processes."""
    from tests.play import fresh, game_of, person

    ines = person(f"Ines{number}")
    while (game := game_of(ines, bots=("expert",))).to_move == 0:
        pass  # Ines has the first turn: try another deal.
    began = time.perf_counter()
    quiet = os.environ | {"PYTHONWARNINGS": "ignore"}
    worker = children.start(WORKER + OPTIONS, cwd=ROOT, env=quiet, stdout=subprocess.DEVNULL)
    try:
        while not fresh(game).version:
            if worker.poll() is not None or time.perf_counter() - began > TIME_LIMIT:
                raise SystemExit("The worker does not answer.")
            time.sleep(0.01)
        clock = time.perf_counter() - began
        pids = [worker.pid, *proc.children(worker.pid)]
        return StartTime(clock, sum(map(proc.processor_time, pids))), [proc.memory(pid) for pid in pids]
    finally:
        children.stop(worker)


if __name__ == "__main__":
    main()
