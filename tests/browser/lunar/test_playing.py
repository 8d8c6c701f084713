"""Cards are played by mouse, drag, keys and finger, with and without confirmation, and without scripts."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from games.lunar.engine import Play, Position, Stage
from games.models import Game
from games.services.play import play
from tests.browser.conftest import OpenAs
from tests.browser.lunar.games import game_of, in_trick, mover_of, position_of, user_at
from tests.browser.waits import ACTIONS_IN_SIGHT
from tests.play import fresh

pytestmark = pytest.mark.django_db(transaction=True)

LEGAL = ".hand a.card:not([aria-disabled])"
LONGER_THAN_A_RESULT = 4000  # ms
PHONE = {"width": 390, "height": 844}


def open_trick(open_as: OpenAs, *, confirms: bool = True, **options: object) -> tuple[Game, Page]:
    """Open the page of a player who has some cards that they can't play."""
    game = game_of(4, in_trick(3, 2))
    user = mover_of(game)
    user.confirm_moves = confirms
    user.save()
    return game, open_as(user, game.get_absolute_url(), **options)


def expect_played(game: Game, page: Page) -> None:
    expect(page.locator("#game")).not_to_have_attribute("data-turn", "mine")
    assert fresh(game).version > game.version


def test_a_card_is_chosen_shown_on_the_table_and_confirmed(open_as: OpenAs) -> None:
    game, page = open_trick(open_as)
    page.locator(LEGAL).first.click()
    expect(page.locator(".trick__place.is-now .card__art")).to_be_visible()
    expect(page.locator("#prompt-title")).to_contain_text("Play the")
    page.keyboard.press("Escape")
    expect(page.locator(".trick__place.is-now .card__art")).to_have_count(0)
    chosen = page.locator(LEGAL).last
    chosen.click()
    name = chosen.get_attribute("id") or ""
    page.reload()
    expect(page.locator(".hand .is-chosen")).to_have_id(name)
    page.locator(".hand .is-chosen").click()
    expect_played(game, page)


def wins_and_fills_the_sky(position: Position) -> bool:
    """Return whether the last card of a trick may give the other seat the lead and another sky."""
    return any(gives_lead(position, action) for action in legal_in(position)) and len(position.tricks) > 1


def legal_in(position: Position) -> list[object]:
    return list(position.legal(min(position.awaited))) if len(position.trick) == 3 else []


def gives_lead(position: Position, action: object) -> bool:
    after = position.apply(action).position
    is_filled = any(old != new and new for old, new in zip(position.sky, after.sky, strict=True))
    return after.awaited != position.awaited and bool(after.awaited) and is_filled


@pytest.mark.parametrize("part", [".sky", "#hand"])
def test_a_press_on_a_card_ends_the_animation_and_chooses_it(open_as: OpenAs, part: str) -> None:
    game = game_of(2, wins_and_fills_the_sky)
    position = position_of(game)
    other = mover_of(game)
    page = open_as(
        user_at(game, 1 - min(position.awaited)), game.get_absolute_url(), reduced_motion="no-preference"
    )
    before = set(page.locator(".sky .card[data-card]").evaluate_all("all => all.map((one) => one.id)"))
    action = next(one for one in legal_in(position) if gives_lead(position, one))
    play(game.key, other, action, game.version + 1, uuid4())
    page.locator(".flight-layer").wait_for(state="attached")
    cards = page.locator(f"{part} a.card:not([aria-disabled])").evaluate_all(
        "all => all.map((one) => one.id)"
    )
    [card, *_others] = [name for name in cards if name not in before]
    box = page.locator(f"#{card}").bounding_box()
    assert box
    page.mouse.click(box["x"] + 12, box["y"] + 20)
    expect(page.locator(".flight-layer")).to_have_count(0)
    expect(page.locator(f"#{card}")).to_have_class(re.compile("is-chosen"))


def test_a_card_that_cannot_be_played_says_why_and_chooses_nothing(open_as: OpenAs) -> None:
    game, page = open_trick(open_as)
    out = page.locator(".hand a.card[aria-disabled]").first
    reason = out.get_attribute("data-detail")
    out.click(force=True)
    expect(page.locator("#prompt-detail")).to_have_text(reason or "")
    expect(page.locator("#announcer")).to_contain_text(reason or "")
    expect(page.locator("#confirm")).to_have_attribute("aria-disabled", "true")
    assert fresh(game).version == game.version


