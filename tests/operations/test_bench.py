"""The table of `make bench`: it has every measure, and a missed goal is an error."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench.goals import REPORTS, report


def run_with(monkeypatch: pytest.MonkeyPatch, values: Mapping[str, float], *, works: bool = True) -> None:
    """Run the benchmarks `values`, each of which reports its value, whose goal is at least 50."""

    def run(name: str, environment: Mapping[str, str]) -> bool:
        with monkeypatch.context() as patch:
            patch.setitem(os.environ, REPORTS, environment[REPORTS])
            report(name, values[name], "%", at_least=50)
        return works

    monkeypatch.setattr(bench, "run", run)
    bench.main([*values])


def test_the_table_has_all_measures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_with(monkeypatch, {"board": 50, "post": 61.234})
    table = capsys.readouterr().out.partition("cores")[2]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "%" in line]
    assert rows == [
        ["board", "50.00 %", "at least 50 %", "met"],
        ["post", "61.23 %", "at least 50 %", "met"],
    ]


def test_a_missed_goal_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="Missed goals: board"):
        run_with(monkeypatch, {"board": 49.9, "post": 60})
    assert "MISSED" in capsys.readouterr().out


def test_a_benchmark_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="Failed: board"):
        run_with(monkeypatch, {"board": 50}, works=False)


def test_a_goal_can_be_a_maximum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(REPORTS, str(tmp_path / "reports"))
    report("bytes", 3, "kB", at_most=2)
    report("bytes", 2, "kB", at_most=2)
    stored = [json.loads(line) for line in (tmp_path / "reports").read_text().splitlines()]
    assert [one["value"] for one in stored] == [3, 2]
    missed, met = capsys.readouterr().out.splitlines()
    assert "MISSED" in missed
    assert "met" in met
