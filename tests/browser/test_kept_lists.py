"""The lists of the home page stay where a reader is while they change."""

import pytest
from playwright.sync_api import expect

from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.test_live_lobby import forbid_polls

pytestmark = pytest.mark.django_db(transaction=True)

# Marks the rows, their links and buttons, the headings and the head of the home page.
MARK = """() => {
    const parts = document.querySelectorAll("#head, #head *, #lists :is(section, h2, li, a, button)");
    window.parts = [...parts].filter((part) => !part.closest("#lead"));
    window.focused = 0;
    document.addEventListener("focusin", () => { window.focused += 1; });
    return window.parts.length;
}"""
LOST = "() => window.parts.filter((part) => !part.isConnected).map((part) => part.outerHTML)"


def test_what_has_not_changed_stays_the_same_element_and_keeps_the_focus(open_as: OpenAs) -> None:
    ines, tobias, noor, mina = (play.person(name) for name in ("Ines", "Tobias", "Noor", "Mina"))
    play.game_of(ines, tobias)
    offered = tables.open_table(tobias, tables.TableOptions(4, is_public=True, pace="slow"))
    home = open_as(ines, "/", viewport={"width": 390, "height": 844})
    forbid_polls(home)
    lists = home.locator("#lists")
    join = lists.get_by_role("button", name="Join the table of Tobias")
    expect(join).to_have_count(1)
    assert home.evaluate(MARK) > 10

    loads, posts = [], []
    home.on("requestfinished", lambda sent: loads.append(sent.url) if sent.resource_type == "xhr" else None)
    home.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" else None)
    home.locator(".lobby__new").focus()
    tables.open_table(mina, tables.TableOptions(3, is_public=True, pace="slow"))
    expect(lists.get_by_role("button", name="Join the table of Mina")).to_be_visible()
    expect(home.locator(".lobby__new")).to_be_focused()

    join.focus()
    focused = home.evaluate("window.focused")
    tables.join(offered.key, noor)
    expect(lists.get_by_role("button", name="Join the table of Tobias and Noor")).to_be_focused()
    tables.open_table(noor, tables.TableOptions(2, is_public=True, pace="slow"))
    expect(lists.get_by_role("button", name="Join the table of Noor")).to_be_visible()
    assert home.evaluate("window.focused") == focused
    assert home.evaluate(LOST) == []
    assert len(loads) == 3

    lists.get_by_role("button", name="Join the table of Tobias and Noor").press("Enter")
    expect(home.locator("#game")).to_be_visible()
    assert len(posts) == 1
