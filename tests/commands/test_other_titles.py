"""The commands work for every title: here, for one with hands, partners and choices at the same time."""

import json
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.titles.matches import start
from games.titles.rules import AnyPosition, Setup
from tests.titles.pairs.rules import PairsRules
from tests.titles.site import PAIRS, installed
from tests.titles.strength import at_random

RULES = PairsRules()
SEED = bytes(32)


@pytest.fixture(autouse=True)
def _pairs() -> Iterator[None]:
    with installed(PAIRS):
        yield


def game(actions: int) -> tuple[AnyPosition, dict[str, Any]]:
    """Return the position after some random actions, and the record that leads to it."""
    options = RULES.checked_options({}, 4)
    position, rng, played = start(RULES, 4, SEED), Random(1), []
    for _ in range(actions):
        seat = min(position.awaited)
        played.append(at_random(position, seat, rng))
        position = position.apply(played[-1]).position
    setup = Setup(4, options, RULES.deal(SEED, 4, options))
    return position, dict(RULES.write_record(setup, played))


def ask(monkeypatch: pytest.MonkeyPatch, record: object, **options: Any) -> dict[str, Any]:
    """Return the answer of a bot to a record."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(record).encode())))
    out = StringIO()
    call_command("bot", title="pairs", stdout=out, **options)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


@pytest.mark.parametrize("level", ["easy", "random"])
def test_a_bot_answers_for_the_seat_that_a_record_names(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position, record = game(5)
    assert position.awaited == {1, 2, 3}
    for seat in (1, 3):
        answer = ask(monkeypatch, record | {"seat": seat}, level=level, rollouts=5, seed=1)
        assert RULES.action_from_json(answer) in position.legal(seat)
    assert ask(monkeypatch, record, level=level)["seat"] == 1


@pytest.mark.parametrize(
    ("changes", "actions", "code"),
    [({"seat": 0}, 5, "bad_record"), ({"options": None}, 0, "bad_record"), ({}, 12, "game_over")],
)
def test_a_bot_refuses_a_record_in_which_it_has_nothing_to_do(
    changes: dict[str, object], actions: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(monkeypatch, game(actions)[1] | changes, level="easy")["error"] == code


def test_a_bot_has_only_the_levels_of_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="no level “expert”: choose from easy, medium, hard, random"):
        ask(monkeypatch, {}, level="expert")


def test_a_record_is_replayed_by_the_rules_that_it_names(tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", StringIO()
    file.write_text(json.dumps(game(12)[1]))
    call_command("replay", str(file), states=True, stdout=out)
    states = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(states) == 12
    assert states[4]["awaited"] == [1, 2, 3]
    assert (states[-1]["ending"], len(states[-1]["places"])) == ("rounds", 4)


def test_a_match_gives_one_level_the_seats_of_a_side() -> None:
    out = StringIO()
    options = {"levels": "easy,random", "games": 3, "rollouts": 5, "processes": 1, "seed": 2}
    call_command("bot_match", title="pairs", stdout=out, **options)
    first, second, third = out.getvalue().splitlines()
    assert first == "easy against random: 4 games on 2 deals, seed 2"
    assert second.startswith("easy won ")
    assert second.endswith("(equal strength: 50%)")
    assert third.startswith("easy: processor time per action: mean ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": "easy,expert"}, "must name two of easy, medium, hard, random"),
        ({"levels": "easy,hard", "players": 3}, "has with this many players: 4"),
        ({"levels": "easy,hard", "games": 0}, "--games must be at least 1"),
    ],
)
def test_an_impossible_match_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("bot_match", title="pairs", **options)
