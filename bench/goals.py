"""The goals of the benchmarks, and one table of all that was measured."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

# Names a file to which each benchmark adds what it reports; `python -m bench` sets it.
REPORTS = "BENCH_REPORTS"


@dataclass(frozen=True)
class Measure:
    """A measured value with its goal: at least or at most so much."""

    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def goal(self) -> str:
        """The goal in words."""
        if self.at_least is not None:
            return f"at least {self.at_least:g} {self.unit}".rstrip()
        return f"at most {self.at_most:g} {self.unit}".rstrip()


def report(
    name: str, value: float, unit: str = "", *, at_least: float | None = None, at_most: float | None = None
) -> None:
    """Print a measured value with its goal, and add it to the reports of this run."""
    measure = Measure(name, value, unit, at_least, at_most)
    print(row(measure), flush=True)
    if path := os.environ.get(REPORTS):
        with Path(path).open("a") as file:
            file.write(json.dumps(asdict(measure)) + "\n")


def read_reports(path: Path) -> list[Measure]:
    """Return what the benchmarks of a run reported."""
    return [Measure(**json.loads(line)) for line in path.read_text().splitlines()]


def row(measure: Measure) -> str:
    """Return a line of the table, as Markdown."""
    value = f"{measure.value:.2f} {measure.unit}".rstrip()
    verdict = "met" if measure.is_met else "MISSED"
    return f"| {measure.name:<56} | {value:>10} | {measure.goal:<16} | {verdict:<6} |"


def table(measures: Sequence[Measure]) -> str:
    """Return all measures as a table in Markdown."""
    head = f"| {'what':<56} | {'measured':>10} | {'goal':<16} | {'':<6} |"
    line = f"|{'-' * 58}|{'-' * 11}:|{'-' * 18}|{'-' * 8}|"
    return "\n".join([head, line, *map(row, measures)])
