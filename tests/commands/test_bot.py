"""`manage.py bot` answers every line with one line: a legal action or an error."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.novaluna.engine import Action, Position, action_from_json, read_record, replay, start, write_record
from tests.commands.test_replay import ILLEGAL, LEGAL, PROJECT, UNREADABLE

Json = dict[str, Any]
Ask = Callable[..., list[Json]]
CUT_DECK = "00003-bad-deck-short"


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that runs the command with lines as its input, and returns its answers."""

    def ask(*lines: bytes | Json, level: str = "easy", **options: Any) -> list[Json]:
        written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"\n".join(written))))
        out = StringIO()
        call_command("bot", level=level, stdout=out, **options)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    return ask


def positions_of(file: Path) -> list[tuple[Position, list[Action]]]:
    """Return each position of a recorded game, from the start on, with the actions before it."""
    setup, values = read_record(file.read_bytes())
    steps = list(replay(setup, values))
    actions = [step.action for step in steps]
    positions = [start(setup), *(step.position for step in steps)]
    return [(position, actions[:number]) for number, position in enumerate(positions)]


def position_record(position: Position, actions: list[Action]) -> Json:
    return write_record(position.public().setup, actions)


def some_positions() -> list[tuple[Position, list[Action]]]:
    """Return a few positions of every recorded game, each with a seat to move."""
    return [
        one
        for number, file in enumerate(LEGAL)
        for one in positions_of(file)[number % 20 :: 20]
        if one[0].to_move is not None
    ]


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_answers_positions_of_every_recorded_game_with_legal_actions(level: str, ask: Ask) -> None:
    chosen = some_positions()
    answers = ask(*(position_record(*one) for one in chosen), level=level, rollouts=20)
    for (position, _actions), answer in zip(chosen, answers, strict=True):
        assert action_from_json(answer) in position.legal_actions
        assert answer["seat"] == position.to_move


def test_answers_whole_records_like_position_records(ask: Ask) -> None:
    chosen = some_positions()[::4]
    other_order = []
    for position, actions in chosen:
        record = write_record(position.setup, actions)
        known, hidden = record["deck"][: position.revealed_count], record["deck"][position.revealed_count :]  # type: ignore[index]  # JSON
        other_order.append(record | {"deck": known + hidden[::-1]})
    whole = [write_record(position.setup, actions) for position, actions in chosen]
    cut = [position_record(*one) for one in chosen]
    assert whole != other_order != cut
    answers = [ask(*lines, level="hard", rollouts=50, seed=3) for lines in (whole, other_order, cut)]
    assert answers[0] == answers[1] == answers[2]


def test_the_same_seed_repeats_the_answer_in_any_order_of_lines(ask: Ask) -> None:
    lines = [position_record(*one) for one in some_positions()[:12]]
    answers = ask(*lines, rollouts=20, seed=5)
    assert ask(*lines, rollouts=20, seed=5) == answers
    assert ask(*lines[::-1], rollouts=20, seed=5) == answers[::-1]
    assert ask(*lines, rollouts=20, seed=6) != answers


def test_reads_wrapped_records_and_ignores_unknown_keys(ask: Ask) -> None:
    record = position_record(*positions_of(LEGAL[0])[1]) | {"players": ["Ada", "Bo"]}
    [bare, wrapped] = ask(record, {"record": record, "states": []}, seed=1)
    assert bare == wrapped
    assert bare["do"] == "place"


def check_errors(ask: Ask, lines: dict[str, bytes | Json], codes: dict[str, str]) -> None:
    """Check the error of each line, and that a position after it is answered."""
    good = position_record(*positions_of(LEGAL[0])[0])
    answers = ask(*(line for bad in lines.values() for line in (bad, good)))
    errors = dict(zip(lines, answers[::2], strict=True))
    assert {name: error["error"] for name, error in errors.items()} == codes
    assert all(error.keys() == {"error", "message"} and error["message"] for error in errors.values())
    assert all(action["do"] == "place" for action in answers[1::2])


