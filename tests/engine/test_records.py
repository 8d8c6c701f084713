"""Every recorded game replays state by state; every illegal one stops where and why it should."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine import BadRecord, EngineError, action_from_json, read_record, replay, write_record

RECORDS = Path(__file__).parents[1] / "records"
LEGAL = sorted(RECORDS.glob("*.json"))
ILLEGAL = sorted(RECORDS.glob("illegal/*.json"))


def test_the_records_are_here() -> None:
    assert len(LEGAL) > 30
    assert len(ILLEGAL) > 100


@pytest.mark.parametrize("path", LEGAL, ids=lambda path: path.stem)
def test_replays_state_by_state(path: Path) -> None:
    record = read_record(path.read_bytes())
    expected = json.loads(path.read_bytes())["states"]
    for number, (step, state) in enumerate(zip(replay(*record), expected, strict=True)):
        assert step.position.state() == state, f"after action {number}"


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_stops_at_the_illegal_action(path: Path) -> None:
    expected = json.loads(path.read_bytes())["error"]
    assert refusal(path.read_bytes()) == expected


def refusal(data: bytes) -> dict[str, object] | None:
    """Return where and why a record is refused, if it is."""
    index = None
    try:
        record, index = read_record(data), 0
        for _step in replay(*record):
            index += 1
    except EngineError as error:
        return {"index": index, "reason": error.code}
    return None


@pytest.mark.parametrize("path", LEGAL, ids=lambda path: path.stem)
def test_reading_and_writing_are_inverse(path: Path) -> None:
    record = read_record(path.read_bytes())
    written = write_record(record.setup, map(action_from_json, record.actions))
    assert read_record(json.dumps(written)) == record
    assert read_record(json.dumps({"record": written, "further": "keys"})) == record


@pytest.fixture
def record() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(LEGAL[0].read_bytes())["record"]
    return record


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"7",
        b"{",
        b"\xff\xfe",
        b"NaN",
        b"[" * 100_000,
        b'{"record":' * 100_000,
        b'{"seats": ' + b"9" * 10_000 + b"}",
        b" " * 5_000_000,
        '{"record": "\\ud800"}',
        "\ud800",
        b'{"players": NaN}',
        b'{"players": -Infinity}',
        b'{"record": {"record": {}}}',
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_no_record_is_refused(data: bytes | str) -> None:
    with pytest.raises(BadRecord):
        read_record(data)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": {}},
        {"version": True},
        {"version": 1.0},
        {"mode": ["solo"]},
        {"mode": "solo"},
        {"seats": "3"},
        {"goal_discs": 0},
        {"goal_discs": 21},
        {"start_order": "0123"},
        {"start_order": None},
        {"deck": None},
        {"deck": [["B1"]] * 68},
        {"deck": "B1"},
        {"actions": {}},
        {"actions": None},
    ],
    ids=str,
)
def test_a_record_with_one_thing_wrong_is_refused(record: dict[str, Any], changes: dict[str, object]) -> None:
    assert read_record(json.dumps(record))
    with pytest.raises(BadRecord):
        read_record(json.dumps(record | changes))


@pytest.mark.parametrize("further", [{"record": 5}, {"players": ["Ines", "\ud800"]}], ids=ascii)
def test_further_keys_are_ignored(record: dict[str, Any], further: dict[str, object]) -> None:
    assert read_record(json.dumps(record | further)) == read_record(json.dumps(record))


def test_a_position_record_is_read_only_where_asked_for(record: dict[str, Any]) -> None:
    cut = json.dumps(record | {"deck": record["deck"][:11], "actions": []})
    assert len(read_record(cut, whole=False).setup.deck) == 11
    with pytest.raises(BadRecord):
        read_record(cut)
    with pytest.raises(BadRecord):
        read_record(json.dumps(record | {"deck": record["deck"][:10]}), whole=False)
