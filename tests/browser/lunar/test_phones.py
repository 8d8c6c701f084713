"""On phones and a tablet, all that a turn of LUNAR needs is in sight, and nothing covers it."""

from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Action, Game, Vote
from games.services import votes
from tests import play
from tests.browser.conftest import OpenAs, Show
from tests.browser.lunar.games import game_of, in_trick, mover_of, position_of, user_at
from tests.browser.states import STATES
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((320, 568), (320, 640), (360, 740), (390, 844), (844, 390), (1024, 768))
PARTS = (
    ".hand .card, .trick__card, .sky .card, .trump, .passing__slot, .seat:not(.seat--south) .backs, "
    "#confirm:not([aria-disabled])"
)
# Upright, it is between the hand and the action bar.
OWN_CLOCK = ".hand__clock [role=timer]"
# For two, they say who played what from where, in two lines. In a low window the bar may cover them.
CAPTIONS = ".felt--2 .trick [data-played] small"

# Returns the parts whose given point, in pixels from their upper left corner, is out of sight.
COVERED = """([parts, point]) => [...document.querySelectorAll(parts)]
    .filter((part) => {
        const { left, top } = part.getBoundingClientRect();
        const seen = document.elementFromPoint(left + point, top + point);
        return !seen || !(part.contains(seen) || seen.contains(part) && seen.closest("li, p"));
    })
    .map((part) => part.id || part.className)"""

# Returns the lower edge of the suits in the hand, in pixels from the top of the window.
LOWEST_SUIT = """() => Math.max(...[...document.querySelectorAll(".fan--s .card")]
    .map((card) => card.getBoundingClientRect().bottom))"""

# Returns how many pixels beside each other press each card.
PRESSED_WIDTHS = """(cards) => cards.map((card) => {
    const { left, right, top } = card.getBoundingClientRect();
    const width = Math.ceil(right - left) + 20;
    const places = [...Array(width).keys()].map((place) => Math.floor(left) - 10 + place);
    return places.filter((x) => card.contains(document.elementFromPoint(x, top + 20))).length;
})"""


@pytest.mark.parametrize(
    "name",
    [
        *("must-follow", "passing", "two", "live-tip"),
        *(
            pytest.param(name, marks=pytest.mark.whole)
            for name in (
                *("first-trick", "trick", "trump", "chosen", "next-round"),
                *("two-trump", "two-early-tip"),
            )
        ),
    ],
)
def test_all_that_a_turn_needs_is_in_sight(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 320, "height": 640})
    covered = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        clock = OWN_CLOCK if width < height else ".seat--south [role=timer]"
        for parts, point in (PARTS, 16), (clock, 8):
            covered += [f"{width} px: {part}" for part in page.evaluate(COVERED, [parts, point])]
        if width < height:
            covered += [f"{width} px: caption {part}" for part in page.evaluate(COVERED, [CAPTIONS, 16])]
    assert covered == []


@pytest.mark.parametrize("name", ["two-trump", "two-first-trick"])
def test_the_table_of_a_later_round_ends_above_the_hand(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 390, "height": 844})
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    edges = [one.bounding_box() for one in (page.locator("#felt"), page.locator("#hand"))]
    assert edges[0]["y"] + edges[0]["height"] <= edges[1]["y"]


def test_the_own_clock_is_above_the_hand_with_cards_of_the_partner(open_as: OpenAs) -> None:
    game = game_of(4, lambda position: len(position.trick) == 3, pace=Game.Pace.LIVE)
    page = open_as(mover_of(game), game.get_absolute_url(), viewport={"width": 390, "height": 844})
    expect(page.locator(".hand__received")).to_be_visible()
    for width, height in (390, 844), (390, 780), (320, 640):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED, [OWN_CLOCK, 8]) == [], width


