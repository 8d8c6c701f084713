"""Every page in every state in the pseudo-locale: all text is translated, and no text is cut off."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import Page
from pytest_django import Settings

from accounts.usernames import BOT_NAMES
from games.lunar.learning.lessons import NAMES as LESSON_NAMES
from games.models import ChatLine, Measure, Report
from tests.browser.conftest import Show
from tests.browser.page_checks import PHONE, TOO_WIDE, check_page
from tests.browser.states import STATES, Visit
from tests.browser.states.catalogue import MINOR_STATES
from tests.play import person
from tests.plugins import processes

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 390, 820, 1440)
UNTRANSLATABLE = (
    r"^Re: ",
    r"\b[NESW]\d+\b",
    r"^[A-Z]$",
    r"https?://\S+",
    r"\S+@\S+",
    r"\b[A-Z]\w+/[A-Z]\w+\b",
    r"\btake \d+ at\b",
    r"\b(?:pass|flip|play|sky|hand)(?: (?:\d|wolf|owl|lynx|bat)\b\*?)+",
    r"(?:\b(?:\d|wolf|owl|lynx|bat)\b\*? ?){2,}",
    r"\{\w+\}",
    r"\b\d+[ \xa0](?:minute|hour|day|week)s?\b",
    r"\b[A-Z][a-z]{2,8}\.? \d+, \d{4}\b",
    r"\b[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+, \d+:\d+ [AP]M\b",
)

# Returns all texts of a page: its title, visible and hidden texts, attributes that browsers show or screen
# readers read, and the texts that its scripts may show later.
TEXTS = """() => {
    const isRead = ({ name, value }) => ["title", "placeholder", "alt", "label"].includes(name)
        || ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext"].includes(name)
        || name.startsWith("data-") && value.includes(" ");
    const texts = [document.title];
    const readJson = (json) => JSON.parse(json, (_key, value) => {
        if (typeof value === "string" && value.includes(" ")) texts.push(value);
        return value;
    });
    const withoutTags = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (!parentElement.closest("script, style, code, textarea, [translate=no]")) {
            texts.push(parentElement.matches("noscript") ? withoutTags(data) : data);
        }
    }
    for (const part of document.querySelectorAll("*")) {
        for (const { value } of [...part.attributes].filter(isRead)) {
            if (value.startsWith("{")) readJson(value);
            else texts.push(value);
        }
    }
    for (const data of document.querySelectorAll("script[type='application/json']")) {
        readJson(data.textContent);
    }
    return texts.map((text) => text.trim()).filter(Boolean);
}"""

# Returns the controls and headings whose text is cut off: by their own box, by the window, or by an element
# around them that can't be scrolled.
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
    const isForScreenReaders = (part) =>
        part && (getComputedStyle(part).clipPath !== "none" || isForScreenReaders(part.parentElement));
    const isCut = (part) => {
        const box = part.getBoundingClientRect();
        const [around, scrolls] = frames(part);
        if (!scrolls) around.push({ left: 0, right: innerWidth, top: -Infinity, bottom: Infinity });
        return getComputedStyle(part).display !== "inline"
            && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2)
            || around.some((frame) => box.left < frame.left - 1 || box.right > frame.right + 1
                || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    };
    // A point of a chart says more than its strip holds.
    const texts = "a:not(.point), button, summary, label, select, h1, h2, h3, .badge, th";
    return [...document.querySelectorAll(texts)]
        .filter((part) => part.innerText.trim() && part.checkVisibility({ visibilityProperty: true }))
        .filter((part) => !isForScreenReaders(part) && isCut(part))
        .map((part) => part.outerHTML.slice(0, 160));
}"""


@pytest.fixture(scope="module")
def server(django_db_setup: None, pseudo_locale: Path) -> Iterator[str]:
    """A server that offers the pseudo-locale."""
    with processes.asgi_server(NOVALUNA_PSEUDO_LOCALE=str(pseudo_locale)) as address:
        yield address


