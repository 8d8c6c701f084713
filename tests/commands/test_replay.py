"""`manage.py replay` prints states and errors as lines of JSON and never prints a traceback."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

PROJECT = Path(__file__).parents[2]
RECORDS = PROJECT / "tests" / "records"
LEGAL = sorted(RECORDS.glob("*.json"))
ILLEGAL = sorted(RECORDS.glob("illegal/*.json"))


def replay(*files: Path, states: bool = False) -> tuple[list[dict[str, object]], int]:
    """Return the lines that the command prints, read as JSON, and its exit code."""
    out = StringIO()
    code = 0
    try:
        call_command("replay", *map(str, files), states=states, stdout=out)
    except SystemExit as exit_request:
        code = int(exit_request.code or 0)
    return [json.loads(line) for line in out.getvalue().splitlines()], code


def states_of(*files: Path) -> list[dict[str, object]]:
    """Return the stored states of records, one file after another."""
    return [state for file in files for state in json.loads(file.read_bytes())["states"]]


def test_all_states_of_all_files_are_printed_in_order() -> None:
    assert replay(*LEGAL, states=True) == (states_of(*LEGAL), 0)


def test_without_the_option_states_only_the_last_state_is_printed() -> None:
    assert replay(*LEGAL) == ([states_of(file)[-1] for file in LEGAL], 0)


def test_the_last_state_of_a_game_without_actions_is_its_start(tmp_path: Path) -> None:
    record = json.loads(LEGAL[0].read_bytes())["record"] | {"actions": []}
    file = tmp_path / "start.json"
    file.write_text(json.dumps(record))
    [start], code = replay(file)
    assert code == 0
    assert start["wheel"] == [None, *record["deck"][:11]]
    assert replay(file, states=True) == ([], 0)


@pytest.mark.parametrize("file", ILLEGAL, ids=lambda file: file.stem)
def test_an_illegal_record_prints_file_index_and_code_and_the_next_file_is_replayed(file: Path) -> None:
    expected = json.loads(file.read_bytes())["error"]
    (error, state), code = replay(file, LEGAL[0])
    assert code == 1
    assert state == states_of(LEGAL[0])[-1]
    assert isinstance(error.pop("message"), str)
    assert error == {"file": str(file), "index": expected["index"], "error": expected["reason"]}


def test_the_states_before_an_illegal_action_are_printed(tmp_path: Path) -> None:
    illegal = json.loads((RECORDS / "illegal" / "00000-cell-taken.json").read_bytes())
    index = illegal["error"]["index"]
    legal_part = tmp_path / "legal.json"
    legal_part.write_text(json.dumps(illegal["record"] | {"actions": illegal["record"]["actions"][:index]}))
    states, _code = replay(legal_part, states=True)
    lines, code = replay(RECORDS / "illegal" / "00000-cell-taken.json", states=True)
    assert code == 1
    assert len(states) == lines[-1]["index"] == index
    assert lines[:-1] == states


UNREADABLE = {
    "empty": b"",
    "blank": b" \n",
    "text": b"hello",
    "no-object": b"[1, 2]",
    "half": b'{"format": "novaluna-record"',
    "not-utf-8": b'{"format": "\xff\xfe"}',
    "utf-16": '{"format": "novaluna-record"}'.encode("utf-16"),
    "binary": bytes(range(256)) * 40,
    "digits": b'{"seats": ' + b"9" * 10_000 + b"}",
    "deep-lists": b"[" * 100_000,
    "deep-lists-closed": b"[" * 100_000 + b"]" * 100_000,
    "deep-objects": b'{"record":' * 100_000 + b"1" + b"}" * 100_000,
    "not-a-number": b'{"seats": NaN}',
    "huge": b'{"players": "' + b"x" * 5_000_000 + b'"}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_file_is_a_bad_record_and_the_next_file_is_replayed(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(UNREADABLE[name])
    check_bad_record(file)


def test_a_path_that_is_not_a_file_is_a_bad_record(tmp_path: Path) -> None:
    for file in (
        tmp_path / "missing.json",
        tmp_path,
        Path("nul\0.json"),
        Path("n" * 5000),
        Path("\udcff.json"),
    ):
        check_bad_record(file)


def check_bad_record(file: Path) -> None:
    """Check that the command reports `file` as a bad record and replays the next file."""
    (error, state), code = replay(file, LEGAL[0])
    assert code == 1
    assert {**error, "message": ""} == {
        "file": str(file),
        "index": None,
        "error": "bad_record",
        "message": "",
    }
    assert error["message"]
    assert state == states_of(LEGAL[0])[-1]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"x": 10**4000}, "cell_not_available"),
        ({"y": -(10**4000)}, "cell_not_available"),
        ({"seat": 10**4000}, "bad_action"),
        ({"tile": "\ud800"}, "bad_action"),
        ({"tile": ["B1"]}, "bad_action"),
        ({"do": {}}, "bad_action"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_an_action_with_an_extreme_value_is_refused_with_a_short_message(
    changes: dict[str, object], code: str, tmp_path: Path
) -> None:
    record = json.loads(LEGAL[0].read_bytes())["record"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {"actions": [record["actions"][0] | changes]}))
    [error], exit_code = replay(file)
    assert (error["index"], error["error"], exit_code) == (0, code, 1)
    assert len(str(error["message"])) < 200


def start_command(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "replay", *arguments],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_command_runs_as_a_process() -> None:
    bad = str(ILLEGAL[0])
    out, err = start_command("--states", bad, str(LEGAL[0])).communicate(timeout=60)
    lines = [json.loads(line) for line in out.splitlines()]
    assert err == b""
    assert [line["file"] for line in lines if "error" in line] == [bad]
    assert lines[-1] == states_of(LEGAL[0])[-1]


def test_closing_the_pipe_causes_no_traceback() -> None:
    # This output is many times larger than a pipe buffer, so the command still writes when the pipe closes.
    with start_command("--states", *map(str, LEGAL * 4)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline()) == states_of(LEGAL[0])[0]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
