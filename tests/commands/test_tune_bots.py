"""`manage.py tune_bots` stores the weights that it finds and the command that found them."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.novaluna.bots.search import policy
from games.novaluna.bots.search.weights import KINDS
from games.novaluna.management.commands import tune_bots

FOUND = [float(number) for number in range(len(policy.NAMES))]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with a copy of the stored weights. A run finds others in no time."""
    copy = tmp_path / "weights.json"
    copy.write_text(tune_bots.FILE.read_text())

    def tune(kind: str, initial: list[float], other: object, plan: Any) -> Iterator[list[float]]:
        for _generation in range(plan.generations):
            yield FOUND

    monkeypatch.setattr(tune_bots, "FILE", copy)
    monkeypatch.setattr(tune_bots, "tune", tune)
    return copy


@pytest.mark.parametrize("option", ["--games", "--generations"])
@pytest.mark.parametrize("number", ["0", "-1"])
def test_a_run_without_games_is_refused(file: Path, option: str, number: str) -> None:
    before = file.read_text()
    with pytest.raises(CommandError, match=f"{option} must be at least 1"):
        call_command("tune_bots", "2", option, number, "--from-scratch", stdout=StringIO())
    assert file.read_text() == before


def test_a_run_of_too_few_candidates_is_refused(file: Path) -> None:
    before = file.read_text()
    with pytest.raises(CommandError, match="--population must be at least 8"):
        call_command("tune_bots", "2", "--population", "7", stdout=StringIO())
    assert file.read_text() == before


def test_a_run_stores_what_it_finds_and_how(file: Path) -> None:
    before, run = json.loads(file.read_text()), ("--games", "9", "--seed", "4")
    output = StringIO()
    call_command("tune_bots", "phase 1", *run, stdout=output)
    after = json.loads(file.read_text())
    command = 'tune_bots "phase 1" --generations 40 --population 48 --games 9 --seed 4'
    assert list(after["phase 1"].values()) == FOUND
    assert after["commands"]["phase 1"] == [*before["commands"]["phase 1"], command]
    assert [kind for kind in KINDS if after[kind] != before[kind]] == ["phase 1"]
    assert command in output.getvalue()
    call_command("tune_bots", "phase 1", *run, "--from-scratch", stdout=StringIO())
    assert json.loads(file.read_text())["commands"]["phase 1"] == [f"{command} --from-scratch"]


def test_the_stored_weights_say_which_commands_made_them() -> None:
    commands = json.loads(tune_bots.FILE.read_text())["commands"]
    assert list(commands) == list(KINDS)
    assert all(one.startswith("tune_bots ") for made in commands.values() for one in made)