@pytest.fixture(autouse=True)
def _pseudo_locale_in_this_process(settings: Settings, pseudo_locale: Path) -> Iterator[None]:
    """Use the pseudo-locale in this process too, because it renders some of the pages."""
    settings.LOCALE_PATHS = [pseudo_locale]
    settings.LANGUAGES = [*settings.LANGUAGES, ("en-xa", "⟦Ééñĝļîîšĥ⟧")]
    settings.LANGUAGE_CODE = "en-xa"
    yield
    translation.deactivate_all()


def untranslated_texts(page: Page) -> list[str]:
    """Return the texts that are not marked for translation.

    Names, cells, keys, addresses, search terms, time zones, the notation of moves, the mark of an answer to
    an email and what people write are the same in all languages, so they don't count. Nor do durations and
    dates, which Django translates into other languages.
    """
    names = [*get_user_model().objects.values_list("username", flat=True)]
    names += [name for names_of_level in BOT_NAMES.values() for name in names_of_level]
    names += ChatLine.objects.values_list("text", flat=True)
    written = [
        *Report.objects.values_list("words", flat=True),
        *Measure.objects.values_list("text", flat=True),
    ]
    names += [*filter(None, [*written, *Measure.objects.values_list("objection", flat=True)])]
    names += LESSON_NAMES
    names += ["Nova Luna", "LUNAR", "English", "UTC", "dragon"]
    untranslatable = re.compile("|".join([*map(re.escape, names), *UNTRANSLATABLE]))
    return [text for text in page.evaluate(TEXTS) if re.search("[A-Za-z]", untranslatable.sub("", text))]


def in_pseudo_locale(visit: Visit, server: str) -> Visit:
    """Return the same visit in the pseudo-locale."""

    def choose_pseudo_locale(page: Page) -> None:
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en-xa", "url": server}])
        visit.before(page)

    return replace(visit, before=choose_pseudo_locale)


def check(page: Page) -> None:
    assert page.locator("html").get_attribute("lang") == "en-xa"
    assert untranslated_texts(page) == []
    faults = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 1000})
        faults += [f"{width} px: {part}" for part in page.evaluate(TOO_WIDE) + page.evaluate(CUT)]
    assert faults == []


@pytest.mark.whole
@pytest.mark.parametrize("name", STATES)
def test_a_state(show: Show, axe: Callable[..., None], server: str, name: str) -> None:
    """Minor states are not shown in English too: longer texts find more, and each look takes seconds."""
    page = show(in_pseudo_locale(STATES[name](), server), viewport=PHONE, reduced_motion="reduce")
    check(page)
    if name in MINOR_STATES:
        page.set_viewport_size(PHONE)
        check_page(page, axe, widths=(2560, 1440))


@pytest.mark.parametrize("page_name", ["inactive", "reauthenticate", "reset_password_from_key_done"])
def test_a_rare_page(show: Show, server: str, page_name: str) -> None:
    visit = Visit(reverse(f"account_{page_name}"), person("Ines"))
    check(show(in_pseudo_locale(visit, server)))


@pytest.mark.parametrize("link", ["confirm-email/moon", "password/reset/key/1-moon", "turn-mails/off/moon"])
def test_a_link_that_no_longer_works(show: Show, server: str, link: str) -> None:
    visit = Visit(f"/account/{link}/", is_refused=True)
    check(show(in_pseudo_locale(visit, server)))


def test_the_checks_find_faults(show: Show, server: str) -> None:
    """They find unmarked texts, also in attributes, a button that is cut off, and a page that is too wide."""
    page = show(in_pseudo_locale(Visit("/solo/"), server))
    page.locator("h1").evaluate("heading => { heading.append(' and more'); heading.title = 'More'; }")
    assert sorted(untranslated_texts(page)) == ["More", "and more"]
    page.locator("main button").first.evaluate(
        "button => { button.style.cssText = 'width:3rem;overflow:hidden' }"
    )
    assert len(page.evaluate(CUT)) == 1
    page.locator("h1").evaluate("heading => { heading.style.width = '120vw'; }")
    assert page.evaluate(TOO_WIDE)
