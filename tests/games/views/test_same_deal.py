"""The expert plays the deal of a finished solo game, and pages show what it reached."""

import uuid
from collections.abc import Iterator

import pytest
from django.test import Client

from games.models import Game, ScoreCount, SoloResult, today
from games.queries.deals import same_deal
from games.services.projections.standings import games_with_results, rebuild_result
from games.services.solo import daily
from tests.clients import client_of
from tests.frozen import FrozenClock, frozen_clock
from tests.play import fresh, person, play_bots, play_out, solo_of

pytestmark = pytest.mark.django_db


def ask(client: Client, game: Game) -> Game:
    """Let the expert play the deal of a game; return the expert's game."""
    answer = client.post(f"{game.get_absolute_url()}expert/")
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get(key=answer.url.split("/")[2])


def page(client: Client, game: Game) -> str:
    return client.get(game.get_absolute_url()).content.decode()


def test_the_expert_plays_the_same_deal_once() -> None:
    ines = person("Ines")
    client, game = client_of(ines), play_out(solo_of(ines))
    assert "Let the expert play this deal" in page(client, game)
    experts = ask(client, game)
    assert ask(client, game) == experts
    assert experts.deal == game.deal
    assert "is playing now" in page(client, game)
    assert "It plays the deal of a finished game" in page(client, experts)
    assert "Every seat is taken" not in page(client, experts)
    assert "Let the expert play this deal" not in page(client, game)
    experts = play_bots(experts)
    assert f"<b>{experts.score}</b>" in page(client, game)
    assert f"<b>{game.score}</b>" in page(client, experts)


@pytest.mark.usefixtures("_noon")
def test_the_experts_game_is_shown_first_however_often_the_viewer_has_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(same_deal, "MOST_SHOWN", 1)
    ines = person("Ines")
    client, attempt = client_of(ines), play_out(fresh(daily.begin(ines, today())))
    experts = ask(client, attempt)
    play_out(fresh(daily.practise(ines, today(), uuid.uuid4())), seed=2)
    assert experts.get_absolute_url() in page(client, attempt)
    assert "Let the expert play this deal" not in page(client, attempt)


def test_the_expert_has_no_result_and_does_not_hide_the_deal() -> None:
    ines = person("Ines")
    client, game = client_of(ines), play_out(solo_of(ines))
    experts = ask(client, game)
    deal_page = f"{game.get_absolute_url()}deal/"
    assert game.deal.salt in client.get(deal_page).content.decode()
    experts = play_bots(experts)
    assert [result.game for result in SoloResult.objects.all()] == [game]
    assert [row.number for row in ScoreCount.objects.all()] == [1]
    for pk in games_with_results():
        assert rebuild_result(Game.objects.get(pk=pk), check_only=True) == []


def test_only_a_player_who_has_finished_the_game_may_ask() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = solo_of(ines)
    answer = client_of(ines).post(f"{game.get_absolute_url()}expert/")
    assert answer.status_code == 409
    assert "when you have finished" in answer.content.decode()
    play_out(game)
    assert client_of(tobias).post(f"{game.get_absolute_url()}expert/").status_code == 403
    assert "Let the expert play" not in page(client_of(tobias), game)
    assert "/account/login/" in Client().post(f"{game.get_absolute_url()}expert/").url
    assert Game.objects.count() == 1


@pytest.fixture
def _noon() -> Iterator[FrozenClock]:
    with frozen_clock() as clock:
        yield clock


@pytest.mark.usefixtures("_noon")
def test_the_experts_game_on_the_daily_deal_is_secret_until_my_attempt_is_over() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    attempt = play_out(fresh(daily.begin(ines, today())))
    experts = ask(client_of(ines), attempt)
    assert experts.is_practice
    assert client_of(tobias).get(experts.get_absolute_url()).status_code == 403
    own = play_out(fresh(daily.begin(tobias, today())), seed=2)
    assert ask(client_of(tobias), own) == experts
    assert f"<b>{own.score}</b>" in page(client_of(tobias), experts)
    assert f"<b>{attempt.score}</b>" not in page(client_of(tobias), experts)
