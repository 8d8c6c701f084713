"""Measures what a move costs on a site as `deploy/` runs it: `python -m bench.moves`.

Two pages are open for each game, each with its stream, and one client plays in twenty games. With
`--against COMMIT` it measures that commit too, in turns in the same run, and prints both.
"""

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.database import new_folder
from bench.goals import report

ROOT = Path(__file__).parents[1]
OWN = ("moves.py", "move_site.py", "move_servers.py", "move_pages.py", "move_costs.py")
WARM_UP = 1  # rounds that do not count, as the processes are new
ROUNDS = 3
OPEN_PAGES = [200, 2_000]
PARTS = ("web", "streams", "database", "Redis")
NOW = "now"


class Side:
    """A process that measures one program, and all values that it has measured by name."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.values: defaultdict[str, list[float]] = defaultdict(list)
        self._process = process

    def ask(self, command: str) -> dict[str, Any]:
        """Return the answer to a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self.read()

    def read(self) -> dict[str, Any]:
        """Return the next answer."""
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def add(self, name: str, *values: float) -> None:
        self.values[name].extend(values)

    def middle(self, name: str) -> float:
        return statistics.median(self.values[name])

    def slowest(self, name: str) -> float:
        return statistics.quantiles(self.values[name], n=100)[98]


def main(against: str | None, pages: Sequence[int]) -> None:
    """Measure this program and, if a commit is named, that one too."""
    with ExitStack() as stack:
        sides = {NOW: stack.enter_context(_side(ROOT))}
        if against:
            sides["then"] = stack.enter_context(_side(stack.enter_context(_program_of(against))))
        for side in sides.values():
            side.read()  # when its site is up
        _measure(list(sides.values()), pages)
        for name, side in sides.items():
            print(f"\n{name}")
            _report(side) if name == NOW else _print(side)


def _measure(sides: Sequence[Side], sizes: Sequence[int]) -> None:
    """Measure on all sides in turns, with each number of open pages."""
    for size in sizes:
        for side in sides:
            side.ask(f"show {size}")
        for nth in range(WARM_UP + ROUNDS):
            for side in sides:
                played = side.ask("moves")
                if nth >= WARM_UP:
                    _add_boards(side, played, size)
                    if size == min(sizes):
                        _add_costs(side, played)
        for side in sides:
            again = side.ask("reconnect")
            side.add(f"{size} pages reconnect", again["seconds"])
            side.add("a page opens its stream", 1000 * again["processor"] / size)
            side.ask("hide")
    for side in sides:
        for name, value in side.ask("costs").items():
            side.add(name, value)


def _add_boards(side: Side, played: dict[str, Any], size: int) -> None:
    side.add(f"board, {size} pages", *(1000 * seconds for seconds in played["boards"]))


def _add_costs(side: Side, played: dict[str, Any]) -> None:
    side.add("answer", *(1000 * seconds for seconds in played["answers"]))
    side.add("rate", played["rate"])
    for part, milliseconds in played["spent"].items():
        side.add(part, milliseconds)


def _report(side: Side) -> None:
    report("a move: processor time of all parts", _of_all_parts(side), "ms", at_most=25)
    for row in _rows(side):
        report(*row[:3], **row[3])
    print(_parts(side))


def _print(side: Side) -> None:
    print(f"a move: {_of_all_parts(side):.2f} ms: {_parts(side)}")
    for name, value, unit, _goal in _rows(side):
        print(f"{name:<56} {value:10.2f} {unit}")


def _of_all_parts(side: Side) -> float:
    return sum(side.middle(part) for part in PARTS)


def _parts(side: Side) -> str:
    spent = ", ".join(f"{part} {side.middle(part):.1f}" for part in (*PARTS, "worker"))
    costs = ("board page", "bare page", "first post", "late post", "post writes")
    return f"{spent}; in one process: {', '.join(f'{name} {side.middle(name):.1f}' for name in costs)}"


def _rows(side: Side) -> Iterator[tuple[str, float, str, dict[str, float]]]:
    """Yield each measure with its unit and its goal."""
    yield "moves a second, one client", side.middle("rate"), "", {"at_least": 40}
    yield from _times(side, "answer", "answer to the mover", 22, 60)
    sizes = [int(name.split()[1]) for name in side.values if name.startswith("board, ")]
    for size in sizes:
        yield from _times(side, f"board, {size} pages", f"the other's new board, {size} pages", 35, 90)
        goal = {"at_most": 3 * size / 1000}
        yield f"{size} pages reconnect", side.middle(f"{size} pages reconnect"), "s", goal
    yield "a page opens its stream", side.middle("a page opens its stream"), "ms", {"at_most": 3}
    yield "board page: queries", side.middle("board page reads"), "", {"at_most": 7}
    yield "action post: reading queries", side.middle("post reads"), "", {"at_most": 10}
    share = 100 * side.middle("bare page") / side.middle("board page")
    yield "bare logged-in page / board page", share, "%", {"at_least": 35}
    yield "a turn mail, worker", side.middle("mail"), "ms", {"at_most": 15}
    late = side.middle("late post") / side.middle("first post")
    yield "post of move 60 / of the first", late, "", {"at_most": 1.1}


def _times(
    side: Side, name: str, title: str, middle: float, slowest: float
) -> Iterator[tuple[str, float, str, dict[str, float]]]:
    yield f"{title}: p50", side.middle(name), "ms", {"at_most": middle}
    yield f"{title}: p99", side.slowest(name), "ms", {"at_most": slowest}


@contextmanager
def _program_of(commit: str) -> Iterator[Path]:
    """Yield a folder with the program of a commit, and with these benchmarks."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with new_folder() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        for name in OWN:
            (folder / "bench" / name).write_bytes((ROOT / "bench" / name).read_bytes())
        yield folder


@contextmanager
def _side(program: Path) -> Iterator[Side]:
    """Yield a process that measures a program, with a PostgreSQL and a Redis of its own."""
    from tests.plugins.postgres import Postgres
    from tests.plugins.redis import Redis

    with ExitStack() as stack:
        folder = stack.enter_context(new_folder())
        servers: list[Any] = []
        for kind in (Postgres, Redis):
            servers.append(kind(folder))
            stack.callback(servers[-1].stop)
        postgres, redis = servers
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")} | {
            "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url(0),
            "NOVALUNA_DATA": str(folder / "data"),
            "NOVALUNA_COMPILED": str(ROOT / "var/compiled"),
            "COMPRESS_STATIC": "0",
            "STREAMS_PER_ADDRESS": str(2 * max(OPEN_PAGES)),
            "BENCH_POSTGRES": str(postgres._server.pid),
            "BENCH_REDIS": str(redis._server.pid),
            "PYTHONPATH": str(program),
        }
        process = subprocess.Popen(
            [sys.executable, "-c", "from bench import move_site; move_site.measure()"],
            cwd=program,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(process.wait, 60)
        assert process.stdin is not None
        stack.callback(process.stdin.close)
        yield Side(process)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.moves", description="Measures what a move costs.")
    parser.add_argument("--against", metavar="COMMIT", help="measure this commit in turns, too")
    parser.add_argument("--pages", type=int, nargs="+", default=OPEN_PAGES, help="how many pages are open")
    main(**vars(parser.parse_args()))
