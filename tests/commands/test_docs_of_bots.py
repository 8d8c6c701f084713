"""docs/bots.md is correct: its commands, its example of a line, and its example of a bot."""

import math
import re
import shlex
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import get_commands, load_command_class

from games.novaluna.title_bots import LEVELS
from tests.commands.matches import bot_match
from tests.commands.test_replay import PROJECT

DOCS = (PROJECT / "docs" / "bots.md").read_text()
COMMANDS = re.findall(r"^    (?:\$ )?\.venv/bin/python manage\.py (\w+) (.*)$", DOCS, re.MULTILINE)
EXAMPLE = f"cmd:{shlex.quote(sys.executable)} -m docs.example_bot"


def test_the_document_has_commands() -> None:
    assert {name for name, _arguments in COMMANDS} == {"bot", "bot_match", "tune_bots"}


@pytest.mark.parametrize(("name", "arguments"), COMMANDS)
def test_the_commands_have_the_options_in_the_document(name: str, arguments: str) -> None:
    command = load_command_class(get_commands()[name], name)
    command.create_parser("manage.py", name).parse_args(shlex.split(arguments))


def test_every_named_command_exists() -> None:
    names = set(re.findall(r"manage\.py (\w+)", DOCS))
    assert len(names) > 3
    assert names <= get_commands().keys()


def test_every_named_file_exists() -> None:
    names = re.findall(r"`(games/[\w./]+)`|\]\(([\w.]+)\)", DOCS)
    assert len(names) > 3
    for in_project, in_docs in names:
        assert (PROJECT / in_project if in_project else PROJECT / "docs" / in_docs).exists()


def test_the_ratings_of_bots_follow_from_the_matches() -> None:
    rows = re.findall(r"^\| (\w+) \| (\w+) \| (\d+) of (\d+) \| (\d+) of (\d+) \|", DOCS, re.MULTILINE)
    assert len(rows) == 3
    for player, opponent, *numbers in rows:
        won, games, won_too, games_too = map(int, numbers)
        share = (won + won_too) / (games + games_too)
        distance = 125 * math.sqrt(2) * math.log(share / (1 - share))
        assert LEVELS[player].rating == pytest.approx(LEVELS[opponent].rating + distance, abs=5)


def test_the_example_line_gets_the_example_answer() -> None:
    found = re.search(r"^    \$ .* manage\.py bot (.*)\n    (\{.*\})\n    (\{.*\})$", DOCS, re.MULTILINE)
    assert found
    options, line, answer = found.groups()
    done = subprocess.run(
        [sys.executable, "manage.py", "bot", *shlex.split(options)],
        cwd=PROJECT,
        input=line,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{answer}\n"


def test_the_example_bot_plays_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    errors = StringIO()
    lines = bot_match(f"{EXAMPLE},random", games=8, stderr=errors)
    assert lines[1].startswith(f"{EXAMPLE} won 8: 100.0% (")
    bot_match(f"{EXAMPLE},easy", games=4, players=4, stderr=errors)
    bot_match(EXAMPLE, games=2, solo=True, stderr=errors)
    assert errors.getvalue() == ""


def test_the_example_bot_is_short() -> None:
    assert (
        len([line for line in (PROJECT / "docs" / "example_bot.py").read_text().splitlines() if line]) <= 30
    )
