"""Nothing that a person has typed is lost to a second tab, another log-in or a page that nobody has tried."""

import re

import pytest
from django.test import Client

from games.models import PrivateNote
from games.services import tables
from tests import play
from tests.browser.test_drafts import PAGES
from tests.clients import HTMX, client_of, without_marks
from tests.site.addresses import ADDRESSES

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
    table = tables.open_table(ines, tables.TableOptions(3))
    match = play.match_of(ines, tobias)[0].duplicate
    client, tile = client_of(ines), play.position_of(running).in_reach[0].code
    slow = (
        "games:preview",
        "games:small_preview",
        "games:stream",
        "games:updates_stream",
        "games:duplicate_stream",
    )
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


def log_in_again(client: Client) -> None:
    """Replace the token of a client, as a log-in in another tab does."""
    client.cookies["csrftoken"] = "b" * 32


def test_a_form_of_a_page_from_before_a_log_in_can_be_sent_again() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(play.person("Ines"))
    typed = {"text": 'A "quoted" <b>line</b>\nand another', "page": "text", "csrfmiddlewaretoken": "a" * 64}
    own = {"origin": "http://testserver"}
    log_in_again(client)
    page = client.post("/account/theme/?next=/rules/", typed, headers=own)
    assert page.status_code == 403
    assert '<form method="post" action="/account/theme/?next=/rules/">' in page.text
    assert "A &quot;quoted&quot; &lt;b&gt;line&lt;/b&gt;\nand another</textarea>" in page.text
    assert "Send it again as Ines" in without_marks(page.text)
    assert "a" * 64 not in page.text


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({"text": "forged"}, {"origin": "https://moon.example"}),
        ({"text": "forged"}, {"origin": "null"}),
        ({"text": "forged"}, {}),
        ({"login": "forged", "password": "forged"}, {"origin": "http://testserver"}),
        ({"oldpassword": "forged"}, {"origin": "http://testserver"}),
    ],
)
def test_nothing_forged_and_no_password_is_offered_again(
    fields: dict[str, str], headers: dict[str, str]
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(play.person("Ines"))
    page = client.post("/account/theme/", fields, headers=headers)
    assert page.status_code == 403
    assert "forged" not in page.text
    assert "Send it again" not in page.text


def test_a_page_of_one_person_sends_nothing_as_another() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    game = play.game_of(ines, tobias)
    note = {"note": "Keep the red 3"}
    for client, said in (
        (client_of(tobias), "You are logged in as Tobias"),
        (Client(), "You are logged out"),
    ):
        refused = client.post(f"/g/{game.key}/note/", note, headers={**HTMX, "x-person": str(ines.pk)})
        assert refused.status_code == 403
        assert said in without_marks(refused.text)
    assert not PrivateNote.objects.exists()
    client_of(ines).post(f"/g/{game.key}/note/", note, headers={**HTMX, "x-person": str(ines.pk)})
    assert PrivateNote.objects.get().user == ines


def read_version(page: str) -> str:
    found = re.search(r'name="read" value="(\w{16})"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["with scripts", "without scripts"])
def test_an_older_tab_does_not_replace_a_newer_note(headers: dict[str, str]) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    client, address = client_of(ines), f"/g/{game.key}/note/"
    older = newer = read_version(client.get(f"/g/{game.key}/").text)
    assert client.post(address, {"note": "Tobias wants <red>", "read": newer}).status_code == 302

    refused = client.post(address, {"note": "Keep the blue 2", "read": older}, headers=headers)
    assert refused.status_code == 409
    assert "Tobias wants &lt;red&gt;" in refused.text
    assert "changed on another page" in refused.text
    assert ("Keep the blue 2" in refused.text) is not bool(headers)  # The open page still has it.
    assert PrivateNote.objects.get().text == "Tobias wants <red>"

    seen = re.search(r'"read"(: | value=)"(\w{16})"', refused.text)
    assert seen
    client.post(address, {"note": "Keep the blue 2", "read": seen[2]}, headers=headers)
    assert PrivateNote.objects.get().text == "Keep the blue 2"


def test_a_note_replaces_one_that_it_contains() -> None:
    """A page that did not get the answer about its own text is no older tab."""
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    client, address = client_of(ines), f"/g/{game.key}/note/"
    read = read_version(client.get(f"/g/{game.key}/text/").text)
    for note in ("Keep", "Keep the blue 2"):
        answer = client.post(address, {"note": note, "read": read}, headers=HTMX)
        assert "Saved." in answer.text
    assert client.post(address, {"note": "", "read": read_version(answer.text)}).status_code == 302
    assert not PrivateNote.objects.exists()
