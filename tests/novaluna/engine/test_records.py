"""Every legal record replays to its stored states; every illegal one is refused at the expected action."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.novaluna.engine import BadRecord, EngineError, action_from_json, read_record, replay, write_record

RECORDS = Path(__file__).parents[2] / "records"
LEGAL = sorted(RECORDS.glob("*.json"))
ILLEGAL = sorted(RECORDS.glob("illegal/*.json"))


def test_there_are_records() -> None:
    assert len(LEGAL) > 30
    assert len(ILLEGAL) > 100


@pytest.mark.parametrize("path", LEGAL, ids=lambda path: path.stem)
def test_a_record_replays_to_its_stored_states(path: Path) -> None:
    record = read_record(path.read_bytes())
    expected = json.loads(path.read_bytes())["states"]
    for number, (step, state) in enumerate(zip(replay(*record), expected, strict=True)):
        assert step.position.state() == state, f"after action {number}"


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_an_illegal_record_is_refused_at_the_expected_action(path: Path) -> None:
    expected = json.loads(path.read_bytes())["error"]
    assert refusal(path.read_bytes()) == expected


def refusal(data: bytes) -> dict[str, object] | None:
    """Return the index and the reason of the refusal of a record; None if the record is legal."""
    index = None
    try:
        record, index = read_record(data), 0
        for _step in replay(*record):
            index += 1
    except EngineError as error:
        return {"index": index, "reason": error.code}
    return None


@pytest.mark.parametrize("path", LEGAL, ids=lambda path: path.stem)
def test_a_written_record_reads_back_the_same(path: Path) -> None:
    record = read_record(path.read_bytes())
    written = write_record(record.setup, map(action_from_json, record.actions))
    assert read_record(json.dumps(written)) == record
    assert read_record(json.dumps({"record": written, "extra": "key"})) == record


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
def test_data_that_is_not_a_record_is_refused(data: bytes | str) -> None:
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
def test_a_record_with_one_wrong_value_is_refused(record: dict[str, Any], changes: dict[str, object]) -> None:
    assert read_record(json.dumps(record))
    with pytest.raises(BadRecord):
        read_record(json.dumps(record | changes))


@pytest.mark.parametrize("extra", [{"record": 5}, {"players": ["Ines", "\ud800"]}], ids=ascii)
def test_unknown_keys_are_ignored(record: dict[str, Any], extra: dict[str, object]) -> None:
    assert read_record(json.dumps(record | extra)) == read_record(json.dumps(record))


def test_a_position_record_is_refused_unless_whole_is_false(record: dict[str, Any]) -> None:
    cut = json.dumps(record | {"deck": record["deck"][:11], "actions": []})
    assert len(read_record(cut, whole=False).setup.deck) == 11
    with pytest.raises(BadRecord):
        read_record(cut)
    with pytest.raises(BadRecord):
        read_record(json.dumps(record | {"deck": record["deck"][:10]}), whole=False)
