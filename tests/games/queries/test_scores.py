"""Scores as charts and as a table."""

import csv
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from accounts.models import User
from games.models import Game, ScoreCount, SoloResult
from games.queries.scores import histogram, scores_over_time
from games.services import hints
from tests.clients import client_of
from tests.play import fresh, person, play_out, score_of, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

RESULTS = "/solo/results.csv"


@pytest.fixture
def game(ines: User) -> Game:
    """A finished solo game, with results of other people: nine better ones and three worse ones."""
    game = play_out(solo_of(ines))
    score = fresh(game).score
    tobias = person("Tobias")
    for nth in range(12):
        score_of(tobias, score - 60 if nth < 9 else score + 25)
    return game


def test_the_end_of_a_solo_game_compares_the_score_with_all_others(game: Game, ines: User) -> None:
    page = BeautifulSoup(client_of(ines).get(game.get_absolute_url()).content, "html.parser")
    verdict = " ".join(page.select_one(".verdict").get_text(" ").split())
    assert "It is better than 25% of 12 other results." in verdict
    assert "Your place today: 2." in verdict
    bars = page.select(".histogram rect")
    assert len(bars) == 18
    [own] = [nth for nth, bar in enumerate(bars) if "is-own" in bar.get("class", [])]
    heights = [float(bar["height"]) for bar in bars]
    assert heights[own] == pytest.approx(100 / 9, abs=0.1)
    assert max(heights) == heights[0] == 100
    assert [bar for bar in heights if bar] == [heights[0], heights[own], heights[-1]]
    text = client_of(ines).get(f"{game.get_absolute_url()}text/").text
    assert "It is better than 25%" in text
    assert "better than" not in Client().get(game.get_absolute_url()).text, "it is not their game"


def test_the_day_after_the_end_the_place_of_today_is_another(game: Game, ines: User) -> None:
    SoloResult.objects.update(ended_at=game.moved_at - timedelta(days=1))
    page = client_of(ines).get(game.get_absolute_url()).text
    assert "Your place today" not in page
    assert "It is better than 25%" in page


def test_few_results_are_no_comparison(ines: User) -> None:
    game = play_out(solo_of(ines))
    for nth in range(9):
        score_of(ines, 100 + nth)
    assert histogram(game) is None
    score_of(ines, 100)
    assert histogram(game).others == 10


def test_a_score_with_hints_is_marked_among_the_others_but_is_none_of_them(ines: User) -> None:
    game = solo_of(ines)
    hints.ask(game.key, ines, 1)
    play_out(game)
    for _nth in range(10):
        score_of(ines, 90)
    chart = histogram(game)
    assert (chart.others, chart.better_than) == (10, 0)
    assert [bar.height for bar in chart.bars if bar.is_own] == ["0"]
    assert "Your place" not in client_of(ines).get(game.get_absolute_url()).text


def test_the_bars_fill_the_chart_however_far_the_scores_are_apart(ines: User) -> None:
    game = play_out(solo_of(ines))
    for spread in (0, 1, 90, 700, 6000):
        for nth in range(10):
            score = 90 + spread * nth // 9
            ScoreCount.objects.update_or_create(kind="free", score=score, defaults={"number": 30})
        chart = histogram(game)
        assert len(chart.bars) <= 24
        assert float(chart.bars[0].x) == 0
        assert float(chart.bars[-1].x) + float(chart.bars[-1].width) == pytest.approx(100, abs=0.1)
        assert sum(bar.is_own for bar in chart.bars) == 1
        assert chart.lowest <= 90 <= 90 + spread <= chart.highest


def test_the_solo_page_and_the_profile_chart_the_latest_scores(client: Client, ines: User) -> None:
    now = score_of(ines, 120).ended_at
    score_of(ines, 95, ended_at=now - timedelta(days=1))
    assert scores_over_time(ines) is None, "two points are no line"
    score_of(ines, 110, ended_at=now - timedelta(days=2))
    chart = scores_over_time(ines)
    assert [point.x for point in chart.points] == ["0", "50", "100"]
    assert [point.is_best for point in chart.points] == [False, True, False]
    heights = [float(point.y) for point in chart.points]
    assert heights[1] > heights[0] > heights[2], "lower scores are nearer the bottom"
    assert [line.score for line in chart.grid] == [90, 100, 110, 120, 130]
    for page in (client_of(ines).get("/solo/").text, client.get("/people/Ines/").text):
        assert "A chart of the latest 3 results. The best score in it is 95." in page
    assert "3 games · average of the last ten: 108" in client_of(ines).get("/solo/").text
    assert "A chart of" not in client.get("/solo/").text


def test_all_results_of_a_player_are_a_table(ines: User) -> None:
    hinted = solo_of(ines)
    hints.ask(hinted.key, ines, 1)
    play_out(hinted)
    late = score_of(ines, 95, tiles=18)
    score_of(person("Tobias"), 80)
    response = client_of(ines).get(RESULTS)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    heading, *rows = csv.reader(response.content.decode("utf-8-sig").splitlines())
    assert heading == ["Ended (UTC)", "Score", "Tiles", "Deal", "With hints", "Game"]
    assert [(row[1], row[4]) for row in rows] == [(str(fresh(hinted).score), "yes"), ("95", "")]
    assert rows[1] == [
        f"{late.ended_at:%Y-%m-%d %H:%M}",
        "95",
        "18",
        "solo games",
        "",
        f"http://testserver{late.game.get_absolute_url()}",
    ]
    assert RESULTS in client_of(ines).get("/solo/").text


def test_a_visitor_has_no_table_of_results(client: Client) -> None:
    assert client.get(RESULTS).status_code == 302
    assert RESULTS not in client.get("/solo/").text
