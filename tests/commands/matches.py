"""Matches of bots, and programs that play in them."""

from collections.abc import Callable
from io import StringIO
from typing import Any

from django.core.management import call_command

from games.novaluna.bots.matches import MatchGame

Write = Callable[[str], str]
LinesRead = Callable[[], list[dict[str, Any]]]
# Plays the first legal action, and appends every line that it reads to the file in its first argument.
FIRST_ACTION = """
import json, sys
from games.novaluna.engine import action_to_json, read_record, replay, start
for line in sys.stdin:
    with open(sys.argv[1], "a") as file:
        file.write(line)
    setup, log = read_record(line, whole=False)
    position = [start(setup), *(step.position for step in replay(setup, log))][-1]
    print(json.dumps(action_to_json(next(iter(position.legal_actions)))), flush=True)
"""


def bot_match(levels: str, **options: Any) -> list[str]:
    """Return the lines that a match prints."""
    out = StringIO()
    call_command("bot_match", levels=levels, stdout=out, **{"processes": 1} | options)
    return out.getvalue().splitlines()


def without_times(lines: list[str]) -> list[str]:
    return [line for line in lines if "time per action" not in line]


def results(games: list[MatchGame]) -> list[tuple[object, ...]]:
    return [(game.players, game.winner, game.score, game.discs) for game in games]
