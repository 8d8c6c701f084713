"""The chat on two open pages: a line arrives on the other one, is unread there, and then read."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from accounts.models import User
from games.models import ChatLine, Game, Seat
from games.services.talk import chat
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.states.chat import write_lines
from tests.browser.states.making import (
    after_actions,
    finished_game,
    people,
    play_until,
    start_game,
    waiting_player,
)
from tests.browser.waits import ACTIONS_IN_SIGHT, wait_for_version
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_line_arrives_on_the_other_page_and_is_read_there(open_as: OpenAs, game: Game) -> None:
    writer, reader = play.mover(game), waiting_player(game)
    first = open_as(writer, game.get_absolute_url())
    second = open_as(reader, game.get_absolute_url(), viewport={"width": 390, "height": 844})
    mark = second.locator("#bar-chat")
    expect(mark).to_be_visible()
    expect(mark.locator("b")).to_be_hidden()
    wheel = second.locator(".wheel").bounding_box()
    first.locator("#chat > summary").click()
    line = first.get_by_role("textbox", name="Write to the players")
    line.fill("<b>Your</b> move")
    line.press("Enter")
    expect(first.get_by_role("log")).to_contain_text("<b>Your</b> move")
    expect(line).to_have_value("")
    expect(line).to_be_focused()

    expect(mark.locator("b")).to_have_text("1")
    expect(second).to_have_title(re.compile("^💬 1 · "))
    line.fill("I am waiting")  # A draft stays when the board is replaced.
    play.play_one(game)
    wait_for_version(first, play.fresh(game).version)
    wait_for_version(second, play.fresh(game).version)
    expect(line).to_have_value("I am waiting")
    expect(second).to_have_title(re.compile("^💬 1 · "))

    assert second.locator(".wheel").bounding_box() == wheel
    mark.click()
    expect(second.get_by_role("log")).to_be_in_viewport(ratio=1)
    expect(second.get_by_role("log")).to_contain_text("<b>Your</b> move")
    expect(mark.locator("b")).to_be_hidden()
    wait_until(lambda: Seat.objects.get(game=game, user=reader).chat_read_to > 0, "the line to be read")
    chat.write(game.key, writer, "Thanks", uuid.uuid4())
    expect(second.locator("#chat-lines .chat__line")).to_have_count(2)
    expect(second).not_to_have_title(re.compile("💬"))
    second.keyboard.press("Escape")
    expect(mark).to_be_focused()
    assert second.evaluate("scrollY") == 0
    assert second.locator(".wheel").bounding_box() == wheel

    expect(first.locator("#chat > summary .icon").last).to_be_visible()
    line.press("Escape")
    expect(first.locator("#chat-panel")).to_be_hidden()
    expect(first.locator("#chat > summary")).to_be_focused()


def test_a_line_of_a_spectator_arrives_at_another_one_and_not_at_a_player(
    open_as: OpenAs, game: Game
) -> None:
    address = game.get_absolute_url()
    users = (*people("Noor", "Kenji"), play.mover(game), waiting_player(game))
    writing, reading, playing, waiting = [open_as(user, address) for user in users]
    writing.locator("#chat > summary").click()
    line = writing.get_by_role("textbox", name="Write to spectators")
    line.fill("What a move")
    line.press("Enter")
    expect(writing.get_by_role("log")).to_contain_text("What a move")
    expect(reading).to_have_title(re.compile("^💬 1 · "))
    reading.locator("#chat > summary").click()
    expect(reading.get_by_role("log")).to_contain_text("What a move")
    expect(reading).not_to_have_title(re.compile("💬"))
    chat.write(game.key, waiting_player(game), "Your turn", uuid.uuid4())
    expect(playing).to_have_title(re.compile("^💬 1 · "))
    assert "What a move" not in playing.content()
    assert "Your turn" not in reading.content()
    playing.locator("#chat > summary").click()
    play.cancel_game(game)
    for page in (playing, reading):
        expect(page.locator("#chat-title")).to_have_text("Chat")
        for text in ("What a move", "Your turn"):
            expect(page.get_by_role("log")).to_contain_text(text)
    expect(waiting).to_have_title(re.compile("^💬 1 · "))
    expect(waiting.locator("#chat-count")).to_contain_text("1")
    waiting.locator("#chat > summary").click()
    expect(waiting).not_to_have_title(re.compile("💬"))
    waiting.locator("#chat > summary").click()
    for number, writer in enumerate((users[0], users[2]), 3):
        chat.write(game.key, writer, f"Line {number} after the end", uuid.uuid4())
        for page in (writing, reading, playing, waiting):
            expect(page.locator("#chat-lines .chat__line")).to_have_count(number)
        expect(waiting).to_have_title(re.compile(f"^💬 {number - 2} · "))


def test_a_line_that_arrives_while_the_own_one_is_under_way_is_shown(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    page.locator("#chat > summary").click()
    with held_post(page) as held:
        send(page, "Mine")
        wait_until(lambda: held, "the line to be sent", meanwhile=lambda: page.wait_for_timeout(50))
        with page.expect_event("console", lambda message: message.text == "heard"):
            page.evaluate("document.addEventListener('live:chat', () => console.log('heard'))")
            chat.write(game.key, play.mover(game), "Theirs", uuid.uuid4())
    expect(page.locator(".chat__text")).to_have_text(["Mine", "Theirs"])
    expect(page).not_to_have_title(re.compile("💬"))


def test_two_lines_that_follow_quickly_on_a_slow_line_are_both_sent(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    page.locator("#chat > summary").click()
    with held_post(page) as held:
        send(page, "Hello")
        wait_until(lambda: held, "the line to be sent", meanwhile=lambda: page.wait_for_timeout(50))
        send(page, "How are you?")
    expect(page.locator(".chat__text")).to_have_text(["Hello", "How are you?"])
    expect(page.get_by_role("textbox", name="Write to the players")).to_have_value("")
    assert [line.text for line in ChatLine.objects.order_by("pk")] == ["Hello", "How are you?"]


def test_a_line_that_is_under_way_at_the_end_of_the_game_joins_both_chats(
    open_as: OpenAs, game: Game
) -> None:
    chat.write(game.key, *people("Noor"), "What a game", uuid.uuid4())
    page = open_as(waiting_player(game), game.get_absolute_url())
    page.locator("#chat > summary").click()
    with held_post(page) as held:
        send(page, "Good luck")
        wait_until(lambda: held, "the line to be sent", meanwhile=lambda: page.wait_for_timeout(50))
        play.cancel_game(game)
        expect(page.locator("#game.has-ended")).to_be_attached()
    expect(page.locator(".chat__text")).to_have_text(["What a game", "Good luck"])
    expect(page.locator("#chat-error")).to_have_count(0)


def test_a_line_that_is_hidden_from_the_reader_is_asked_for_once(open_as: OpenAs, game: Game) -> None:
    writer, reader = play.mover(game), waiting_player(game)
    chat.mute(reader, writer, is_muted=True)
    page = open_as(reader, game.get_absolute_url())
    page.locator("#chat > summary").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/chat/?line=" in request.url else None)
    for number in (1, 2):
        with page.expect_response(re.compile(r"/chat/\?line=")):
            chat.write(game.key, writer, "Hello", uuid.uuid4())
        page.wait_for_timeout(300)
        assert len(asked) == number
    send(page, "Is anybody here?")
    expect(page.locator(".chat__text")).to_have_text(["Is anybody here?"])
    page.wait_for_timeout(300)
    assert len(asked) == 2


def test_the_page_of_the_chat_sends_lines(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), f"{game.get_absolute_url()}chat/")
    send(page, "Hello")
    expect(page.locator(".chat__text")).to_have_text(["Hello"])


def test_a_visitor_has_no_chat_any_more_when_a_game_ends_without_lines(page: Page, game: Game) -> None:
    page.goto(game.get_absolute_url())
    page.locator("#chat > summary").click()
    expect(page.locator("#chat-title")).to_have_text("Spectators' chat")
    play.cancel_game(game)
    expect(page.locator("#chat")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("does not exist any more")


def test_a_line_in_an_open_chat_that_is_out_of_sight_is_unread(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url(), viewport={"width": 390, "height": 844})
    page.locator("#chat > summary").click()
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("#chat-panel")).not_to_be_in_viewport()
    for number, text in enumerate(("Your move", "Please"), 1):
        chat.write(game.key, play.mover(game), text, uuid.uuid4())
        expect(page.locator("#chat-lines .chat__line")).to_have_count(number)
    expect(page).to_have_title(re.compile("^💬 2 · "))
    page.locator("#chat-panel").scroll_into_view_if_needed()
    expect(page).not_to_have_title(re.compile("💬"))


def test_a_line_without_an_answer_is_no_error_of_the_board(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), game.get_absolute_url())
    page.locator("#chat > summary").click()
    for event in ("htmx:sendError", "htmx:timeout"):
        page.evaluate(
            f"htmx.trigger('.chat__form', '{event}', {{ elt: document.querySelector('.chat__form') }})"
        )
        expect(page.locator("#chat-error")).to_be_visible()
        expect(page.locator("#bar [role=alert]")).to_have_count(0)


def test_stacked_marks_cover_no_other_line(open_as: OpenAs, game: Game) -> None:
    """The line was stored before their number had a limit."""
    for text in ("The line above", "Z", "The line below"):
        chat.write(game.key, play.mover(game), text, uuid.uuid4())
    page = open_as(
        waiting_player(game), f"{game.get_absolute_url()}chat/", viewport={"width": 390, "height": 844}
    )

    def shots() -> list[bytes]:
        page.reload()
        lines = page.locator("#chat-lines .chat__line")
        expect(lines).to_have_count(3)
        return [lines.nth(number).screenshot(animations="disabled") for number in (0, 2)]

    before = shots()
    ChatLine.objects.filter(text="Z").update(text="Z" + 499 * "\u0301")
    assert shots() == before


def test_the_time_of_a_line_grows_while_the_page_is_open(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), "about:blank")
    page.clock.install()
    page.goto(game.get_absolute_url())
    page.locator("#chat > summary").click()
    chat.write(game.key, play.mover(game), "Hello", uuid.uuid4())
    time = page.locator("#chat-lines time")
    expect(time).to_contain_text("just now")
    # The page may load its lines again meanwhile, with the time of the server.
    wait_until(
        lambda: re.fullmatch(r"\d+ minutes ago", time.inner_text().strip()),
        "a later time",
        meanwhile=lambda: page.clock.fast_forward(3 * 60_000),
    )


def test_the_way_to_the_chat_keeps_its_place_on_a_small_phone(open_as: OpenAs, game: Game) -> None:
    def place(user: User, query: str = "") -> dict[str, float] | None:
        page = open_as(user, game.get_absolute_url() + query, viewport={"width": 320, "height": 640})
        expect(page.locator("#bar-chat")).to_be_in_viewport(ratio=1)
        return page.locator("#bar-chat").bounding_box()

    other = waiting_player(game)
    waiting = place(other)
    assert place(play.mover(game)) == waiting
    assert place(other, "?at=5") == waiting
    play.play_out(game)
    assert place(other) == waiting


def test_an_open_chat_is_usable_and_leaves_the_history_usable(open_as: OpenAs) -> None:
    game = play_until(start_game("Ines", "Tobias", "Mina"), after_actions(12))
    reader = write_lines(game)
    page = open_as(reader, game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    display = page.locator("#display").bounding_box()
    open_beside_the_board(page)
    assert page.locator("#display").bounding_box() == display, "the board stays where it is"
    assert page.locator("#chat-lines").evaluate(LINES_IN_SIGHT) >= 6
    assert page.evaluate(ACTIONS_IN_SIGHT) >= 3
    assert page.locator(".scrub #at").evaluate("(slider) => slider.offsetWidth") > 160
    expect_nothing_covered(page)
    for text in range(9):
        chat.write(game.key, play.mover(game), f"Line {text}", uuid.uuid4())
    before = page.locator("#log").bounding_box()
    expect(page.get_by_role("log")).to_contain_text("Line 8")
    assert page.locator("#log").bounding_box() == before, "more lines take no more room"
    page.goto(f"{game.get_absolute_url()}?at=5")
    open_beside_the_board(page)
    expect(page.locator("#log .is-shown")).to_be_in_viewport(ratio=0.99)
    for part in ("#at-bar", ".bar__steps [data-step=first]", ".bar__steps [data-step=next]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for size in ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080}):
        page.set_viewport_size(size)
        wait_until(lambda: page.evaluate(ACTIONS_IN_SIGHT) >= 1, "the history to fit")
        expect_nothing_covered(page)


def test_beside_an_open_chat_two_players_keep_their_rows(open_as: OpenAs) -> None:
    ines = play.person("Bright-Comet")
    game = play_until(play.game_of(ines, play.person("Tobias")), after_actions(6))
    page = open_as(ines, game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    own, discs = page.locator(".player:has(.badge--you)"), page.locator(".gauge svg")
    for open_chat in (lambda _page: None, open_beside_the_board):
        open_chat(page)
        expect(discs.first).to_be_visible()
        name, badge = own.locator(".player__who").bounding_box(), own.locator(".badge--you").bounding_box()
        assert name
        assert badge
        assert name["y"] - 4 < badge["y"] < name["y"] + name["height"] / 2, "the badge is beside the name"
    assert page.evaluate(ACTIONS_IN_SIGHT) >= 3


def test_chat_and_note_cover_nothing_at_the_end_of_a_game(open_as: OpenAs) -> None:
    game = finished_game()
    reader = write_lines(game)
    page = open_as(reader, game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    expect_nothing_covered(page)
    open_beside_the_board(page)
    expect_nothing_covered(page)
    assert page.evaluate(ACTIONS_IN_SIGHT) >= 1
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    talk, foot = page.locator(".talk").bounding_box(), page.locator(".foot").bounding_box()
    assert talk
    assert foot
    assert talk["y"] + talk["height"] <= foot["y"]


def test_chat_and_note_are_as_wide_as_the_board_above_them(open_as: OpenAs, game: Game) -> None:
    player = game.seats.select_related("user")[0].user
    page = open_as(player, game.get_absolute_url())
    sizes = ((1024, 768), (1100, 768), (1199, 768), (820, 640), (640, 400), (1024, 1366), (834, 1112))
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        talk, edges = page.locator(".talk").bounding_box(), page.evaluate(EDGES)
        assert talk
        assert [talk["x"], talk["x"] + talk["width"]] == pytest.approx(edges, abs=1), f"at {width} px"


# Returns where the columns of the page of a game begin and end.
EDGES = """() => {
    const game = document.querySelector("#game"), { paddingLeft, paddingRight } = getComputedStyle(game);
    const { left, right } = game.getBoundingClientRect();
    return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)];
}"""


def send(page: Page, text: str) -> None:
    line = page.get_by_role("textbox", name="Write to the players")
    line.fill(text)
    line.press("Enter")


@contextmanager
def held_post(page: Page) -> Iterator[list[tuple[Route, APIResponse]]]:
    """Yield the first line that the page sends and its answer, which the page gets at the end."""
    held: list[tuple[Route, APIResponse]] = []
    page.route(re.compile("/chat/$"), lambda route: held.append((route, route.fetch())), times=1)
    yield held
    route, response = held[0]
    route.fulfill(response=response)


# Returns how many lines of text fit.
LINES_IN_SIGHT = (
    """(lines) => lines.clientHeight / parseFloat(getComputedStyle(lines.querySelector("p")).lineHeight)"""
)


def open_beside_the_board(page: Page) -> None:
    page.locator("#chat > summary").click()
    expect(page.locator("#chat-panel")).to_be_visible()


def expect_nothing_covered(page: Page) -> None:
    """Expect that the chat and the note begin below everything else beside the board."""
    wait_until(
        lambda: page.evaluate(
            """() => {
                const edge = document.querySelector(".talk").getBoundingClientRect().top + 12;
                const parts = [...document.querySelectorAll(".game__side > *")];
                return parts.every((part) => part.getBoundingClientRect().bottom <= edge);
            }"""
        ),
        "nothing to be covered",
    )
