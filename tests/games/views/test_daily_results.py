"""The end screens of games on daily deals, and how lists name such games."""

import uuid
from collections.abc import Iterator
from datetime import date

import pytest
from bs4 import BeautifulSoup
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import DailyDeal, Game, SoloResult, today
from games.queries.scores import histogram
from games.services import hints
from games.services.projections import standings
from games.services.solo import daily
from tests.clients import client_of
from tests.frozen import FrozenClock, frozen_clock
from tests.play import fresh, person, play_out, play_some, score_of, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[FrozenClock]:
    with frozen_clock() as clock:
        yield clock


def attempt_of(user: User) -> Game:
    return fresh(daily.begin(user, today()))


def practice_of(user: User, day: date) -> Game:
    return fresh(daily.practise(user, day, uuid.uuid4()))


def daily_score_of(user: User, deal: DailyDeal, score: int) -> None:
    """Store the result of an attempt at a daily deal that has no log."""
    result = score_of(user, score)
    Game.objects.filter(pk=result.game_id).update(daily=deal)
    SoloResult.objects.filter(pk=result.pk).update(kind=SoloResult.Kind.DAILY)
    standings.rebuild_standings(user)


def main_of(user: User, path: str) -> BeautifulSoup:
    page = BeautifulSoup(client_of(user).get(path).content, "html.parser")
    for scores in page.select(".leaders, .ranks"):
        scores.decompose()
    return page.select_one("main")


def text_of(user: User, path: str) -> str:
    return " ".join(main_of(user, path).get_text(" ").split())


def test_an_attempt_that_goes_on_past_midnight_is_practice(clock: FrozenClock, ines: User) -> None:
    game = play_some(attempt_of(ines), 3)
    for path in (game.get_absolute_url(), f"{game.get_absolute_url()}text/", "/", "/solo/"):
        assert "Deal of 1 June 2026" in text_of(ines, path), path
        assert "practice" not in text_of(ines, path).replace("for practice", ""), path
    clock.move_on(hours=12)
    paths = (game.get_absolute_url(), f"{game.get_absolute_url()}text/")
    for path in (*paths, "/", "/solo/"):
        assert "Deal of 1 June 2026 practice" in text_of(ines, path), path
    play_out(game)
    for path in (*paths, "/", "/solo/", "/finished/"):
        assert "Deal of 1 June 2026 practice" in text_of(ines, path), path
    assert main_of(ines, paths[0]).select_one("#share") is None


def test_lists_name_the_deal_of_a_game(ines: User) -> None:
    game = play_out(attempt_of(ines))
    play_out(practice_of(ines, today()), seed=2)
    play_some(practice_of(ines, today()), 2)
    play_out(solo_of(ines))
    for path, running in (("/", 1), ("/solo/", 1), ("/finished/", 0)):
        text = text_of(ines, path)
        assert text.count("Deal of 1 June 2026") == 2 + running, path
        assert text.count("Deal of 1 June 2026 practice") == 1 + running, path
    assert "practice" not in main_of(ines, game.get_absolute_url()).select_one(".verdict").text


def test_a_daily_game_is_compared_with_daily_games_and_practice_with_nothing(
    clock: FrozenClock, ines: User
) -> None:
    tobias, noor = person("Tobias"), person("Noor")
    score_of(tobias, 20)
    score_of(ines, 10)
    daily_score_of(ines, daily.publish(today()), 30)
    clock.move_on(days=1)
    daily_score_of(tobias, daily.publish(today()), 40)
    daily_score_of(noor, daily.publish(today()), 5000)
    game = play_out(attempt_of(ines))
    text = text_of(ines, game.get_absolute_url())
    assert "Tobias leads the results of this deal with 40." in text
    assert "Your place: 2." in text
    assert "To beat: 30, the best of your other daily deals." in text
    assert "leaderboard with" not in text
    practice = play_out(practice_of(ines, today()), seed=2)
    text = main_of(ines, practice.get_absolute_url()).select_one(".verdict").text
    assert "A score below 100 is great" in text
    for words in ("To beat", "leads", "You lead", "place"):
        assert words not in text
    play_out(free := solo_of(ines))
    text = text_of(ines, free.get_absolute_url())
    assert "You lead the leaderboard." in text
    assert "To beat: 10, the best of your other games." in text


def test_who_leads_the_deal_reads_so(ines: User) -> None:
    game = play_out(attempt_of(ines))
    assert "You lead the results of this deal." in text_of(ines, game.get_absolute_url())


def test_the_histogram_of_a_daily_game_has_the_results_of_its_deal(
    clock: FrozenClock, ines: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    others = [person(f"P{nth}") for nth in range(13)]
    for other in others:
        daily_score_of(other, daily.publish(today()), 90)
    clock.move_on(days=1)
    game = play_out(attempt_of(ines))
    for other in others[:9]:
        daily_score_of(other, daily.publish(today()), 5000)
    assert histogram(game) is None, "nine others are too few"
    daily_score_of(others[9], daily.publish(today()), 20)
    chart = histogram(game)
    assert (chart.others, chart.better_than) == (10, 90)
    with django_assert_num_queries(3):
        histogram(game)
    assert "All results on this deal" in text_of(ines, game.get_absolute_url())
    practice = play_out(practice_of(ines, today()), seed=2)
    assert histogram(practice).others == 11, "it is none of them"


@pytest.mark.parametrize("is_daily", [True, False])
@pytest.mark.parametrize("with_hint", [True, False])
def test_the_result_has_a_text_to_share(ines: User, *, is_daily: bool, with_hint: bool) -> None:
    game = attempt_of(ines) if is_daily else solo_of(ines)
    if with_hint:
        hints.ask(game.key, ines, 1)
    play_out(game)
    text = main_of(ines, game.get_absolute_url()).select_one("#share").text
    assert text.startswith(f"Nova Luna {'2026-06-01' if is_daily else 'solo'}\n{fresh(game).score} ")
    assert ("💡" in text) == with_hint
    assert text.endswith("/daily/2026-06-01/" if is_daily else "/solo/"), "others find the page"
    assert sum(text.count(moon) for moon in "🌕🌑") == 5
    assert " ".join(text.split()) in text_of(ines, f"{game.get_absolute_url()}text/")
    assert main_of(person("Tobias"), game.get_absolute_url()).select_one("#share") is None
    if is_daily:
        assert main_of(ines, "/daily/").select_one("#share").text == text