def test_a_plan_that_is_made_leaves_the_trick_and_both_clocks_in_sight(open_as: OpenAs) -> None:
    names = ("Gentle-Comet", "Amber-Nebula-7")
    game = game_of(2, in_trick(1, 1), names=names, pace=Game.Pace.LIVE)
    User.objects.update(tips=False)
    user = user_at(game, 1 - min(position_of(game).awaited))
    page = open_as(user, game.get_absolute_url(), viewport={"width": 320, "height": 568})
    parts = page.locator("#trick, #hand, #bar")
    tops = """all => {
        scrollTo({ top: 0, behavior: 'instant' });
        return all.map((one) => one.getBoundingClientRect().top);
    }"""
    before = parts.evaluate_all(tops)
    name = page.locator(".seat--north .seat__name b")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
    page.locator("#plan-start").click()
    page.locator(".sky button").first.click()
    expect(page.locator("#plan")).to_be_visible()
    assert page.evaluate(COVERED, [OWN_CLOCK, 8]) == []
    page.locator("#plan-done").click()
    saved = page.locator("#plan-saved")
    expect(saved).to_be_visible()
    expect(page.locator("#plan")).to_be_hidden()
    assert parts.evaluate_all(tops) == before
    assert page.evaluate(COVERED, [f"{OWN_CLOCK}, .seat--north [role=timer]", 8]) == []
    for width, height in (320, 568), (390, 844):
        page.set_viewport_size({"width": width, "height": height})
        assert saved.evaluate("one => one.offsetHeight") == 44, width


def test_the_reason_of_a_dimmed_card_is_whole_in_the_bar(show: Show) -> None:
    page = show(STATES["lunar-must-follow"](), viewport={"width": 320, "height": 640})
    page.locator(".hand a.card.is-out").first.dispatch_event("click")
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text("so you can't play another suit.")
    assert prompt.evaluate("text => text.scrollHeight <= text.clientHeight")


@pytest.mark.parametrize(
    "name",
    [
        *("two-tip", "two-trump", "must-follow"),
        *(
            pytest.param(name, marks=pytest.mark.whole)
            for name in ("two-tip-waiting", "two-first-trick", "two")
        ),
    ],
)
def test_the_bar_covers_little_of_the_suits(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 390, "height": 800})
    for width, height in ((390, 800), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # as after a live update
        top = page.locator("#bar").evaluate("bar => bar.getBoundingClientRect().top")
        assert page.evaluate(LOWEST_SUIT) <= top + 12, width


def test_a_tip_is_a_line_that_unfolds_over_the_table(show: Show) -> None:
    page = show(STATES["lunar-live-tip"](), viewport={"width": 320, "height": 640})
    parts = page.locator("#felt, .trick__card, #hand .card")
    boxes = "all => all.map((one) => [one.offsetWidth, one.offsetTop])"
    before = parts.evaluate_all(boxes)
    text = page.locator("#tip > p")
    expect(text).to_be_hidden()
    page.locator("#tip > summary").press("Enter")
    expect(text).to_contain_text("You can play any rank.")
    expect(text).not_to_contain_text("Tip:", use_inner_text=True)
    expect(text).to_be_in_viewport(ratio=1)
    assert parts.evaluate_all(boxes) == before
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()
    page.locator("#tip > summary").press("Enter")
    expect(text).to_be_visible()
    page.locator("#prompt-title").click()
    expect(text).to_be_hidden()
    page.get_by_role("button", name="Hide tips").click()
    expect(text).to_have_count(0)
    assert [width for width, _top in parts.evaluate_all(boxes)] == [width for width, _top in before]


@pytest.mark.parametrize("name", ["two-early-tip", pytest.param("two-lead", marks=pytest.mark.whole)])
def test_each_card_of_the_sky_is_as_wide_as_a_finger(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 320, "height": 568})
    widths = page.locator(".sky a.card").evaluate_all(PRESSED_WIDTHS)
    assert len(widths) >= 3
    assert min(widths) >= 43


def test_the_number_of_tricks_is_in_sight(show: Show) -> None:
    page = show(STATES["lunar-trick"](), viewport={"width": 320, "height": 640})
    assert page.evaluate(COVERED, [".strip .disc-mark", 6]) == []
    fields = page.locator(".strip__field").evaluate_all(
        "all => all.map((one) => Boolean(one.querySelector('.disc-mark')))"
    )
    assert [tricks for tricks, has_side in enumerate(fields) if has_side] == [0, 4]


