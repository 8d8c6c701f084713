"""What a person types stays until its form is accepted. One test walks all fields of all pages."""

import re
from collections.abc import Mapping
from datetime import time

import pytest
from playwright.sync_api import Route, expect

from games.clocks import Hours, Sleep, zone_named
from games.models import Game
from games.services import calendars, tables
from tests import play
from tests.browser.conftest import OpenAs, log_in
from tests.browser.states.duplicates import open_match
from tests.browser.states.making import people
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# The fields of forms that store something. Nothing keeps passwords, nor the name that confirms a deletion.
FIELDS = """() => [...document.querySelectorAll(
    "form[method=post] :is(input, textarea, select):not([type=hidden], [type=password], [readonly])")]
    .filter((field) => !field.closest("[action$='/delete/']"))"""
# Types or chooses something else in every field, as a person does; returns what every field has then.
TYPE = """() => {
    const values = {
        email: "typed@example.org", url: "https://typed.example/", date: "2027-01-02",
        time: "05:45", number: "2",
    };
    for (const field of fields()) {
        if (field.type === "radio") {
            const others = [...field.form.elements].filter((one) => one.name === field.name);
            others.findLast((one) => !one.defaultChecked)?.click();
        } else if (field.type === "checkbox") field.checked = !field.defaultChecked;
        else if (field.localName === "select") {
            field.value = [...field.options].findLast((one) => !one.defaultSelected).value;
        } else field.value = values[field.type] ?? "typed";
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
    return read();
}"""
READ = """() => fields().map((field) => [
    field.form.getAttribute("action"), field.name, field.type, field.value,
    ["radio", "checkbox"].includes(field.type) ? field.checked : "",
].join(" "))"""
SETUP = f"() => {{ window.fields = {FIELDS}; window.read = {READ}; }}"
HAS_NO_DRAFTS = "() => !Object.keys(localStorage).some((key) => key.startsWith('draft'))"
WRITE_NOTE_SOON = """() => setTimeout(() => {
    const note = document.getElementById("note");
    note.value = "Take the red tile.";
    for (const name of ["input", "change"]) note.dispatchEvent(new Event(name, { bubbles: true }));
}, 300)"""

# A page for each URL pattern whose pages have fields; tests/world/test_typed_text.py looks for others.
PAGES: Mapping[str, str] = {
    "games:home": "/",
    "games:seek": "/play/person/",
    "games:new_duplicate": "/duplicates/new/",
    "games:duplicate": "/duplicates/MATCH/",
    "games:game": "/g/TABLE/",
    "games:chat": "/g/KEY/chat/",
    "games:text": "/g/KEY/text/",
    "games:review": "/g/OVER/review/",
    "games:try_line": "/g/KEY/try/9/TILE_0_1/",
    "games:text_try_line": "/g/KEY/text/try/9/TILE_0_1/",
    "games:vote": "/g/KEY/vote/",
    "games:hours": "/account/hours/",
    "games:notifications": "/account/notifications/",
    "games:webhook": "/account/notifications/webhook/",
    "games:profile_settings": "/account/profile/",
    "games:report_person": "/people/Tobias/report/",
    "games:report_game": "/g/KEY/report/",
    "accounts:settings": "/account/settings/",
    "account_email": "/account/email/",
}


def test_everything_typed_on_any_page_is_there_again_after_a_reload(open_as: OpenAs, game: Game) -> None:
    ines = people("Ines")[0]
    keys = {
        "KEY": game.key,
        "OVER": play.play_out(play.game_of(*people("Ines", "Tobias"))).key,
        "TABLE": tables.open_table(ines, tables.TableOptions(4)).key,
        "MATCH": open_match("Ines", "Tobias")[0].key,
        "TILE": play.position_of(game).in_reach[0].code,
    }
    page = open_as(ines, "/rules/")
    problems: dict[str, object] = {}
    for address in PAGES.values():
        path = re.sub("|".join(keys), lambda found: keys[found[0]], address)
        page.goto(path, wait_until="domcontentloaded")
        page.evaluate(SETUP)
        before, typed = page.evaluate("() => read()"), page.evaluate(TYPE)
        if not typed or typed == before:
            problems[path] = "no fields"
        page.reload(wait_until="domcontentloaded")
        page.evaluate(SETUP)
        if lost := set(typed) - set(page.evaluate("() => read()")):
            problems[path] = sorted(lost)
        page.evaluate("() => { [...document.forms].forEach((form) => form.reset()); localStorage.clear(); }")
    assert problems == {}