def test_one_press_plays_without_confirmation(open_as: OpenAs) -> None:
    game, page = open_trick(open_as, confirms=False, viewport=PHONE, has_touch=True)
    page.locator(LEGAL).first.tap()
    expect_played(game, page)


def test_a_card_is_dragged_to_the_table(open_as: OpenAs) -> None:
    game, page = open_trick(open_as, confirms=False)
    card = page.locator(LEGAL).first
    width = card.evaluate("card => card.offsetWidth")
    card.hover(position={"x": 10, "y": 20})
    page.mouse.down()
    page.locator("#trick").hover()
    picture = page.locator(".dragged")
    assert picture.evaluate("one => one.clientWidth") == width
    assert picture.evaluate("one => one.clientHeight") == pytest.approx(width * 1.4, abs=1), "it is a card"
    page.mouse.up()
    expect_played(game, page)


def test_a_card_is_played_by_keys(open_as: OpenAs) -> None:
    game, page = open_trick(open_as)
    plays = [one for one in position_of(game).legal(min(position_of(game).awaited)) if isinstance(one, Play)]
    page.locator("#game").wait_for()
    page.keyboard.press(plays[0].card[0].lower())
    expect(page.locator("#confirm")).to_be_focused()
    page.locator(f"{LEGAL}.is-chosen").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("a.card:focus")).to_have_count(1)
    for has_focus in (True, False):
        if not has_focus:
            page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        expect(page.locator("#shortcuts")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#shortcuts")).to_be_hidden()
        if has_focus:
            expect(page.locator("a.card:focus")).to_have_count(1)
        else:
            page.keyboard.press("Tab")
            expect(page.locator("#game :focus")).to_have_count(1)
    page.keyboard.press("c")
    expect_played(game, page)


def test_four_cards_are_passed_and_tiles_turn(open_as: OpenAs) -> None:
    game = game_of(4, lambda position: len(position.awaited) == 1)
    page = open_as(mover_of(game), game.get_absolute_url())
    cards = page.locator(".hand a.card")
    for place in (0, 1, 2):
        cards.nth(place).click()
    first = cards.nth(0).get_attribute("data-name")
    expect(page.locator("#prompt-detail")).to_contain_text(f"Back in your hand: {first}.")
    for place in (6, 7):
        cards.nth(place).click()
    expect(page.locator(".hand .is-chosen")).to_have_count(4)
    expect(page.locator(".passing__slot .card__art")).to_have_count(4)
    page.locator("#confirm").click()
    expect(page.locator("#tiles")).to_be_visible()
    assert position_of(game).stage is Stage.TRUMP


def test_a_card_is_played_without_scripts(open_as: OpenAs) -> None:
    game, page = open_trick(open_as, java_script_enabled=False)
    page.locator(LEGAL).first.click()
    page.locator("#confirm").click()
    expect_played(game, page)


def test_a_complete_trick_is_shown_before_it_goes_to_its_winner(open_as: OpenAs) -> None:
    game = game_of(4, in_trick(3, 3))
    page = open_as(mover_of(game), game.get_absolute_url(), reduced_motion="no-preference")
    page.locator(LEGAL).first.click()
    page.locator("#confirm").click()
    expect(page.locator(".flight-layer > svg")).to_have_count(4)
    expect(page.locator(".flight-name")).to_have_count(4)
    expect(page.locator(".flight-layer > svg")).to_have_count(0)
    expect(page.locator("#trick-won")).to_contain_text(" won: ")
    page.locator("#last-trick > summary").click()
    expect(page.locator(".last__cards li")).to_have_count(4)
    page.locator(".hand").click(position={"x": 2, "y": 2})
    expect(page.locator(".last__cards")).to_be_hidden()


def test_on_a_phone_no_name_covers_the_own_seat_at_the_end_of_a_trick(open_as: OpenAs) -> None:
    game = game_of(4, in_trick(3, 3))
    page = open_as(mover_of(game), game.get_absolute_url(), reduced_motion="no-preference", viewport=PHONE)
    page.locator(LEGAL).first.click()
    page.locator("#confirm").click()
    expect(page.locator(".flight-name")).to_have_count(4)
    expect(page.locator(".flight-name--south")).to_be_hidden()


def test_a_round_ends_before_the_next_deal_is_shown(open_as: OpenAs) -> None:
    """Nobody has a choice in the last trick, so it is played with the last card of the one before."""
    game = game_of(4, in_trick(10, 3))
    page = open_as(mover_of(game), game.get_absolute_url(), reduced_motion="no-preference")
    page.locator(LEGAL).first.click()
    page.locator("#confirm").click()
    page.locator(".held").wait_for()
    expect(page.locator("#game")).to_have_css("opacity", "0")
    page.locator(".held .news").wait_for()
    expect(page).to_have_title(re.compile("^Round 2 is over · "))
    expect(page.locator(".held .track__sides")).not_to_contain_text("0 tricks")
    page.locator("#hand .card").first.click(force=True)  # shows the new deal, and chooses nothing of it
    expect(page.locator(".held, .flight-layer, .is-chosen")).to_have_count(0)
    expect(page.locator("#hand .card")).to_have_count(12)
    expect(page.locator("#hand .card").first).to_be_visible()
    expect(page.locator("#prompt-title")).to_contain_text("Pass four cards")
    expect(page.locator("#news")).to_contain_text(" is over")


@pytest.mark.parametrize("way", ["hover", "press", "focus"])
def test_the_end_of_a_round_stays_as_long_as_a_player_reads_it(open_as: OpenAs, way: str) -> None:
    game = game_of(4, in_trick(10, 3))
    page = open_as(mover_of(game), game.get_absolute_url(), reduced_motion="no-preference")
    page.locator(LEGAL).first.click()
    page.locator("#confirm").click()
    result = page.locator(".held .news")
    if way == "focus":
        result.wait_for()
        page.keyboard.press("Tab")
    else:
        result.locator("p").hover() if way == "hover" else result.locator("p").click()
    page.wait_for_timeout(LONGER_THAN_A_RESULT)
    expect(result.locator(".news__parts").first).to_have_text(
        re.compile(r"^\d+ for \d+ tricks?(, \d for \d stars?)?$")
    )
    if way == "focus":
        page.keyboard.press("Enter")
        expect(page.locator("#bar:focus-within")).to_have_count(1)
    else:
        result.get_by_role("button", name="Next round").click()
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator("#prompt-title")).to_contain_text("Pass four cards")