@pytest.mark.parametrize("width", [320, 390])
def test_every_player_has_a_name_and_a_sign_at_the_table(show: Show, width: int) -> None:
    page = show(STATES["lunar-trick"](), viewport={"width": width, "height": 640})
    for seat in page.locator(".seat").all():
        expect(seat.locator(".seat__name b")).to_be_visible()
        assert seat.locator(".seat__name b").evaluate("name => name.scrollWidth <= name.clientWidth")
        expect(seat.locator(".disc-mark")).to_be_visible()
    expect(page.locator(".seat--north").get_by_text("your partner")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390])
def test_the_table_keeps_its_height_when_a_turn_begins(show: Show, width: int) -> None:
    heights = set()
    for name in ("trick", "waiting"):
        visit = STATES[f"lunar-{name}"]()
        User.objects.update(tips=False)
        page = show(visit, viewport={"width": width, "height": 932})
        heights.add(page.locator("#felt").evaluate("felt => felt.offsetHeight"))
    assert len(heights) == 1


def test_unfolded_actions_leave_the_table_in_its_place(show: Show) -> None:
    visit = STATES["lunar-trick"]()
    User.objects.update(tips=False)  # A tip takes the place of the actions.
    page = show(visit, viewport={"width": 320, "height": 640})
    top = page.locator("#felt").evaluate("felt => felt.offsetTop")
    expect(page.locator(".recent__step").first).to_be_visible()
    page.locator("#recent > summary").click()
    expect(page.locator("#recent .log__entry").first).to_be_visible()
    assert page.locator("#felt").evaluate("felt => felt.offsetTop") == top


def test_the_text_of_a_moment_in_the_past_has_whole_lines(show: Show) -> None:
    page = show(STATES["lunar-past"](), viewport={"width": 320, "height": 568})
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text("After action 14")
    assert prompt.evaluate("text => text.clientWidth") >= 280
    for step in page.locator(".bar__steps > [data-step]:visible, #back").all():
        expect(step).to_be_in_viewport(ratio=1)


def test_an_action_of_the_history_shows_the_whole_table(show: Show) -> None:
    page = show(STATES["lunar-trick"](), viewport={"width": 390, "height": 844})
    page.locator(".log a:not(#older)").nth(3).click()
    expect(page.locator("#game.is-past")).to_be_visible()
    expect(page.locator("#felt")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(page.locator("#game.is-past")).to_have_count(0)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_bar_of_a_phone_keeps_its_height_and_its_whole_text_in_all_states_of_play(
    open_as: OpenAs, seats: int
) -> None:
    game = game_of(seats, lambda _position: True, pace=Game.Pace.LIVE)
    ines, rng = user_at(game, 0), Random(2)
    page = open_as(ines, game.get_absolute_url())
    heights: dict[str, float] = {}
    cut: list[str] = []
    for _action in range(14):
        wait_for_version(page, play.fresh(game).live_version)
        for width, height in (320, 568), (390, 844):
            page.set_viewport_size({"width": width, "height": height})
            box = page.locator("#bar").bounding_box()
            assert box
            text = f"{width} px: {page.locator('#prompt').inner_text()}"
            heights[text] = box["height"]
            if page.locator("#prompt").evaluate("text => text.scrollHeight > text.clientHeight"):
                cut.append(text)
            cut += [f"{text}: {part}" for part in page.evaluate(COVERED, [OWN_CLOCK, 8])]
        position = position_of(game)
        seat = min(position.awaited)
        action = rng.choice(list(position.legal(seat)))
        play.play(game.key, user_at(game, seat), action, play.fresh(game).version + 1, uuid4())
    assert len(heights) > 10
    assert set(heights.values()) == {68}, heights
    assert cut == []


def test_a_question_leaves_the_bar_of_a_phone_its_height_and_confirm(open_as: OpenAs) -> None:
    game = game_of(4, in_trick(3, 1), pace=Game.Pace.LIVE)
    latest = Action.objects.filter(game=game).latest("number")
    asker = user_at(game, latest.seat)
    page = open_as(mover_of(game), game.get_absolute_url(), viewport={"width": 320, "height": 568})
    votes.start(game.key, asker, Vote.Purpose.TAKE_BACK, number=latest.number)
    agree = page.get_by_role("button", name="Agree")
    confirm = page.get_by_role("button", name="Confirm")
    expect(agree).to_be_in_viewport(ratio=1)
    assert page.locator("#bar").evaluate("bar => bar.offsetHeight") == 68
    expect(page.locator("#vote .log__tile")).to_be_visible()
    prompt = page.locator("#prompt")
    expect(prompt).to_be_in_viewport(ratio=1)
    chat = page.locator("#bar-chat")
    right = "chat => innerWidth - chat.getBoundingClientRect().right"
    page.set_viewport_size({"width": 390, "height": 844})
    place = chat.evaluate(right)
    page.locator(".hand a.card:not([aria-disabled])").first.click()
    for width, height in (320, 568), (390, 844):
        page.set_viewport_size({"width": width, "height": height})
        for button in agree, page.get_by_role("button", name="Decline"), confirm, prompt:
            expect(button).to_be_in_viewport(ratio=1)
        assert agree.evaluate("one => getComputedStyle(one).backgroundColor") != confirm.evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )
        question = page.locator("#vote > p")
        expect(question).to_contain_text("The game then does not count.")
        assert question.evaluate("text => text.scrollHeight <= text.clientHeight"), "it is whole"
        assert page.locator("#bar").evaluate("bar => bar.offsetHeight") == 68
    expect(chat).to_be_in_viewport(ratio=1)
    assert chat.evaluate(right) == place
    page.get_by_role("button", name="Decline").press("Enter")  # Only the keyboard answers so soon.
    expect(agree).to_have_count(0)
    confirm.click()
    expect(page.locator("#game")).not_to_have_attribute("data-turn", "mine")


