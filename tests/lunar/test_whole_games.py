"""Whole games of LUNAR without scripts: through the links and forms of the board, and in text mode."""

import uuid
from random import Random

import pytest
from django_webtest import DjangoTestApp
from webtest import TestResponse

from games.lunar.engine import Stage
from games.models import Game
from games.services.play import play
from tests.lunar.games import lunar_game, position_of, user_of
from tests.play import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt"), pytest.mark.whole]

# Each list of cards, or of tiles, that a player can choose.
LISTS = {"": "#hand ul, .sky ul, #tiles", "text/": ".move ul.options"}


def links(page: TestResponse, part: str) -> list[list[str]]:
    """Return the addresses of what can be chosen, for each list."""
    lists = page.html.select(LISTS[part])
    return [[a["href"] for a in one.select("a[href]:not([aria-disabled])")] for one in lists]


def take_a_turn(page: TestResponse, part: str, rng: Random, *, is_passing: bool) -> TestResponse:
    """Follow the links of what is chosen, and send the form that confirms it."""
    if is_passing:
        for fan in range(2):
            for place in range(2):
                page = page.goto(links(page, part)[fan][place])
    else:
        page = page.goto(rng.choice([href for one in links(page, part) for href in one]))
    # Another form asks others for a take-back.
    [form] = {form for form in page.forms.values() if "do" in form.fields and "purpose" not in form.fields}
    return form.submit().follow()


def others_play(game: Game, rng: Random) -> None:
    """Play for everybody else until the first seat is awaited."""
    while 0 not in (awaited := position_of(game).awaited) and awaited:
        seat = min(awaited)
        action = rng.choice(list(position_of(game).legal(seat)))
        play(game.key, user_of(game, seat), action, fresh(game).version + 1, uuid.uuid4())


@pytest.mark.parametrize(("seats", "part"), [(2, ""), (4, "text/")], ids=["board", "text"])
def test_a_whole_game_without_scripts(django_app: DjangoTestApp, seats: int, part: str) -> None:
    game, rng = lunar_game(seats, points=[20] * 13), Random(4)
    path, user = f"{game.get_absolute_url()}{part}", user_of(game, 0)
    while not fresh(game).is_over:
        others_play(game, rng)
        if fresh(game).is_over:
            break
        version, is_passing = fresh(game).version, position_of(game).stage is Stage.PASSING
        page = take_a_turn(django_app.get(path, user=user), part, rng, is_passing=is_passing)
        assert page.request.path == path
        assert fresh(game).version > version
    main = django_app.get(path, user=user).html.select_one("main").text
    has_won = position_of(game).places[0] == 1
    assert ("You win" if seats == 2 else "You and Mina win") in main or not has_won
    assert has_won or "Tobias" in main
