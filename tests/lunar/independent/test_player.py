"""The independent player plays legally, and much better than at random."""

import json
import sys
from io import StringIO
from random import Random
from statistics import fmean
from typing import Any

import pytest

from tests.lunar.independent.__main__ import main
from tests.lunar.independent.games import Game
from tests.lunar.independent.matches import Choose, play_game, play_match, random_record
from tests.lunar.independent.player import Player, action_of, choices_of
from tests.lunar.independent.positions import known_of

# Compiles on first use, and no page uses this player. `test_simulator` compares the rules in each run.
pytestmark = [pytest.mark.slow, pytest.mark.whole]


def random_player(rng: Random) -> Choose:
    def choose(record: dict[str, Any]) -> dict[str, Any]:
        return action_of(record, rng.choice(choices_of(record, known_of(record))))

    return choose


@pytest.mark.parametrize("stars", ["suits", "ranks", "none"])
@pytest.mark.parametrize("seats", [2, 4])
def test_it_plays_whole_games(seats: int, stars: str) -> None:
    record = random_record(seats, stars, Random(7))
    game = play_game(record, (Player(3, 1).choose, Player(3, 2).choose))
    assert game.winner in (0, 1)


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_random_players_clearly(seats: int) -> None:
    players = (Player(20, 1).choose, random_player(Random(1)))
    results = list(play_match(players, seats, deals=5, seed=1))
    assert fmean(result.points for result in results) > 10
    assert fmean(result.wins for result in results) >= 0.8


def test_the_program_answers_as_the_player_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    records = []
    game = Game(random_record(4, "suits", Random(3)))
    player = Player(5, 9)
    answers = []
    for _ in range(12):
        records.append(game.record_for(game.awaited[0]))
        answers.append(player.choose(records[-1]))
        game.act(answers[-1])
    lines = "".join(json.dumps(record) + "\n" for record in records)
    monkeypatch.setattr(sys, "argv", ["independent", "--samples", "5", "--seed", "9"])
    monkeypatch.setattr(sys, "stdin", StringIO(lines))
    main()
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == answers