@pytest.mark.parametrize(("seats", "is_over"), [(2, True), (4, True), (4, False)])
def test_the_table_and_the_bar_of_the_past_keep_their_height(
    open_as: OpenAs, seats: int, is_over: bool
) -> None:
    names = ("Distant-Meteorite", "Zhenyi-of-the-Stars", "Ida", "Bo")
    game = game_of(seats, lambda position: not is_over and len(position.tricks) == 9, names=names)
    page = open_as(user_at(game, 0), game.get_absolute_url(), viewport={"width": 390, "height": 844})
    heights, narrow = set(), set()
    for number in (*range(3, 8), *range(38, 46)) if is_over else range(36, game.version):
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(page.url.partition("?")[0] + f"?at={number}")
        heights.add(
            page.locator("#felt, #bar").evaluate_all("all => all.map((one) => one.offsetHeight).join()")
        )
        page.set_viewport_size({"width": 320, "height": 568})
        narrow.add(page.locator("#bar").evaluate("bar => bar.offsetHeight"))
    assert len(heights) == 1, heights
    assert len(narrow) == 1, narrow


def test_all_hands_are_folded_on_phones_and_stay_as_they_were_left(show: Show) -> None:
    page = show(STATES["lunar-over-past"](), viewport={"width": 390, "height": 844})
    hands, card = page.locator("#hands"), page.locator("#hands .card__art").first
    expect(hands).to_be_visible()
    expect(card).to_be_hidden()
    page.locator("#hands > summary").press("Enter")
    page.locator("#bar [data-step=next]").click()
    expect(page.locator("#prompt")).to_contain_text("After action 41")
    expect(card).to_be_visible()
    page.locator("#hands > summary").press("Enter")
    page.locator("#bar [data-step=next]").click()
    expect(page.locator("#prompt")).to_contain_text("After action 42")
    expect(card).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.reload()
    expect(card).to_be_visible()


def test_steps_leave_the_page_where_the_hands_are_read(show: Show) -> None:
    page = show(STATES["lunar-over"](), viewport={"width": 390, "height": 844})
    page.locator("#bar [data-step=previous]").click()
    expect(page.locator("#game.is-past")).to_be_visible()
    page.locator("#hands > summary").press("Enter")
    page.locator("#hands .hands__table").evaluate("table => table.scrollIntoView({ block: 'center' })")
    top = page.evaluate("scrollY")
    assert top > 0
    for _step in range(3):
        shown = page.locator("#prompt-title").inner_text()
        page.locator("#bar [data-step=previous]").click()
        expect(page.locator("#prompt-title")).not_to_have_text(shown)
    page.wait_for_timeout(400)  # A scroll would have ended.
    assert abs(page.evaluate("scrollY") - top) <= 2
