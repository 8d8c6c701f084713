"""Every page in every state in the pseudo-locale: nothing is left in plain English, and all has room."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import Page
from pytest_django import Settings

from games.models import BOT_NAMES
from tests.browser.states import STATES, Look, every_state
from tests.browser.test_every_state import TOO_WIDE, show
from tests.conftest import OpenBrowser
from tests.play import person
from tests.plugins import processes

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 390, 820, 1440)

# All that a page says: its title, its texts seen and unseen, the attributes that are read out or shown, and
# what its scripts may still say.
TEXTS = """() => {
    const isRead = ({ name, value }) => ["title", "placeholder", "alt", "label"].includes(name)
        || ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext"].includes(name)
        || name.startsWith("data-") && value.includes(" ");
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (!parentElement.closest("script, style, code")) texts.push(data);
    }
    for (const part of document.querySelectorAll("*")) {
        texts.push(...[...part.attributes].filter(isRead).map(({ value }) => value));
    }
    for (const data of document.querySelectorAll("script[type='application/json']")) {
        JSON.parse(data.textContent, (_key, value) => {
            if (typeof value === "string" && value.includes(" ")) texts.push(value);
            return value;
        });
    }
    return texts.map((text) => text.trim()).filter(Boolean);
}"""

# What can be pressed, or heads a part of the page, and does not show all of its words: they leave its box or
# the window, or a frame around it cuts them off that can't be scrolled.
CUT = """() => {
    const frames = (part) => {
        const around = [];
        for (let frame = part.parentElement; frame !== document.body; frame = frame.parentElement) {
            const { overflowX } = getComputedStyle(frame);
            if (overflowX === "auto" || overflowX === "scroll") return [around, true];
            if (overflowX !== "visible") around.push(frame.getBoundingClientRect());
        }
        return [around, false];
    };
    const isForEars = (part) =>
        part && (getComputedStyle(part).clipPath !== "none" || isForEars(part.parentElement));
    const isCut = (part) => {
        const box = part.getBoundingClientRect();
        const [around, scrolls] = frames(part);
        if (!scrolls) around.push({ left: 0, right: innerWidth, top: -Infinity, bottom: Infinity });
        return getComputedStyle(part).display !== "inline"
            && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2)
            || around.some((frame) => box.left < frame.left - 1 || box.right > frame.right + 1
                || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    };
    return [...document.querySelectorAll("a, button, summary, label, select, h1, h2, h3, .badge, th")]
        .filter((part) => part.innerText.trim() && part.checkVisibility({ visibilityProperty: true }))
        .filter((part) => !isForEars(part) && isCut(part))
        .map((part) => part.outerHTML.slice(0, 160));
}"""


@pytest.fixture(scope="module")
def server(django_db_setup: None, pseudo_locale: Path) -> Iterator[str]:
    """A server that offers the pseudo-locale."""
    with processes.asgi_server(NOVALUNA_PSEUDO_LOCALE=str(pseudo_locale)) as address:
        yield address


@pytest.fixture(autouse=True)
def _pseudo_locale_here_too(settings: Settings, pseudo_locale: Path) -> Iterator[None]:
    """Speak it in this process as well, which draws some of the pages."""
    settings.LOCALE_PATHS = [pseudo_locale]
    settings.LANGUAGES = [*settings.LANGUAGES, ("en-xa", "")]
    settings.LANGUAGE_CODE = "en-xa"
    yield
    translation.deactivate_all()


def in_plain_english(page: Page) -> list[str]:
    """Return the texts that are not marked.

    Names, cells, keys and addresses are alike in all languages, and so is what a visitor has searched for.
    """
    names = [*get_user_model().objects.values_list("username", flat=True), *BOT_NAMES]
    names += ["Nova Luna", "English", "UTC", "dragon"]
    same = re.compile(
        "|".join([*map(re.escape, names), r"\b[NESW]\d+\b", r"^[A-Z]$", r"https?://\S+", r"\S+@\S+"])
    )
    return [text for text in page.evaluate(TEXTS) if re.search("[A-Za-z]", same.sub("", text))]


def in_pseudo_locale(look: Look, server: str) -> Look:
    """Look at the same after the visitor has chosen the pseudo-locale."""

    def choose_it(page: Page) -> None:
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en-xa", "url": server}])
        look.before(page)

    return replace(look, before=choose_it)


def check(page: Page) -> None:
    assert page.locator("html").get_attribute("lang") == "en-xa"
    assert in_plain_english(page) == []
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 1000})
        found += [f"{width} px: {part}" for part in page.evaluate(TOO_WIDE) + page.evaluate(CUT)]
    assert found == []


@pytest.mark.parametrize("name", every_state())
def test_a_state(open_browser: OpenBrowser, server: str, name: str) -> None:
    check(show(open_browser, server, in_pseudo_locale(STATES[name](), server), reduced_motion="reduce"))


@pytest.mark.parametrize("page_name", ["inactive", "reauthenticate", "reset_password_from_key_done"])
def test_a_page_that_few_people_see(open_browser: OpenBrowser, server: str, page_name: str) -> None:
    look = Look(reverse(f"account_{page_name}"), person("Ines"))
    check(show(open_browser, server, in_pseudo_locale(look, server)))


@pytest.mark.parametrize("link", ["confirm-email/moon", "password/reset/key/1-moon", "turn-mails/off/moon"])
def test_a_link_that_no_longer_works(open_browser: OpenBrowser, server: str, link: str) -> None:
    look = Look(f"/account/{link}/", refused=True)
    check(show(open_browser, server, in_pseudo_locale(look, server)))


def test_what_the_test_would_find(open_browser: OpenBrowser, server: str) -> None:
    """Texts that are not marked, seen or read out; a button that is cut; a page that is too wide."""
    page = show(open_browser, server, in_pseudo_locale(Look("/solo/"), server))
    page.locator("h1").evaluate("heading => { heading.append(' and more'); heading.title = 'More'; }")
    assert sorted(in_plain_english(page)) == ["More", "and more"]
    page.locator("main button").first.evaluate(
        "button => { button.style.cssText = 'width:3rem;overflow:hidden' }"
    )
    assert len(page.evaluate(CUT)) == 1
    page.locator("h1").evaluate("heading => { heading.style.width = '120vw'; }")
    assert page.evaluate(TOO_WIDE)
