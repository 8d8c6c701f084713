"""On phones, nothing of the table moves within a round of LUNAR, and no name makes a page wider."""

from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.lunar.engine import Position
from games.models import Game
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.lunar.games import game_of, position_of, user_at
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

# As long as names may be
LONG_NAMES = (
    "Distant-Meteorite-of-the-North",
    "Aryabhata-of-the-Southern-Star",
    "Zhenyi-of-the-Western-Mountain",
    "Maximiliane-von-und-zu-Hohenau",
)
SIZES = ((320, 568), (360, 640), (390, 844))
PHONE = {"is_mobile": True, "has_touch": True, "device_scale_factor": 1}

# Returns the upper edge of each part on the page, by its name.
EDGES = """() => Object.fromEntries(
    [
        ".sky", ".trick", ".seat--north", ".seat--north .ticking", ".seat--west", ".seat--east", "#hand",
        ".felt__signs div:first-child",
    ]
        .map((part) => [part, document.querySelector(part)?.getBoundingClientRect()])
        .filter(([, box]) => box?.width)
        .map(([part, { top }]) => [part, top + scrollY])
)"""


def edges_in(page: Page) -> dict[str, float]:
    """Return the upper edges of the parts of the table, and how much wider the page is than its window."""
    edges: dict[str, float] = page.evaluate(EDGES)
    return {**edges, "wider": page.evaluate("document.scrollingElement.scrollWidth - screen.width")}


@pytest.mark.parametrize(
    ("seats", "actions", "pace"),
    [
        *((2, 14, Game.Pace.LIVE), (4, 20, "")),
        *(pytest.param(seats, 46, "", marks=pytest.mark.whole) for seats in (2, 4)),
    ],
)
def test_the_table_stands_still_within_a_round(open_as: OpenAs, seats: int, actions: int, pace: str) -> None:
    game = game_of(seats, lambda _position: True, names=LONG_NAMES, pace=pace)
    User.objects.update(tips=False)
    page, rng = open_as(user_at(game, 0), game.get_absolute_url(), **PHONE), Random(2)
    found: dict[tuple[str, int], set[float]] = {}
    for _action in range(actions):
        wait_for_version(page, play.fresh(game).live_version)
        position = position_of(game)
        if position.rounds:
            break
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            # The smallest phone shows the strip of the track above the sky only when tricks count.
            if (seats, width, position.stage) == (2, 320, "trump"):
                continue
            for part, edge in edges_in(page).items():
                found.setdefault((part, width), set()).add(edge)
        seat = min(position.awaited)
        action = rng.choice(list(position.legal(seat)))
        play.play(game.key, user_at(game, seat), action, play.fresh(game).version + 1, uuid4())
    assert {(".trick", width) for width, _height in SIZES} <= set(found)
    assert {part: edges for part, edges in found.items() if max(edges) - min(edges) > 1} == {}
    assert {edge for (part, _width), edges in found.items() if part == "wider" for edge in edges} == {0}


@pytest.mark.parametrize("seats", [2, 4])
def test_the_longest_names_make_no_page_of_the_past_wider(open_as: OpenAs, seats: int) -> None:
    def has_had_four_leaders(position: Position) -> bool:
        return len({trick.cards[0].seat for trick in position.tricks}) == seats

    game: Game = game_of(seats, has_had_four_leaders, names=LONG_NAMES)
    page = open_as(user_at(game, 0), game.get_absolute_url(), **PHONE)
    for at in range(game.version - 9, game.version):
        page.goto(page.url.partition("?")[0] + f"?at={at}")
        for width, height in SIZES[::2]:
            page.set_viewport_size({"width": width, "height": height})
            assert edges_in(page)["wider"] == 0, (at, width)
