"""Duplicate matches of LUNAR: two teams play the same cards at two tables, for two and for four."""

import json
import uuid
from io import StringIO
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.test import Client

from docs.check_deal import problem_of
from games.log.deals import mixed_deal
from games.models import DuplicateMatch, Game
from games.queries.deals.duplicates import view_match
from games.services import deals
from tests.clients import client_of
from tests.lunar.games import position_of
from tests.play import fresh, person, play_all

pytestmark = pytest.mark.django_db

PEOPLE = "abcdefgh"


def play_out(game: Game, seed: int) -> Game:
    rng, position, actions = Random(seed), position_of(game), []
    while position.awaited:
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return play_all(game, actions)


@pytest.mark.parametrize("seats", [2, 4])
def test_two_teams_play_the_same_cards_from_each_side_and_check_the_deal(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "mixed_deal", mixed_deal)
    clients = [client_of(person(f"Player-{letter}")) for letter in PEOPLE[: 2 * seats]]
    form = {"title": "lunar", "seat_count": seats, "pace": "day", "request_id": str(uuid.uuid4())}
    path = clients[0].post("/duplicates/new/", form).url
    for number, client in enumerate(clients[1:], 1):
        client.post(path, {"do": "enter", "team": number % 2, "nonce": f"{number:032x}"})
    first, second = Game.objects.order_by("pk")
    assert position_of(first) == position_of(second)
    tables = [[seat.user.username[-1] for seat in game.seats.order_by("number")] for game in (first, second)]
    assert tables == {2: [["a", "d"], ["b", "c"]], 4: [["a", "f", "c", "h"], ["b", "e", "d", "g"]]}[seats]
    first = play_out(first, 1)
    pages = [f"/g/{first.key}/{part}" for part in ("", "text/", "?at=3", "text/?at=3")]
    for page in pages:
        assert "All hands" not in clients[0].get(page).text, "the other table plays them"
    second = play_out(second, 2)
    for page in pages:
        assert "All hands" in Client().get(page).text
    points = [position_of(game).points for game in (first, second)]
    view = view_match(DuplicateMatch.objects.get(), AnonymousUser())
    assert [list(team.points) for team in view.teams] == [
        [points[0][0], points[1][1]],
        [points[0][1], points[1][0]],
    ]
    assert view.outcome in Client().get(path).text
    for game in (first, second):
        record = json.loads(Client().get(f"/g/{game.key}/record.json").content)
        assert problem_of(record) is None
        call_command("verify_deal", fresh(game).key, stdout=StringIO())