def test_a_note_saved_while_an_older_page_is_on_its_way_is_shown(open_as: OpenAs) -> None:
    ines, tobias = people("Ines", "Tobias")
    address = f"/g/{play.play_out(play.game_of(ines, tobias)).key}/review/"
    page = open_as(ines, address)
    note, state = page.locator("#note"), page.locator("#note-state")

    saved: list[str] = []
    page.on("requestfinished", lambda request: saved.append(request.url) if "/note/" in request.url else None)

    def answer_late(route: Route) -> None:
        older = route.fetch()
        for _wait in range(200):
            page.wait_for_timeout(100)  # Lets the browser send; a plain sleep does not.
            if saved:
                break
        page.wait_for_timeout(300)  # Now the page that is left knows that its note is saved.
        route.fulfill(response=older)

    page.route(f"**{address}", answer_late, times=1)
    page.evaluate(WRITE_NOTE_SOON)
    page.reload()
    expect(note).to_have_value("Take the red tile.")
    page.reload()
    expect(note).to_have_value("Take the red tile.")
    note.fill("")
    note.blur()
    expect(state).to_have_text("Saved.")
    page.reload()
    expect(note).to_have_value("")


def test_a_draft_lasts_until_its_form_is_accepted_or_its_person_logs_out(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    page = open_as(ines, "/account/hours/", allows_refusals=True)
    start, end = page.get_by_label("Sleep from"), page.get_by_label("Sleep until")
    notice, save = page.locator(".draft"), page.get_by_role("button", name="Save")
    start.fill("23:00")
    page.goto("/rules/")
    page.go_back()
    expect(start).to_have_value("23:00")
    expect(notice).to_contain_text("Not saved yet")
    save.click()  # Refused, because one time is missing.
    expect(page.get_by_text("Please enter both times")).to_be_visible()
    page.goto("/account/hours/")
    expect(start).to_have_value("23:00")
    end.fill("06:00")
    save.click()
    expect(page.get_by_text("Your hours are saved.")).to_be_visible()
    expect(notice).to_have_count(0)
    wait_until(lambda: page.evaluate(HAS_NO_DRAFTS), "no drafts")

    start.fill("22:30")
    page.goto("/rules/")
    zone = zone_named("UTC")
    calendars.choose_hours(ines, Hours(zone, Sleep(time(21), time(5)), None), automatic_vacation=True)
    page.goto("/account/hours/")
    expect(start).to_have_value("21:00")
    expect(notice).to_contain_text("22:30")
    page.get_by_role("button", name="Use mine").click()
    expect(start).to_have_value("22:30")
    page.reload()
    expect(start).to_have_value("22:30")
    page.get_by_role("button", name="Discard").click()
    expect(start).to_have_value("21:00")

    start.fill("20:00")
    page.locator(".menu > summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    wait_until(lambda: page.evaluate(HAS_NO_DRAFTS), "no drafts")


def test_a_draft_is_shown_only_to_its_person(open_as: OpenAs, server: str) -> None:
    ines, tobias = people("Ines", "Tobias")
    page = open_as(ines, "/account/hours/")
    start = page.get_by_label("Sleep from")
    start.fill("23:00")
    # Nobody has logged out: the session of Ines may have ended.
    for user, value in ((tobias, ""), (ines, "23:00")):
        log_in(page.context, user, server)
        page.goto("/account/hours/")
        expect(start).to_have_value(value)