def test_illegal_records_are_answered_with_their_codes(ask: Ask) -> None:
    # A deck with one tile too few is a legal position record, so this file has no error.
    files = {file.stem: json.loads(file.read_bytes()) for file in ILLEGAL if file.stem != CUT_DECK}
    assert len(files) == len(ILLEGAL) - 1
    lines = {name: wrapped["record"] for name, wrapped in files.items()}
    check_errors(ask, lines, {name: wrapped["error"]["reason"] for name, wrapped in files.items()})


def test_unreadable_lines_are_bad_records(ask: Ask) -> None:
    lines: dict[str, bytes | Json] = {name: data for name, data in UNREADABLE.items() if b"\n" not in data}
    check_errors(ask, lines, dict.fromkeys(lines, "bad_record"))


@pytest.mark.parametrize("line", [b"", b" \t\r"])
def test_empty_lines_get_a_clear_error(line: bytes, ask: Ask) -> None:
    words = "The line is empty: a position record as one JSON object was expected."
    assert ask(line + b"\n") == [{"error": "bad_record", "message": words}]


def test_finished_games_are_answered_with_game_over(ask: Ask) -> None:
    lines: dict[str, bytes | Json] = {file.stem: json.loads(file.read_bytes()) for file in LEGAL}
    check_errors(ask, lines, dict.fromkeys(lines, "game_over"))


def test_a_cut_deck_needs_valid_tiles_and_all_revealed_ones(ask: Ask) -> None:
    position, actions = next(one for one in positions_of(LEGAL[0]) if one[0].revealed_count > 11)
    record = position_record(position, actions)
    deck: list[str] = record["deck"]
    decks: dict[str, object] = {
        "no code": [*deck[:-1], "X9"],
        "twice": [*deck[:-1], deck[0]],
        "too few": deck[:-1],
        "fewer than at the start": deck[:10],
        "no list": " ".join(deck),
    }
    lines: dict[str, bytes | Json] = {name: record | {"deck": deck} for name, deck in decks.items()}
    check_errors(ask, lines, dict.fromkeys(lines, "bad_record"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "grandmaster"}, "invalid choice: 'grandmaster'"),
        ({"seconds": 0.0}, "--seconds must be a number greater than 0"),
        ({"seconds": float("nan")}, "--seconds must be a number greater than 0"),
        ({"rollouts": 0}, "--rollouts must be a whole number from 1"),
        ({"rollouts": 10**400}, "--rollouts must be a whole number from 1"),
    ],
)
def test_impossible_options_are_refused_with_a_message(options: Json, words: str, ask: Ask) -> None:
    with pytest.raises(CommandError, match=words):
        ask(**options)


def test_seconds_and_rollouts_exclude_each_other() -> None:
    with pytest.raises(CommandError, match="not allowed with argument"):
        call_command("bot", "--level", "easy", "--seconds", "1", "--rollouts", "1")


@pytest.fixture
def process() -> Any:
    """Start the command as a process with pipes."""
    with subprocess.Popen(
        [sys.executable, "manage.py", "bot", "--level", "easy", "--seed", "1"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        yield process
        process.kill()


def exchange(process: subprocess.Popen[bytes]) -> Json:
    """Send the process a line, and return its answer while the pipe stays open."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(position_record(*positions_of(LEGAL[0])[0])).encode() + b"\n")
    process.stdin.flush()
    answer: Json = json.loads(process.stdout.readline())
    return answer


@pytest.mark.parametrize("way", ["end of input", "Ctrl-C", "reader left"])
def test_answers_immediately_and_ends_without_output(way: str, process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    assert exchange(process) == exchange(process)
    if way == "end of input":
        process.stdin.close()
    elif way == "Ctrl-C":
        process.send_signal(signal.SIGINT)
    else:
        process.stdout.close()
        process.stdin.write(b"\n")
        process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