def test_arrows_lead_from_the_bar_into_the_hand_and_keys_say_why_not(open_as: OpenAs) -> None:
    _game, page = open_trick(open_as)
    page.locator("#bar").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"{LEGAL}:focus")).to_have_count(1)
    out = page.locator(".hand a.card[aria-disabled]").first
    page.keyboard.press((out.get_attribute("data-card") or "")[0])
    expect(out).to_be_focused()
    expect(page.locator("#prompt-detail")).to_have_text(out.get_attribute("data-detail") or "")


def test_the_key_of_a_card_that_is_nowhere_says_so_and_one_shows_the_last_trick(open_as: OpenAs) -> None:
    _game, page = open_trick(open_as)
    held = {
        code[0]
        for code in page.locator("#hand .card").evaluate_all("all => all.map(one => one.dataset.card)")
    }
    page.keyboard.press(next(rank for rank in "12345678" if rank not in held))
    expect(page.locator("#prompt-detail")).to_have_text("There is no such card now.")
    expect(page.locator("#announcer")).to_have_text("There is no such card now.")
    page.keyboard.press("t")
    expect(page.locator(".last__panel")).to_be_visible()
    expect(page.locator("#last-trick > summary")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(" went to ")
    page.keyboard.press("t")
    expect(page.locator(".last__panel")).to_be_hidden()


def test_received_cards_are_marked_until_the_first_press(open_as: OpenAs) -> None:
    game = game_of(4, lambda position: position.stage is Stage.TRUMP)
    page = open_as(mover_of(game), game.get_absolute_url())
    expect(page.locator(".hand .is-received")).to_have_count(4)
    expect(page.locator(".hand__received")).to_contain_text("from ")
    page.locator("#tiles a").first.click()
    expect(page.locator(".hand .is-received")).to_have_count(0)
    expect(page.locator(".trump.is-chosen")).to_have_count(1)


def test_the_history_leaves_room_for_the_game_menu_beside_the_table(open_as: OpenAs) -> None:
    game = game_of(4, lambda position: len(position.rounds) == 1)
    address = game.get_absolute_url()
    page = open_as(mover_of(game), f"{address}?at=17", viewport={"width": 1440, "height": 900})
    assert page.evaluate(ACTIONS_IN_SIGHT) >= 3
    page.goto(address)
    log, menu, note = (page.locator(part).bounding_box() for part in ("#log", ".game__about", ".talk"))
    assert log["height"] >= 2 * 44
    assert menu["y"] + menu["height"] < note["y"]
