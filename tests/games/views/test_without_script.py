"""A browser without JavaScript can play a whole game through links and forms."""

import random
from collections.abc import Callable

import pytest
from django_webtest import DjangoTestApp
from webtest import TestResponse

from accounts.models import User
from games.models import Game
from games.services import bots
from tests.play import fresh, game_of, mover, person, play_out, play_some

pytestmark = pytest.mark.django_db


def play_bot_turns(game: Game) -> None:
    """Take the turns of the bots, as workers do."""
    while fresh(game).is_running and game.seats.get(number=fresh(game).to_move).bot:
        bots.take_turn(game.pk, fresh(game).version + 1)


def links(page: TestResponse, part: str) -> list[str]:
    return [a["href"] for a in page.html.select("#game a[href]") if part in a["href"]]


def take_a_turn(page: TestResponse, rng: random.Random) -> TestResponse:
    """Choose a tile, choose a cell and confirm, or refill if nothing else is possible."""
    tiles = [href for href in links(page, "tile=") if "x=" not in href]
    if not tiles:
        return confirm(page, "refill")
    page = page.goto(rng.choice(tiles))
    cells = [href for href in links(page, "tile=") if "x=" in href]
    return confirm(page.goto(rng.choice(cells)), "place")


def confirm(page: TestResponse, do: str) -> TestResponse:
    [form] = {form for form in page.forms.values() if "do" in form.fields and form["do"].value == do}
    return form.submit().follow()


def play_to_the_end(page: TestResponse, game: Game, others: Callable[[], None]) -> TestResponse:
    rng = random.Random(7)
    for _turn in range(120):
        if fresh(game).is_over:
            return page.goto(page.request.path)
        page = take_a_turn(page, rng)
        others()
        page = page.goto(page.request.path)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_player_checks_again_while_a_bot_thinks(django_app: DjangoTestApp, ines: User, mode: str) -> None:
    game = game_of(ines, bots=("easy",))
    while game.seats.get(number=fresh(game).to_move).user:
        play_some(game, 1)
    page = django_app.get(f"{game.get_absolute_url()}{mode}", user=ines)
    assert "is thinking" in page
    assert "is thinking" in page.click("Check again")
    play_bot_turns(game)
    page = page.click("Check again")
    assert "Your turn" in page
    assert "Check again" not in page


@pytest.mark.whole
def test_a_whole_game_against_a_bot(django_app: DjangoTestApp, ines: User) -> None:
    home = django_app.get("/", user=ines)
    form = next(form for form in home.forms.values() if "seat_count" in form.fields)
    form["opponents"], form["seat_count"], form["level"] = "bots", "2", "easy"
    page = form.submit().follow()
    game = Game.objects.get()
    play_bot_turns(game)
    page = page.goto(page.request.path)

    page = play_to_the_end(page, game, lambda: play_bot_turns(game))

    game = fresh(game)
    winner = game.seats.get(number=game.winner)
    assert str(winner.name) in page.html.select_one("#game").text or winner.user == ines
    assert not links(page, "tile=")


@pytest.mark.whole
def test_a_whole_solo_game_to_the_leaderboard(django_app: DjangoTestApp, ines: User) -> None:
    solo = django_app.get("/solo/", user=ines)
    start = next(form for form in solo.forms.values() if form.action.endswith("/solo/start/"))
    page = start.submit().follow()
    game = Game.objects.get()

    page = play_to_the_end(page, game, lambda: None)

    score = str(fresh(game).score)
    assert score in page.html.select_one("#game").text
    board = django_app.get("/solo/leaderboard/", user=ines)
    assert "Ines" in board.text
    assert score in board.html.select_one("main").text


def test_a_choice_can_be_undone_before_it_is_confirmed(django_app: DjangoTestApp, ines: User) -> None:
    solo = django_app.get("/solo/", user=ines)
    page = (
        next(form for form in solo.forms.values() if form.action.endswith("/solo/start/")).submit().follow()
    )
    chosen = page.goto(links(page, "tile=")[0])
    assert links(chosen, "x=")
    [undo] = {
        a["href"] for a in chosen.html.select("#game a[href]") if "Undo" in (a.get("aria-label") or a.text)
    }
    assert not links(chosen.goto(undo), "x=")
    assert fresh(Game.objects.get()).version == 0


def test_resigning_needs_a_confirmation(django_app: DjangoTestApp, ines: User) -> None:
    solo = django_app.get("/solo/", user=ines)
    page = (
        next(form for form in solo.forms.values() if form.action.endswith("/solo/start/")).submit().follow()
    )
    assert not [form for form in page.forms.values() if "do" in form.fields and form["do"].value == "resign"]
    asked = page.goto(links(page, "resign")[0])
    assert Game.objects.get().is_running
    confirm(asked, "resign")
    assert Game.objects.get().is_over


def test_the_log_shows_its_earlier_actions_on_request_and_around_the_shown_action(
    django_app: DjangoTestApp, ines: User
) -> None:
    game = play_some(game_of(ines, person("Tobias")), 30, random.Random(3))
    page = django_app.get(game.get_absolute_url(), user=ines)
    assert len(page.html.select("#log .log__entry")) < 30
    everything = page.click("earlier action")
    assert len(everything.html.select("#log .log__entry")) == 30
    past = everything.click(linkid="log-2$")
    [shown] = past.html.select("#log .is-shown")
    assert shown["id"] == "log-2"
    recent = page.goto(f"{game.get_absolute_url()}?at=29")
    assert recent.click("earlier action").request.params["at"] == "29"


def test_the_bar_leads_from_the_end_into_the_past(django_app: DjangoTestApp, ines: User) -> None:
    game = play_out(game_of(ines, person("Tobias")))
    end = django_app.get(game.get_absolute_url(), user=ines)
    assert not end.html.select("#bar #back")
    last = end.html.select_one('#bar [data-step="previous"]')
    past = end.goto(last["href"])
    assert f"After action {game.actions.count() - 1}" in past.html.select_one("#prompt").text
    assert past.html.select("#bar #back")


def test_the_bar_leads_to_the_past_and_back_to_the_choice(django_app: DjangoTestApp, ines: User) -> None:
    game = play_some(game_of(ines, person("Tobias")), 6)
    page = django_app.get(game.get_absolute_url(), user=mover(game))
    chosen = page.goto(links(page, "tile=")[0])
    past = chosen
    for _step in range(2):
        past = past.goto(past.html.select_one('#bar [data-step="previous"]')["href"])
    assert "After action 4" in past.html.select_one("#prompt").text
    assert not past.html.select("#game [role=alert]")
    now = past.goto(past.html.select_one("#back")["href"])
    assert now.html.select_one("#prompt-title") == chosen.html.select_one("#prompt-title")
