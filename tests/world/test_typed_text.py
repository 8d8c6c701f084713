"""Nothing that a person has typed is lost to a second tab, another log-in or a page that nobody has tried."""

import re

import pytest

from games.services import tables
from tests import play
from tests.browser.test_drafts import PAGES
from tests.clients import client_of
from tests.site.test_every_address import ADDRESSES

pytestmark = pytest.mark.django_db

FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
FIELD = re.compile(
    r'<(textarea|select)\b(?![^>]*readonly)|<input (?![^>]*(type="(hidden|range|search|password)"|readonly))'
)
SAME_FORM_ON_ANOTHER_PAGE = {"games:new"}


def has_fields(page: str) -> bool:
    return any('method="post"' in form and FIELD.search(form) for form in FORM.findall(page))


def test_the_walk_of_drafts_visits_every_page_with_fields() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    running = play.play_some(play.game_of(ines, tobias), 6)
    over = play.play_out(play.game_of(ines, tobias))
    table = tables.open_table(ines, 3, (), beginner=False, is_public=False)
    match = play.match_of(ines, tobias)[0].duplicate
    client, tile = client_of(ines), play.position_of(running).in_reach[0].code
    slow = ("games:preview", "games:stream", "games:updates_stream", "games:duplicate_stream")
    addresses = [(name, one.partition("?")[0]) for name, listed in ADDRESSES.items() for one in listed]
    addresses += [("games:game", f"/g/{table.key}/"), ("games:review", f"/g/{over.key}/review/")]
    found = set()
    for name, address in dict.fromkeys(addresses):
        keys = {"KEY": running.key, "TILE": tile, "MATCH": match.key}
        path = re.sub("|".join(keys), lambda key, keys=keys: keys[key[0]], address)
        page = None if name in slow else client.get(path)
        if page and page.status_code == 200 and "html" in page["Content-Type"] and has_fields(page.text):
            found.add(name)
    assert found - PAGES.keys() == SAME_FORM_ON_ANOTHER_PAGE
