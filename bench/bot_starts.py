"""How soon a fresh process of the bots answers its first move: `python -m bench.bot_starts`.

Measured from its start to the expert's action: of the filter `manage.py bot`, given a line at once, and of a
real worker of Celery with a turn waiting on its queue, on SQLite. The search is compiled before, and Python's
bytecode is kept, as `make install-production` does: a first start, which is not counted, makes it.
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
from games.engine import start, write_record
from tests.engine.games import deal
from tests.plugins import children
from tests.plugins.redis import Redis

ROOT = Path(__file__).parents[1]
FILTER = [sys.executable, "manage.py", "bot", "--level", "expert"]
WORKER = [sys.executable, "-m", "celery", "-A", "novaluna_site", "worker", "--queues", "bots"]
OPTIONS = ["--without-mingle", "--concurrency", "2", "--loglevel", "ERROR"]

FILTERS = 7
WORKERS = 5
PATIENCE = 120  # seconds


class Taken(NamedTuple):
    """Seconds until the first answer: by the clock, and of the processor."""

    clock: float
    processor: float


def main() -> None:
    """Print what was found."""
    subprocess.run([sys.executable, "manage.py", "compile_bots"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as name:
        os.environ["PYTHONPYCACHEPREFIX"] = f"{name}/bytecode"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        tell("manage.py bot", [filter_answers() for _ in range(1 + FILTERS)][1:])
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


def tell(what: str, taken: list[Taken]) -> None:
    """Print the least and the median."""
    kinds = zip(("by the clock", "of the processor"), zip(*taken, strict=True), strict=True)
    words = ", ".join(f"{kind} {min(times):.2f} / {statistics.median(times):.2f}" for kind, times in kinds)
    print(f"s from start to first answer, {what}: {words} (least / median of {len(taken)})", flush=True)


def filter_answers() -> Taken:
    """Start the filter with a line to answer."""
    line = json.dumps(write_record(start(deal(2, 1)).public().setup, []))
    began = time.perf_counter()
    bot = subprocess.Popen(FILTER, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with bot:
        assert bot.stdin
        assert bot.stdout
        bot.stdin.write(f"{line}\n")
        bot.stdin.flush()
        answer = bot.stdout.readline()
        taken = Taken(time.perf_counter() - began, proc.processor_time(bot.pid))
        assert json.loads(answer)["do"] == "place"
        return taken


def measure_workers() -> None:
    """Print what real workers take, on the database and the queues that the settings name."""
    import django

    django.setup()

    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    found = [worker_answers(number) for number in range(1 + WORKERS)][1:]
    tell("worker of Celery", [taken for taken, _memories in found])
    main_process, *others = found[-1][1]
    print(f"the worker's main process then: {main_process}", flush=True)
    for memory in others:
        print(f"one that it forked: {memory}", flush=True)


def worker_answers(number: int) -> tuple[Taken, list[proc.Memory]]:
    """Start a worker when a turn is waiting; return what it took, and what its processes hold then."""
    from tests.play import fresh, game_of, person

    ines = person(f"Ines{number}")
    while (game := game_of(ines, bots=("expert",))).to_move == 0:
        pass  # it is for her to begin
    began = time.perf_counter()
    quiet = os.environ | {"PYTHONWARNINGS": "ignore"}
    worker = children.start(WORKER + OPTIONS, cwd=ROOT, env=quiet, stdout=subprocess.DEVNULL)
    try:
        while not fresh(game).version:
            if worker.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise SystemExit("The worker gives no answer.")
            time.sleep(0.01)
        clock = time.perf_counter() - began
        pids = [worker.pid, *proc.children(worker.pid)]
        return Taken(clock, sum(map(proc.processor_time, pids))), [proc.memory(pid) for pid in pids]
    finally:
        children.stop(worker)


if __name__ == "__main__":
    main()
