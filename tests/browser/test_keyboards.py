"""Shortcuts on keyboards of other layouts and scripts, and announcements that happen twice."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.conftest import OpenAs, OpenGame, Show
from tests.browser.states import STATES
from tests.browser.states.making import waiting_player
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# What a press is, and the number of the tile that it chooses.
TILES = {
    "American": ({"key": "2", "code": "Digit2"}, 2),
    "French": ({"key": "&", "code": "Digit1"}, 1),
    "French with Shift": ({"key": "2", "code": "Digit2", "shiftKey": True}, 2),
    "Czech": ({"key": "+", "code": "Digit1"}, 1),
    "Czech letter": ({"key": "ě", "code": "Digit2"}, 2),
    "Bépo": ({"key": "«", "code": "Digit2"}, 2),
    "dead key": ({"key": "Dead", "code": "Digit2"}, 2),
    "Arabic": ({"key": "٢", "code": "Digit2"}, 2),
    "full width": ({"key": "２", "code": ""}, 2),
    "numeric pad": ({"key": "2", "code": "Numpad2"}, 2),
    "numeric pad without NumLock": ({"key": "End", "code": "Numpad1"}, 1),
    "an arrow of the pad": ({"key": "ArrowDown", "code": "Numpad2"}, 2),
}
# Presses that choose no tile, start no plan and open no help.
NOTHING: tuple[dict[str, object], ...] = (
    {"key": "&", "code": "Digit1", "ctrlKey": True},
    {"key": "1", "code": "Digit1", "altKey": True},
    {"key": "1", "code": "Digit1", "metaKey": True},
    {"key": "¹", "code": "Digit1", "modifierAltGraph": True},
    {"key": "&", "code": "Digit1", "isComposing": True},
    {"key": "Process", "code": "Digit1"},
    {"key": "²", "code": "Backquote"},
    {"key": "End", "code": "End"},
    {"key": "l", "code": "KeyP"},  # Dvorak
    {"key": "é", "code": "KeyP"},  # Latin letters have their own shortcuts.
    {"key": "§", "code": ""},
)
PLANS: tuple[dict[str, object], ...] = (
    {"key": "p", "code": "KeyR"},  # Dvorak
    {"key": "з", "code": "KeyP"},  # Russian
    {"key": "π", "code": "KeyP"},  # Greek
    {"key": "פ", "code": "KeyP"},  # Hebrew
    {"key": "З", "code": "KeyP", "shiftKey": True},
    {"key": "Ｐ", "code": ""},
)
HELP: tuple[dict[str, object], ...] = (
    {"key": "?", "code": "Comma", "shiftKey": True},  # French
    {"key": "?", "code": "Minus", "shiftKey": True},  # German
    {"key": "?", "code": "Digit7", "shiftKey": True},  # Russian
    {"key": "؟", "code": "Slash", "shiftKey": True},  # Arabic
    {"key": ",", "code": "Slash", "shiftKey": True},
    {"key": "？", "code": ""},
)
LAYOUT = """
    const signs = { Digit1: "&", Digit2: "é", KeyC: "с", KeyR: "r", BracketLeft: "ü", BracketRight: "]" };
    navigator.keyboard.getLayoutMap = async () => new Map(Object.entries(signs));
"""


def press(page: Page, event: dict[str, object]) -> None:
    """Dispatch a key press at what has the focus; its modifiers are those of KeyboardEvent."""
    options = json.dumps({"bubbles": True, "cancelable": True, **event})
    page.evaluate(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {options}))")


def test_keys_of_all_layouts_choose_tiles_and_the_help_names_them(open_game: OpenGame) -> None:
    page = open_game()
    page.evaluate(LAYOUT)
    tiles = page.locator("#game [data-tile]").evaluate_all("tiles => tiles.map((tile) => tile.dataset.tile)")
    assert len(tiles) >= 2
    chosen = {}
    for name, (event, _number) in TILES.items():
        page.evaluate("document.activeElement.blur()")
        press(page, event)
        chosen[name] = page.evaluate("document.querySelector('#game .is-chosen')?.dataset.tile")
        press(page, {"key": "Escape", "code": "Escape"})
    assert chosen == {name: tiles[number - 1] for name, (_event, number) in TILES.items()}
    dialog = page.locator("#shortcuts")
    for event in NOTHING:
        page.evaluate("document.activeElement.blur()")
        press(page, event)
        assert not page.locator(".is-chosen, #shortcuts[open]").count(), event
    for event in HELP:
        press(page, event)
        assert dialog.evaluate("one => one.open"), event
        dialog.evaluate("one => one.close()")
    press(page, HELP[0])
    signs = dialog.locator("kbd[data-code]")
    expect(signs.nth(0)).to_have_text("1 &")
    expect(dialog.locator("[data-code=KeyC]")).to_have_text("C С")
    expect(dialog.locator("[data-code=KeyR]")).to_have_text("R")
    expect(dialog.locator("[data-code=BracketLeft]")).to_have_text(["Ü", "⇧ Ü"])
    expect(dialog.locator("[data-code=BracketRight]")).to_have_text(["]", "}"])


def test_letters_of_all_scripts_work_and_arrows_stay_with_a_slider(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    for event in PLANS:
        page.evaluate(
            "sent = ''; document.addEventListener('htmx:beforeRequest', (event) => {"
            " sent = event.detail.pathInfo.requestPath; event.preventDefault(); }, { once: true })"
        )
        press(page, event)
        assert "plan=1" in page.evaluate("sent"), event
    page.locator("#at").focus()
    shown = page.locator("#game").get_attribute("data-shown")
    press(page, {"key": "х", "code": "BracketLeft"})
    expect(page.locator("#game")).to_have_attribute("data-shown", str(int(shown or 0) - 1))


def test_an_announcement_that_happens_twice_is_spoken_twice(open_game: OpenGame) -> None:
    page = open_game()
    page.evaluate("""() => {
        window.spoken = [];
        const region = document.getElementById("announcer");
        new MutationObserver(() => {
            if (region.textContent !== window.last) window.spoken.push(region.textContent);
            window.last = region.textContent;
        }).observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    for _time in range(2):
        press(page, {"key": "1", "code": "Digit1"})
        wait_until(lambda: page.locator("#announcer").text_content(), "an announcement")
        page.evaluate("document.activeElement.blur()")
    text, silence, again = page.evaluate(
        "spoken.filter((text, nth) => nth === 0 || text !== spoken[nth - 1])"
    )[-3:]
    assert (text, silence) == (again, "")
    # So are errors.
    page.route("**/g/**", lambda route: route.abort())
    errors = []
    for _time in range(2):
        page.evaluate("htmx.trigger('#bar .btn', 'htmx:sendError', { elt: document.getElementById('bar') })")
        errors.append(page.evaluate_handle("document.querySelector('#bar [role=alert]')"))
    assert page.evaluate("([one, other]) => one !== other && !one.isConnected && other.isConnected", errors)


def test_letters_beside_an_open_chat_play_nothing(show: Show) -> None:
    page = show(STATES["game-chat"](), viewport={"width": 1440, "height": 900})
    tile = page.locator("[data-tile][data-key='1']")
    page.locator("#chat summary").first.focus()
    page.keyboard.type("1c")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("1c")
    expect(tile).not_to_have_class(re.compile("is-chosen"))
    tile.focus()
    page.keyboard.type("1")
    expect(tile).to_have_class(re.compile("is-chosen"))
