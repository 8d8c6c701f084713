"""Programs in `manage.py bot_match`: they play legally, or leave the game with a reason."""

import os
import re
import select
import shlex
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest
from django.core.management import CommandError

from games.novaluna.bots import programs
from games.novaluna.bots.matches import Match, play_deal
from tests.commands.matches import FIRST_ACTION, Write, bot_match
from tests.commands.test_replay import PROJECT

ENDS = "import sys; sys.stdin.readline()"
# Like the program above, but its first process starts with a line that is not an action.
ANSWERS_WRONGLY_ONCE = (
    """
import sys
from pathlib import Path
started = Path(sys.argv[1] + "-started")
if not started.exists():
    started.touch()
    print("good morning")
"""
    + FIRST_ACTION
)
HANGS = "import sys, time; sys.stdin.readline(); time.sleep(1000)"
HANGS_ON_THE_THIRD_DEAL = FIRST_ACTION.replace("import json", "deals = set(); import json").replace(
    "    setup, log",
    """
    deals.add(tuple(json.loads(line)["deck"][:11]))
    if len(deals) == 3:
        pipe = open(sys.argv[2], "w")
        print("waiting", file=pipe, flush=True)
        sys.stdin.read()
        __import__("time").sleep(1000)
    setup, log""",
)
LEAVES_A_CHILD = "import subprocess; subprocess.run(['sleep', '1000'])"


def test_a_program_plays_legally_beside_levels(write: Write) -> None:
    program = write(FIRST_ACTION)
    games = [*play_deal(Match((program, "random"), 4), 0), *play_deal(Match((program,), 1), 0)]
    assert [game.failures for game in games] == [()] * 5
    assert {time.processor for time in games[4].times[0]} == {None}
    assert games[4].score


def failure_of(command: str) -> str:
    """Play with a program that gives no legal action; return how the match describes its failure."""
    [game] = [game for game in play_deal(Match((command, "random"), 2), 0) if game.players == (0, 1)]
    [failure] = game.failures
    assert game.winner == 1
    assert failure.startswith(command)
    return failure.removeprefix(command)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("good morning", "answered “good morning”"),
        ("[" * 9999, f"answered “{'[' * programs.LONGEST_QUOTE}…”"),
        (
            "[" * 99999,
            f"answered with a line of more than 10,000 characters: “{'[' * programs.LONGEST_QUOTE}…”",
        ),
        ('{"seat": 0, "do": "refill"}', "which is not legal"),
        ('{"seat": 1, "do": "resign"}', "which is not legal"),
        ('{"do": "cancel"}', "which is not legal"),
        ('{"seat": 0, "do": "place", "tile": "B1", "x": 5, "y": 5}', "which is not legal"),
    ],
)
def test_a_program_with_a_wrong_answer_leaves_the_game(answer: str, words: str, write: Write) -> None:
    assert words in failure_of(write(f"print({answer!r}, flush=True); input()"))


def test_an_endless_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "ANSWER_SECONDS", 1000.0)
    failure = failure_of("cmd:cat /dev/zero")
    assert failure.startswith(" answered with a line of more than 10,000 characters: “")
    assert failure.isprintable()  # An answer must not send control characters to a terminal.


def test_a_program_with_a_wrong_answer_restarts_for_the_next_game(write: Write) -> None:
    games = play_deal(Match((write(ANSWERS_WRONGLY_ONCE), "random"), 2), 0)
    assert [len(game.failures) for game in games] == [1, 0]


def test_a_program_that_ends_leaves_the_game(write: Write) -> None:
    assert failure_of(write(ENDS)) == " ended without an answer"


@pytest.mark.parametrize("source", [HANGS, LEAVES_A_CHILD])
def test_a_program_that_hangs_leaves_the_game(
    source: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "ANSWER_SECONDS", 1.0)
    assert failure_of(write(source)) == " gave no answer within 1 s"


def test_failures_are_printed_after_the_figures(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    errors = StringIO()
    lines = bot_match(f"{write(ENDS)},random", games=2, stderr=errors)
    assert " won 0: 0.0% (" in lines[1]
    first, deal, *_others = errors.getvalue().splitlines()
    assert first == "Games that a program resigned, because it did not answer with a legal action: 2"
    assert re.fullmatch(r"  deal 0: cmd:.* ended without an answer", deal)


@pytest.mark.parametrize("levels", ["cmd:cat a,b,easy", "cmd:cat 'a,b',easy", "cmd:cat a,easy,hard"])
def test_a_comma_in_a_command_gets_a_hint(levels: str) -> None:
    with pytest.raises(CommandError, match="Commas separate players: put a command with a comma into a"):
        bot_match(levels)


def next_line(pipe: TextIO) -> str:
    """Return the next line, or an empty string at the end."""
    ready, _, _ = select.select([pipe], [], [], 60)
    assert ready
    return pipe.readline()


def test_ctrl_c_prints_the_figures_so_far_and_ends_all_processes(write: Write, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    command = f"{write(HANGS_ON_THE_THIRD_DEAL)} {shlex.quote(str(path))}"
    with (
        os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe,
        subprocess.Popen(
            [sys.executable, "manage.py", "bot_match", f"--levels={command},random", "--processes=1"],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as match,
    ):
        assert next_line(pipe) == "waiting\n"
        os.killpg(match.pid, signal.SIGINT)  # as a terminal does
        out, errors = match.communicate(timeout=60)
        assert next_line(pipe) == ""  # All processes that could write have ended.
    # The match may or may not have received the second deal when it was stopped.
    assert re.search(r": (2 games on 1|4 games on 2) deals, seed 1", out)
    assert errors == "Stopped. These figures are for the finished games.\n"
    assert match.returncode == 0
