"""The first seconds of a fast live game, which do not count: clocks say so, and show what a player has."""

import re

import pytest

from games.services import tables
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, mover, person, play_one

pytestmark = pytest.mark.django_db

CLOCK = re.compile(
    r'<span class="ticking num( is-running)?">.*?role="timer".*?>(\d+:\d\d)\s*</span>',
    re.DOTALL,
)


def clocks_of(page: str) -> set[tuple[bool, str]]:
    """Return what the clocks of the players show, and whether they run."""
    return {(bool(runs), left) for runs, left in CLOCK.findall(page)}


def test_a_clock_runs_only_after_the_head_start_and_then_shows_the_added_seconds(clock: FrozenClock) -> None:
    game = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="live3"))
    tables.join(game.key, person("Tobias"))
    first, watcher = mover(game), client_of(person("Noor"))

    def page() -> str:
        return watcher.get(game.get_absolute_url()).text

    assert clocks_of(page()) == {(False, "3:00")}
    assert "starts in <span data-seconds>15</span> s" in page()
    assert re.search(r"<title>.*3:00", client_of(first).get(game.get_absolute_url()).text, re.DOTALL)
    clock.move_on(seconds=10)
    while mover(game) == first:
        play_one(fresh(game))
    assert clocks_of(page()) == {(False, "3:05"), (False, "3:00")}
    assert "starts in <span data-seconds>5</span> s" in page()
    clock.move_on(seconds=6)
    assert clocks_of(page()) == {(False, "3:05"), (True, "2:59")}
    assert "starts in" not in page()


def test_a_clock_that_runs_at_once_says_nothing_about_its_start(clock: FrozenClock) -> None:
    game = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="live"))
    tables.join(game.key, person("Tobias"))
    page = client_of(person("Noor")).get(game.get_absolute_url()).text
    assert clocks_of(page) == {(True, "10:00"), (False, "10:00")}
    assert "starts in" not in page
