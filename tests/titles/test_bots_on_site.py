"""Bots of a title with only rules play on the site, and the site offers nothing that the title cannot do."""

import uuid
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.log.replay import secret_position
from games.models import Game
from games.services import after_commit, bot_queue, bots, tables
from games.services.play import play
from games.titles.bots import Budget
from games.titles.general_bot import GeneralBots
from tests.clients import client_of
from tests.play import fresh, person
from tests.titles.pairs.rules import PairsPosition

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs")]

Seen = list[tuple[PairsPosition, int, str]]


@pytest.fixture
def game() -> Game:
    """A game of a person and three bots, who all choose at the same time; the person has chosen."""
    ines = person("Ines")
    game = tables.open_table(ines, tables.TableOptions(4, title="pairs"), ("easy", "medium", "hard"))
    position = secret_position(fresh(game))
    assert position.awaited == {0, 1, 2, 3}
    play(game.key, ines, next(iter(position.legal(0))), 1, uuid.uuid4())
    return fresh(game)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What the bots are asked, who search briefly."""
    asked: Seen = []
    choose = GeneralBots.choose

    def choose_briefly(
        own: GeneralBots, position: PairsPosition, seat: int, level: str, rng: Random
    ) -> object:
        asked.append((position, seat, level))
        return choose(own, position, seat, level, rng, Budget(rollouts=3))

    monkeypatch.setattr(GeneralBots, "choose", choose_briefly)
    return asked


def take_turns(game: Game, count: int) -> None:
    """Let bots take some turns, as workers do."""
    for _turn in range(count):
        bots.take_turn(game.pk, fresh(game).version + 1)


def test_bots_that_are_awaited_at_the_same_time_each_choose_by_what_their_seat_sees(
    game: Game, seen: Seen
) -> None:
    assert secret_position(game).awaited == {1, 2, 3}
    for _turn in range(3):
        before: Any = secret_position(fresh(game))
        take_turns(game, 1)
        position, seat, _level = seen[-1]
        assert position == before.seen_by(seat)
        assert position != before, "the hands of the others are hidden"
    assert {(seat, level) for _position, seat, level in seen} == {(1, "easy"), (2, "medium"), (3, "hard")}
    assert fresh(game).version == 4
    assert secret_position(fresh(game)).awaited == {0, 1, 2, 3}, "the next round has begun"


def test_a_level_without_a_search_waits_on_the_quick_queue(game: Game, seen: Seen) -> None:
    assert game in bot_queue.turns_of(after_commit.QUICK_TURN)
    take_turns(game, 1)
    assert game not in bot_queue.turns_of(after_commit.QUICK_TURN)
    assert game in bot_queue.turns_of(after_commit.BOT_TURN)


def test_a_bot_that_fails_chooses_without_a_search_and_its_hand_is_not_logged(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the search broke")

    monkeypatch.setattr(GeneralBots, "choose", fail)
    take_turns(game, 1)
    assert fresh(game).version == 2
    (record,) = caplog.records
    assert record.getMessage() == f"A bot (easy) found no action after 1 of {game.key}"


@pytest.mark.parametrize("path", ["review/", "try/0/", "text/try/0/", "hint/", "text/hint/"])
def test_what_the_title_cannot_do_has_no_address(game: Game, path: str) -> None:
    client = client_of(game.seats.get(number=0).user)
    assert client.get(f"/g/{game.key}/{path}").status_code == 404


def test_forms_for_what_the_title_cannot_do_are_refused(game: Game) -> None:
    client = client_of(game.seats.get(number=0).user)
    for path in ("review/", "hint/", "text/hint/", "train/"):
        assert client.post(f"/g/{game.key}/{path}", {"number": 2}).status_code == 404
    assert fresh(game).version == 1


def test_pages_have_no_links_to_what_the_title_cannot_do(game: Game, seen: Seen) -> None:
    client = client_of(game.seats.get(number=0).user)
    client.post(f"/g/{game.key}/play/", {"do": "resign", "number": 2, "request_id": str(uuid.uuid4())})
    assert fresh(game).is_over
    for path in ("", "?at=0", "text/", "text/?at=0"):
        page = Client().get(f"/g/{game.key}/{path}").text
        assert "Ines" in page
        for part in ("review", "try", "text/try", "hint", "text/hint", "train"):
            assert f"/g/{game.key}/{part}/" not in page
