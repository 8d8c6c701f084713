"""On wide screens, the cards have the room that the window has, and nothing of a turn is out of sight."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from tests.browser.conftest import OpenAs, Show
from tests.browser.lunar.games import game_of, in_trick, mover_of
from tests.browser.states import STATES
from tests.browser.states.lunar import in_first_trick_of_second_round

pytestmark = pytest.mark.django_db(transaction=True)


def box_of(page: Page, selector: str, edge: str) -> list[float]:
    boxes = f"all => all.map(one => one.getBoundingClientRect().{edge})"
    return page.locator(selector).evaluate_all(boxes)


@pytest.mark.parametrize(
    "name", ["two-early-tip", *(pytest.param(name, marks=pytest.mark.whole) for name in ("trick", "trump"))]
)
def test_the_cards_fill_the_table(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 1440, "height": 900})
    for width, height, card in ((1440, 900, 100), (1280, 720, 60)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        assert min(box_of(page, ".trick__card, .sky .card, .trump", "width")) >= card, width
        assert max(box_of(page, "#hand .card", "bottom")) <= box_of(page, "#bar", "top")[0] + 4, width
        assert box_of(page, "#bar", "bottom")[0] <= height, width


def test_the_result_of_each_round_is_in_sight_and_steps_stay_in_their_places(show: Show) -> None:
    page = show(STATES["lunar-over"](), viewport={"width": 1440, "height": 900})
    for part in (".points .rounds", ".points-chart", "#bar"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert box_of(page, "#bar", "bottom")[0] <= box_of(page, ".points__parts", "top")[0]
    top = box_of(page, "#bar", "top")
    page.locator("#bar [data-step=previous]").click()
    expect(page.locator("#game.is-past")).to_be_visible()
    assert box_of(page, "#bar", "top") == top


@pytest.mark.parametrize("name", ["over", "trick"])
def test_chat_and_note_cover_nothing_and_the_page_has_no_hole(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 1440, "height": 900})
    for width, height in (1440, 900), (1280, 720):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        if height == 900 or name == "over":
            assert max(box_of(page, ".game__side > *", "bottom")) <= box_of(page, ".talk", "top")[0] + 12
        lowest = max(box_of(page, ".game__mine, .game__side", "bottom"))
        assert box_of(page, "#game", "bottom")[0] - lowest <= 40, width
    page.set_viewport_size({"width": 834, "height": 1112})
    [height], [bottom] = (box_of(page, ".game__log", edge) for edge in ("height", "bottom"))
    assert height >= 200
    assert box_of(page, ".game__about", "top")[0] >= bottom


def test_a_long_text_about_a_past_action_leaves_the_hand_in_sight(show: Show) -> None:
    page = show(STATES["lunar-two-first-trick"](), viewport={"width": 1440, "height": 900})
    page.locator(".log a", has_text="Round 1 is over").click()
    expect(page.locator("#game.is-past")).to_be_visible()
    expect(page.locator("#prompt-detail")).to_contain_text("Round 1 is over")
    assert box_of(page, "#hand", "bottom")[0] <= box_of(page, "#bar", "top")[0]


def test_the_last_trick_opens_beside_its_button_and_leaves_the_table_in_sight(show: Show) -> None:
    page = show(STATES["lunar-out"](), viewport={"width": 1440, "height": 900})
    gap = box_of(page, ".last__panel", "left")[0] - box_of(page, "#last-trick > summary", "right")[0]
    assert 0 <= gap < 44
    assert box_of(page, ".last__panel", "left")[0] >= box_of(page, "#felt", "right")[0]
    assert box_of(page, ".last__panel", "right")[0] <= 1440
    expect(page.locator(".last__panel")).to_be_in_viewport(ratio=1)
    expect(page.locator(".out__cards li")).to_have_count(12)


def test_the_points_of_the_house_are_marked_in_the_past_and_beside_an_open_chat(show: Show) -> None:
    page = show(STATES["lunar-past"](), viewport={"width": 1440, "height": 900})
    expect(page.locator(".track__note")).to_be_visible()
    page.locator(".chat > summary").click()
    expect(page.locator(".track__note")).to_be_visible()


@pytest.mark.parametrize("seats", [2, 4])
def test_all_players_and_the_history_stay_in_sight_beside_an_open_chat(open_as: OpenAs, seats: int) -> None:
    game = game_of(seats, in_trick(2, 1), pace=Game.Pace.LIVE)
    page = open_as(mover_of(game), game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    for is_open in (False, True):
        if is_open:
            before = box_of(page, ".player, .game__log", "top")
            page.locator(".chat > summary").evaluate("summary => summary.click()")
            expect(page.locator(".chat")).to_have_attribute("open", "")
            assert box_of(page, ".player, .game__log", "top") == before
        [talk] = box_of(page, ".talk", "top")
        assert len(box_of(page, ".player", "bottom")) == seats
        assert max(box_of(page, ".player, .game__log", "bottom")) <= talk


def test_the_history_shows_the_action_that_the_board_shows(open_as: OpenAs) -> None:
    game = game_of(2, in_trick(4, 1), pace=Game.Pace.LIVE)
    url = f"{game.get_absolute_url()}?at=5"
    page = open_as(mover_of(game), url, viewport={"width": 1440, "height": 900})
    expect(page.locator(".log .is-shown")).to_be_in_viewport(ratio=1)
    assert box_of(page, ".log .is-shown", "bottom")[0] <= box_of(page, ".talk", "top")[0]


def test_a_short_hand_has_no_hole(show: Show) -> None:
    page = show(STATES["lunar-two-late"](), viewport={"width": 1440, "height": 900})
    cards = sorted(box_of(page, "#hand .card", "left"))
    assert len(cards) < 6
    assert all(right - left < 1.6 * 99 for left, right in pairwise(cards))


def test_a_lesson_about_points_has_the_track_in_sight(show: Show) -> None:
    page = show(STATES["lunar-lesson-4"](), viewport={"width": 1440, "height": 900})
    page.evaluate("scrollTo({ top: document.querySelector('.lesson').offsetTop, behavior: 'instant' })")
    assert min(box_of(page, ".trick__card", "width")) >= 64
    assert box_of(page, ".track__fields", "bottom")[0] <= 900
    assert box_of(page, ".track__sides", "bottom")[0] <= 900


def test_the_result_of_a_round_leaves_room_for_all_names(show: Show) -> None:
    page = show(STATES["lunar-next-round"](), viewport={"width": 900, "height": 700})
    for width, height in (900, 700), (1100, 800):
        page.set_viewport_size({"width": width, "height": height})
        for name in page.locator(".seat__name b").all():
            assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), width
        [table] = box_of(page, "#felt", "right")
        assert max(box_of(page, ".seat *", "right")) <= table, width


@pytest.mark.parametrize("pace", ["", Game.Pace.LIVE])
def test_badges_beside_long_names_are_one_line(open_as: OpenAs, pace: str) -> None:
    game = game_of(2, in_trick(2, 1), names=("Distant-Nebula", "Curious-Meteor"), pace=pace)
    User.objects.update(is_guest=True)
    page = open_as(mover_of(game), game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    for query in ("", "?at=4"):
        page.goto(game.get_absolute_url() + query)
        expect(page.locator(".player .badge")).to_have_count(2)
        assert max(box_of(page, ".player .badge", "height")) < 26
        assert max(box_of(page, ".player", "height")) < 40
        name = page.locator(".player__name").first
        assert name.evaluate("name => name.clientWidth") > 90


def test_who_won_the_last_trick_of_a_round_covers_no_caption_and_stays_on_the_table(open_as: OpenAs) -> None:
    game = game_of(2, in_first_trick_of_second_round, names=("Distant-Nebula", "Curious-Meteor"))
    page = open_as(mover_of(game), game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    page.locator(".log a", has_text="Round 1 is over").click()
    expect(page.locator("#game.is-past")).to_be_visible()
    for width, height in ((1440, 900), (1280, 720), (834, 1112)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator("#trick-won")).to_be_visible()
        [top] = box_of(page, "#trick-won > span", "top")
        assert max(box_of(page, ".trick small", "bottom")) <= top, width
        assert box_of(page, "#trick-won > span", "bottom")[0] + 3 <= box_of(page, "#felt", "bottom")[0], width
