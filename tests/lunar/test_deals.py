"""Anybody can check that the cards of all rounds of LUNAR follow from the secret and the nonces."""

import json
from collections.abc import Callable
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from docs.check_deal import problem_of
from games.log.deals import commitment_to, mixed_deal
from games.lunar.engine import ListDealer, SeedDealer, Stars, deck_of
from games.lunar.rules import LunarRules
from games.services import play as playing
from games.titles.rules import Setup
from tests.lunar.games import lunar_game, position_of
from tests.play import fresh

RULES = LunarRules()
SECRET = "5ec2e7" * 10
NONCES = ["00ff", "", "beef", ""]


def record_of(seats: int, options: dict[str, object]) -> dict[str, Any]:
    """Return the record of a random game, as the site writes it."""
    checked, nonces, rng = RULES.checked_options(options, seats), NONCES[:seats], Random(1)
    setup = Setup(seats, checked, mixed_deal(RULES, SECRET, nonces, checked))
    position, actions = RULES.start(setup, 1), []
    while position.awaited:
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return {
        **RULES.write_record(setup, actions),
        "deal_rule": 2,
        "secret": SECRET,
        "nonces": nonces,
        "commitment": commitment_to(SECRET),
    }


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("options", [{}, {"stars": "ranks"}, {"stars": "none"}, {"leads": [1, 0]}], ids=str)
def test_the_script_knows_the_deal(seats: int, options: dict[str, object]) -> None:
    record = record_of(seats, options)
    assert len(record["deals"]) > 1
    assert problem_of(record) is None


def other_round(record: dict[str, Any]) -> object:
    return [*record["deals"][:-1], record["deals"][0]]


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "leads": lambda record: record["leads"][::-1],
    "deals": other_round,
    "stars": lambda record: "ranks",
    "secret": lambda record: "0" + record["secret"][:-1],
    "commitment": lambda record: "0" + record["commitment"][:-1],
    "nonces": lambda record: record["nonces"][::-1],
    "seats": lambda record: 2,
}


@pytest.mark.parametrize("field", CHANGES)
def test_the_script_finds_a_changed_field(field: str) -> None:
    record = record_of(4, {})
    assert problem_of({**record, field: CHANGES[field](record)})


def test_rounds_of_a_game_differ_and_repeat() -> None:
    dealer = SeedDealer(bytes(32), Stars.SUITS)
    rounds = [dealer.deal(number) for number in range(1, 30)]
    assert len({*rounds}) == 29
    assert rounds == [dealer.deal(number) for number in range(1, 30)]
    assert all(sorted(deck.ranks) == sorted(deck_of(Stars.SUITS).ranks) for deck in rounds)
    assert ListDealer(tuple(rounds)).deal(29) == rounds[-1]


def test_lead_tiles_are_drawn_fairly_or_chosen() -> None:
    drawn = [RULES.deal(bytes([number] * 32), 4, {"leads": None})["leads"] for number in range(256)]
    pairs = {(black, white) for black, white in drawn}
    assert pairs == {(0, 1), (0, 3), (1, 0), (1, 2), (2, 1), (2, 3), (3, 0), (3, 2)}
    assert RULES.deal(bytes(32), 4, {"leads": [2, 1]})["leads"] == [2, 1]


@pytest.mark.parametrize(
    "options",
    [
        {"points": [10] * 13, "stars": "none"},
        {"points": [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0], "stars": "none"},
        {"points": [1] * 12},
        {"points": [1] * 12 + [21]},
        {"stars": "all"},
        {"leads": [0, 2]},
        {"leads": [0, 1, 2]},
    ],
    ids=str,
)
def test_options_that_no_game_can_have_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        RULES.checked_options(options, 4)


def test_a_level_table_is_possible_with_stars() -> None:
    assert RULES.checked_options({"points": [10] * 13}, 4)["points"] == [10] * 13


@pytest.mark.django_db
def test_the_site_and_the_script_agree_about_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.deals.mixed_deal", mixed_deal)
    game, rng = lunar_game(2, points=[20] * 12 + [0]), Random(1)
    while position_of(game).awaited:
        position = position_of(game)
        [seat] = position.awaited
        action = rng.choice(list(position.legal(seat)))
        playing.play_for_bot(game.pk, action, fresh(game).version + 1)
    record = json.loads(Client().get(f"/g/{game.key}/record.json").content)
    assert len(record["deals"]) > 1
    assert problem_of(record) is None
    assert problem_of({**record, "deals": other_round(record)})
    out = StringIO()
    call_command("verify_deal", game.key, stdout=out)
    assert "The deal matches its commitment." in out.getvalue()
    assert "check_deal.py" in Client().get(f"/g/{game.key}/deal/").text
