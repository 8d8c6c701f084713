"""Deals are fixed before the first action, as anybody can check, and secret until their last game is over."""

import hashlib
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.engine import read_record, replay
from games.models import Deal, Game
from tests.play import fresh, game_of, person, play_one, play_out, position_of, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return game_of(person("Ines"), person("Tobias"))


def test_the_commitment_is_shown_from_the_start(game: Game) -> None:
    page = Client().get(f"/g/{game.key}/deal/").text
    assert fresh(game).deal.commitment in page
    assert fresh(game).deal.salt not in page


def test_anybody_can_check_the_commitment_after_the_end_with_standard_tools(game: Game) -> None:
    play_out(game)
    page = Client().get(f"/g/{game.key}/deal/").text
    [text] = re.findall(r"printf %s &#x27;(.*?)&#x27; \| sha256sum|printf %s '(.*?)' \| sha256sum", page)
    shown = "".join(text)
    deal = fresh(game).deal

    assert hashlib.sha256(shown.encode()).hexdigest() == deal.commitment
    salt, *rest = shown.split(" ")
    assert (salt, rest[:68], rest[68:]) == (deal.salt, deal.deck, [str(seat) for seat in deal.start_order])


def test_a_deal_shared_by_two_games_stays_secret_until_both_are_over() -> None:
    first, second = solo_of(person("Ines")), solo_of(person("Tobias"))
    Game.objects.filter(pk=second.pk).update(deal=first.deal)
    play_out(first)
    assert first.deal.salt not in Client().get(f"/g/{first.key}/deal/").text
    assert Client().get(f"/g/{first.key}/record.json").status_code == 409
    play_out(second)
    assert first.deal.salt in Client().get(f"/g/{first.key}/deal/").text


def test_the_record_can_be_downloaded_after_the_end_and_replayed(game: Game) -> None:
    play_one(game)
    refused = Client().get(f"/g/{game.key}/record.json")
    assert refused.status_code == 409
    assert "when the game is over" in refused.text
    play_out(game)
    response = Client().get(f"/g/{game.key}/record.json")

    record = read_record(response.content)
    last = list(replay(record.setup, record.actions))[-1]
    assert last.position.state() == position_of(game).state()
    assert json.loads(response.content)["players"] == ["Ines", "Tobias"]


def test_verify_deal_accepts_a_true_deal_and_rejects_a_changed_one(game: Game) -> None:
    out = StringIO()
    call_command("verify_deal", game.key, stdout=out)
    assert "matches its commitment" in out.getvalue()
    assert game.deal.salt not in out.getvalue(), "the game is running"

    swapped = [*game.deal.deck[:-2], game.deal.deck[-1], game.deal.deck[-2]]
    Deal.objects.filter(pk=game.deal.pk).update(deck=swapped)
    with pytest.raises(CommandError, match="NOT"):
        call_command("verify_deal", game.key)
    with pytest.raises(CommandError, match="no game"):
        call_command("verify_deal", "nosuchgame22")


def test_start_orders_and_decks_differ_from_game_to_game() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    games = [game_of(ines, tobias) for _game in range(12)]
    assert len({tuple(game.deal.deck) for game in games}) == 12
    assert {tuple(game.deal.start_order) for game in games} == {(0, 1), (1, 0)}
