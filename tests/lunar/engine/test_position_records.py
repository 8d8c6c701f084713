"""Bots get positions as records: what one seat knows, and nothing more."""

import json
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.lunar.bots.levels import choose
from games.lunar.engine import (
    BadAction,
    BadRecord,
    Position,
    Step,
    action_from_json,
    read_position,
    state_of,
    write_position,
)
from games.lunar.engine.cards import SUITS
from games.lunar.rules import LunarRules
from games.titles.records import positions
from games.titles.rules import Setup
from games.titles.testing.legality import STRANGE
from tests.lunar.recorded import Recorded, recorded
from tests.titles.site import installed

RULES = LunarRules()
GAMES = recorded("games")
FOUR = next(game for game in GAMES if game.record["seats"] == 4 and len(game.record["deals"]) > 1)
TWO = next(game for game in GAMES if game.record["seats"] == 2 and len(game.record["deals"]) > 1)


def steps_of(game: Recorded) -> tuple[Position, list[Step]]:
    setup, actions = RULES.read_record(game.record)
    start = position = RULES.start(setup, 1)
    steps = []
    for action in actions:
        steps.append(position.apply(action_from_json(action)))
        position = steps[-1].position
    return start, steps


def written(game: Recorded, every: int = 1) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield some numbers of actions, each seat that is awaited after them, and its position record."""
    start, steps = steps_of(game)
    for number in range(0, len(steps), every):
        position = steps[number - 1].position if number else start
        for seat in position.awaited:
            yield number, seat, json.loads(json.dumps(write_position(start, steps[:number], seat)))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_written_position_is_read_as_the_seat_sees_it(game: Recorded) -> None:
    found = list(positions(RULES, game.record))
    for number, seat, record in written(game, every=7):
        assert read_position(record) == found[number].seen_by(seat), (number, seat)
        assert "deals" not in record


def test_a_record_has_the_passes_that_its_seat_knows_and_no_others() -> None:
    shown = {seat: record for _number, seat, record in written(FOUR)}
    for seat, record in shown.items():
        passes = [action for action in record["actions"] if action["do"] == "pass"]
        assert len(passes) >= 8
        for action in passes:
            assert ("cards" in action) == (action["seat"] % 2 == seat % 2)
    number, seat, record = next(one for one in written(FOUR) if one[0] == 3)
    assert [action["seat"] for action in record["actions"] if "cards" in action] == []
    own = [action for action in FOUR.record["actions"][:4] if action["seat"] == seat]
    assert (number, len(own)) == (3, 1)


def test_a_whole_record_is_read_as_a_whole_position() -> None:
    assert RULES.read_position(TWO.record) == [*positions(RULES, TWO.record)][-1]


@pytest.mark.parametrize("game", [FOUR, TWO], ids=str)
def test_a_changed_view_is_refused_or_read_as_it_is(game: Recorded) -> None:
    """Whatever a line has, a reader gets a position with a guess, or an error with a code."""
    rng = Random(1)
    records = [record for _number, _seat, record in written(game)]
    for record in rng.sample(records, 12):
        for key in ("seat", "hand", "view", "actions", "leads"):
            for value in rng.sample(STRANGE, 4):
                check_refused({**record, key: value}, record)
        for key in record["view"]:
            for value in rng.sample(STRANGE, 4):
                check_refused({**record, "view": {**record["view"], key: value}}, record)
        check_refused({**record, "actions": record["actions"][:-1]}, record)
        flips = [{"seat": 0, "do": "flip", "suit": suit} for suit in SUITS]
        check_refused({**record, "actions": [*record["actions"], *flips]}, record)
        check_refused({**record, "hand": ["W*"] * len(record["hand"])}, record)
        for hand in (["x", *record["hand"][1:]], ["8"] * 6 + record["hand"][6:]):
            hands = list(record["view"]["hands"])
            hands[record["seat"]] = hand
            changed = {**record, "hand": hand, "view": {**record["view"], "hands": hands}}
            with pytest.raises(BadRecord):
                read_position(changed)


def check_refused(changed: dict[str, Any], record: dict[str, Any]) -> None:
    if changed == record:
        return
    try:
        view = read_position(changed)
    except (BadRecord, BadAction):
        return
    assert state_of(view) == changed["view"]
    if changed["seat"] in view.awaited:
        assert view.is_legal(choose(view, changed["seat"], "medium", Random(1)))


def test_a_bot_answers_a_position_record_of_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [record for number, _seat, record in written(FOUR) if number in (0, 5, 30)]
    assert len(lines) == 6
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("\n".join(map(json.dumps, lines)).encode())))
    out = StringIO()
    with installed("games.lunar"):
        call_command("bot", title="lunar", level="easy", rollouts=1, seed=1, stdout=out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["seat"] for answer in answers] == [line["seat"] for line in lines]
    for line, answer in zip(lines, answers, strict=True):
        assert read_position(line).is_legal(action_from_json(answer))


def test_the_first_position_is_a_record_too() -> None:
    options = RULES.checked_options({}, 2)
    start = RULES.start(Setup(2, options, RULES.deal(bytes(32), 2, options)), 1)
    [seat] = start.awaited
    assert read_position(write_position(start, [], seat)) == start.seen_by(seat)
