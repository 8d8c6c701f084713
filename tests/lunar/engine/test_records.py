"""Legal records replay to their stored states and views; others are refused at the expected action."""

import json
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.lunar.engine import BadRecord, read_record
from games.lunar.rules import LunarRules
from games.titles.records import positions
from tests.lunar.recorded import Recorded, recorded
from tests.titles.site import installed

GAMES, REFUSED = recorded("games"), recorded("refused")
RULES = LunarRules()


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def replay(file: Path, *options: str) -> list[dict[str, Any]]:
    """Return the lines that `manage.py replay` prints, read as JSON."""
    out = StringIO()
    with installed("games.lunar"), suppress(SystemExit):
        call_command("replay", str(file), *options, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_there_are_records() -> None:
    assert len(GAMES) == 24
    assert len(REFUSED) == 69
    assert sum(bool(game.views) for game in GAMES) >= 8


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_record_replays_to_its_states_and_views(game: Recorded) -> None:
    _start, *found = positions(RULES, game.record)
    assert [as_json(RULES.state(position)) for position in found] == game.states
    viewers = {"none": None, **{str(seat): seat for seat in range(game.record["seats"])}}
    for number, views in enumerate(game.views):
        seen = {name: RULES.state(found[number].seen_by(viewer)) for name, viewer in viewers.items()}
        assert as_json(seen) == views, f"after action {number}"


@pytest.mark.parametrize("game", REFUSED, ids=str)
def test_a_refused_record_is_refused_at_its_action(game: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps({"record": game.record}))
    assert game.error is not None
    *states, error = replay(file, "--states")
    assert (error["index"], error["error"]) == (game.error["index"], game.error["reason"])
    if game.error["index"] is not None:
        assert len(states) == game.error["index"]


def test_the_command_prints_states_and_views(tmp_path: Path) -> None:
    game = next(game for game in GAMES if game.views)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(game.record))
    assert replay(file, "--states") == game.states
    both = [{"state": state, "views": views} for state, views in zip(game.states, game.views, strict=True)]
    assert replay(file, "--states", "--views") == both
    assert replay(file, "--views") == both[-1:]


def test_too_few_deals_show_when_a_round_begins(tmp_path: Path) -> None:
    game = next(game for game in GAMES if len(game.record["deals"]) > 2)
    second = next(number for number, state in enumerate(game.states) if state["round"] == 2)
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**game.record, "deals": game.record["deals"][:1]}))
    *states, error = replay(file, "--states")
    assert states == game.states[:second]
    assert (error["index"], error["error"]) == (None, "bad_record")


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_written_record_reads_back_the_same(game: Recorded) -> None:
    setup, actions = RULES.read_record(game.record)
    written = RULES.write_record(setup, map(RULES.action_from_json, actions))
    again, actions_again = RULES.read_record(as_json(written))
    assert [as_json(RULES.state(one)) for one in positions(RULES, written)][1:] == game.states
    assert (again.seats, again.options) == (setup.seats, setup.options)
    assert len(actions_again) == len(actions)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": {}},
        {"version": True},
        {"version": 1.0},
        {"seats": "4"},
        {"leads": None},
        {"leads": [0]},
        {"leads": [0, 1, 2]},
        {"leads": [0, 2]},
        {"leads": [0, 5]},
        {"points": None},
        {"points": [True] * 13},
        {"points": [21] * 13},
        {"points": [-1] * 13},
        {"stars": ["suits"]},
        {"deals": {}},
        {"deals": [None]},
        {"deals": [{}]},
        {"deals": [{"ranks": [1] * 24, "suits": "W" * 24}]},
        {"deals": [{"ranks": [["1"]] * 24, "suits": []}]},
        {"actions": None},
    ],
    ids=str,
)
def test_a_record_with_one_wrong_value_is_refused(changes: dict[str, object]) -> None:
    record = next(game.record for game in GAMES if game.record["seats"] == 4)
    assert read_record(record)
    with pytest.raises(BadRecord):
        read_record(record | changes)
