"""The page of the daily deal, before, during and after the viewer's attempt."""

import uuid
from datetime import timedelta

from django.utils import timezone

from games.models import Game, SoloResult, today
from games.services import daily
from games.services.expert_games import play_same_deal
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import choose_all, people


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
