"""A game played to its end in each way: its last turns, and in `make test-all` a whole one."""

from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import log_in
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

TOUCH = {"has_touch": True, "is_mobile": True, "viewport": {"width": 360, "height": 740}}
NO_SCRIPT = {"java_script_enabled": False}
LAST_TURNS = 5


class Kind(NamedTuple):
    """A way to take a turn, and the browser that is needed for it."""

    way: ways.Way
    browser: dict[str, object] = {}


KINDS = {
    "mouse": Kind(ways.by_mouse),
    "touch": Kind(ways.by_touch, TOUCH),
    "keyboard": Kind(ways.by_keyboard),
    "no script": Kind(ways.without_script, NO_SCRIPT),
}


def near_its_end(game: Game) -> None:
    """Play a game by chance until a few turns before the last tile, or before somebody's last disc."""
    rng = Random(3)
    while True:
        position = play.position_of(game)
        on_wheel = sum(tile is not None for tile in position.wheel.spaces)
        if position.draw_pile + on_wheel <= LAST_TURNS or min(position.discs) <= 2:
            return
        play.play_one(game, rng)


def play_to_the_end(page: Page, game: Game, ines: User, way: ways.Way) -> None:
    rng = Random(5)
    while not play.fresh(game).is_over:
        if play.mover(game) != ines:
            play.play_one(game, rng)
            continue
        version = play.fresh(game).version
        if not page.locator(f"#game[data-version='{version}']").count():
            page.goto(game.get_absolute_url())
        way(page)
        expect(page.locator(f"#game:not([data-version='{version}'])")).to_have_count(1)
        assert play.fresh(game).version > version


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_turns(open_browser: OpenBrowser, server: str, kind: str) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    near_its_end(game)
    see_it_through(open_browser, server, kind, game, ines)


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game(open_browser: OpenBrowser, server: str, kind: str) -> None:
    ines = play.person("Ines")
    see_it_through(open_browser, server, kind, play.game_of(ines, play.person("Tobias")), ines)


def see_it_through(open_browser: OpenBrowser, server: str, kind: str, game: Game, ines: User) -> None:
    way, browser = KINDS[kind]
    page = open_browser(**browser)
    log_in(page.context, ines, server)
    page.goto(game.get_absolute_url())

    play_to_the_end(page, game, ines, way)

    page.goto(game.get_absolute_url())
    expect(page.locator("#game[data-turn=over]")).to_contain_text(
        "1" if play.fresh(game).winner else "You win"
    )
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
