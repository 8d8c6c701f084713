"""The last turns of a game in each way to play; `make test-all` also plays a whole game in each way."""

import re
from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.waits import wait_for_other_version

pytestmark = pytest.mark.django_db(transaction=True)

TOUCH = {"has_touch": True, "is_mobile": True, "viewport": {"width": 360, "height": 740}}
NO_SCRIPT = {"java_script_enabled": False}
LAST_TURNS = 3


class Kind(NamedTuple):
    """A way to take a turn, and the browser options for it."""

    way: ways.Way
    browser: dict[str, object] = {}
    mode: str = ""  # added to the game's address


KINDS = {
    "mouse": Kind(ways.by_mouse),
    "touch": Kind(ways.by_touch, TOUCH),
    "keyboard": Kind(ways.by_keyboard),
    "no script": Kind(ways.without_script, NO_SCRIPT),
    "text": Kind(ways.in_text, NO_SCRIPT, "text/"),
}


def play_until_near_the_end(game: Game) -> None:
    """Play random actions until few tiles, or few discs of a player, are left."""
    position, chosen = play.position_of(game), []
    for action in play.random_actions(position, Random(3)):
        on_wheel = sum(tile is not None for tile in position.wheel.spaces)
        if position.draw_pile + on_wheel <= LAST_TURNS or min(position.discs) <= 2:
            break
        chosen.append(action)
        position = position.apply(action).position
    play.play_all(game, chosen)


def play_to_the_end(page: Page, game: Game, ines: User, kind: Kind) -> None:
    rng = Random(5)
    while not play.fresh(game).is_over:
        if play.mover(game) != ines:
            play.play_one(game, rng)
            continue
        version = play.fresh(game).version
        if kind.mode or not page.locator(f"#game[data-version='{version}']").count():
            page.goto(game.get_absolute_url() + kind.mode)
        kind.way(page)
        if kind.mode:
            expect(page.locator(f".move [name=number][value='{version + 1}']")).to_have_count(0)
        else:
            wait_for_other_version(page, version)
        assert play.fresh(game).version > version


@pytest.mark.parametrize("name", KINDS)
def test_the_last_turns(open_as: OpenAs, name: str) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    play_until_near_the_end(game)
    play_and_check_result(open_as, KINDS[name], game, ines)


@pytest.mark.whole
@pytest.mark.parametrize("name", KINDS)
def test_a_whole_game(open_as: OpenAs, name: str) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    play_and_check_result(open_as, KINDS[name], game, ines)


def play_and_check_result(open_as: OpenAs, kind: Kind, game: Game, ines: User) -> None:
    page = open_as(ines, game.get_absolute_url() + kind.mode, **kind.browser)

    play_to_the_end(page, game, ines, kind)

    page.goto(game.get_absolute_url() + kind.mode)
    outcome = "You win" if play.fresh(game).winner == 0 else "Tobias wins"
    expect(page.locator("main")).to_contain_text(outcome)
    # The board's result has the outcome as its heading.
    result = re.compile(f"^(Result|{outcome})$")
    expect(page.get_by_role("heading", name=result, level=2).last).to_be_visible()
