"""The daily deal: its page before, during and after the attempt of the viewer, its games and leaderboards."""

import uuid
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import DailyDeal, Game, SoloResult, today
from games.services import tables
from games.services.projections import standings
from games.services.solo import daily
from games.services.solo.expert_games import play_same_deal
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import choose_all, people, resign


def attempt_of(name: str) -> Game:
    """Return the finished attempt of this person at the deal of the day."""
    game = play.fresh(daily.begin(*people(name), today()))
    return play.play_all(game, choose_all(play.position_of(game), ("medium",)))


@minor_state
def daily_new() -> Visit:
    for days in (1, 2, 3):
        daily.publish(today() - timedelta(days=days))
    attempt_of("Tobias")
    return Visit("/daily/", people("Ines")[0])


@minor_state
def daily_visitor() -> Visit:
    return Visit("/daily/")


@minor_state
def daily_begun() -> Visit:
    [ines] = people("Ines")
    daily.begin(ines, today())
    return Visit("/daily/", ines)


@minor_state
def daily_game() -> Visit:
    [ines] = people("Ines")
    return Visit(daily.begin(ines, today()).get_absolute_url(), ines)


@state
def daily_finished() -> Visit:
    attempt_of("Tobias")
    attempt_of("Ines")
    return Visit("/daily/", people("Ines")[0])


@minor_state
def daily_yesterday() -> Visit:
    yesterday = daily.publish(today() - timedelta(days=1)).day
    return Visit(f"/daily/{yesterday}/", people("Ines")[0])


@minor_state
def daily_practice() -> Visit:
    """A game that does not count, after its end."""
    [ines] = people("Ines")
    attempt_of("Ines")
    practice = play.fresh(daily.practise(ines, today(), uuid.uuid4()))
    play.play_all(practice, choose_all(play.position_of(practice), ("easy",)))
    return Visit(practice.get_absolute_url(), ines)


@minor_state
def daily_game_of_another() -> Visit:
    return Visit(attempt_of("Tobias").get_absolute_url(), people("Ines")[0], is_refused=True)


@minor_state
def daily_streak() -> Visit:
    """A streak that the deal of today would make longer."""
    [ines] = people("Ines")
    for days in (9, 8, 7, 6, 3, 2, 1):
        result = play.score_of(ines, 100 + days, ended_at=timezone.now() - timedelta(days=days))
        Game.objects.filter(result=result).update(daily=daily.publish(today() - timedelta(days=days)))
        SoloResult.objects.filter(pk=result.pk).update(kind=SoloResult.Kind.DAILY)
    return Visit("/daily/", ines)


@minor_state
def expert_game() -> Visit:
    """The expert's game on the deal of the day, for somebody who has finished it too."""
    finished = attempt_of("Ines")
    game = play.fresh(play_same_deal(finished.key, *people("Ines")))
    play.play_bots(game)
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def expert_score() -> Visit:
    visit = expert_game()
    return Visit(Game.objects.attempts().get().get_absolute_url(), visit.viewer)


@minor_state
def expert_playing() -> Visit:
    finished = attempt_of("Ines")
    play_same_deal(finished.key, *people("Ines"))
    return Visit(finished.get_absolute_url(), people("Ines")[0])


def yesterday_of(game: Game) -> str:
    """Move the day of an attempt, with all that it has stored, to yesterday; return the path of its page."""
    day = today() - timedelta(days=1)
    DailyDeal.objects.filter(pk=game.daily_id).update(day=day)
    return f"/daily/{day}/"


def give_up() -> Game:
    [ines] = people("Ines")
    game = daily.begin(ines, today())
    resign(game, ines)
    return game


@minor_state
def daily_given_up() -> Visit:
    give_up()
    return Visit("/daily/", people("Ines")[0])


@minor_state
def daily_given_up_game() -> Visit:
    return Visit(give_up().get_absolute_url(), people("Ines")[0])


@minor_state
def daily_not_in_time() -> Visit:
    game = daily.begin(*people("Ines"), today())
    play.play_some(game, 6)
    return Visit(yesterday_of(game), people("Ines")[0])


@minor_state
def daily_practice_running() -> Visit:
    visit = daily_not_in_time()
    return Visit(Game.objects.get().get_absolute_url(), visit.viewer)


@minor_state
def daily_not_in_time_game() -> Visit:
    """An attempt that was over after midnight."""
    game = attempt_of("Ines")
    yesterday_of(game)
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def daily_refused() -> Visit:
    """The viewer has as many running solo games as one person may have."""
    [ines] = people("Ines")
    for _game in range(tables.MOST_SOLO_GAMES):
        tables.open_solo(ines)

    def begin(page: Page) -> None:
        page.locator(f"form[action='{reverse('games:daily_start')}'] button").click()
        expect(page.get_by_role("alert")).to_be_visible()

    return Visit("/daily/", ines, after=begin, is_refused=True)


def daily_score_of(user: User, score: int) -> None:
    """Store the result of an attempt at the deal of the day that has no log."""
    result = play.score_of(user, score, tiles=19 + score % 5)
    Game.objects.filter(result=result).update(daily=daily.publish(today()))
    SoloResult.objects.filter(pk=result.pk).update(kind=SoloResult.Kind.DAILY)
    standings.rebuild_standings(user)


@minor_state
def daily_result() -> Visit:
    """The end of an attempt, with the results of others and the expert's on the deal."""
    game = attempt_of("Ines")
    for nth in range(24):
        score = 84 + nth * nth // 4 + 3 * (nth % 5)
        daily_score_of(User.objects.create(username=f"Player-{nth}"), score)
    play.play_bots(play.fresh(play_same_deal(game.key, *people("Ines"))))
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def daily_leaderboard() -> Visit:
    daily_result()
    return Visit("/solo/leaderboard/?kind=daily&measure=best&period=day", people("Ines")[0])
