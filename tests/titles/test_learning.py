"""Lessons and rules of several titles: each has addresses of its own, and pages link to the right ones."""

import re
import uuid
from collections.abc import Mapping
from dataclasses import replace

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services import tables
from games.shown.chapters import Chapter, search
from games.shown.plain.pages import PlainPages
from games.titles import registry
from games.titles.talents import Talent
from tests.clients import client_of
from tests.play import person
from tests.titles.pairs.rules import PairsRules
from tests.titles.pairs.words import PairsWords
from tests.titles.play import pairs_game
from tests.titles.site import forget_parts, offering_only

pytestmark = pytest.mark.django_db

NAMES = ("Ines", "Tobias", "Mina", "Noor")
CHAPTERS = (
    Chapter("cards", "Cards", "<p>Equal cards are a pair.</p>"),
    Chapter("end", "The end", "<p>End.</p>"),
)


class LearningPages(PlainPages):
    """Two lessons, in the first of which one says "pair", and two chapters of rules."""

    lesson_count = 2
    lesson_page = lesson_part = "games/_lesson_card.html"
    rules_page = "games/rules.html"
    rules_part = "games/_rules_found.html"

    def lesson(self, number: int, asked: Mapping[str, str], *, is_corrected: bool) -> Mapping[str, object]:
        del asked
        return {"lesson": {"title": f"Pairs {number}", "text": ["corrected"] if is_corrected else []}}

    def problem_with_answer(self, number: int, data: Mapping[str, str]) -> str:
        return "" if data.get("word") == "pair" else f"Say pair in lesson {number}."

    def show_rules(self, query: str) -> Mapping[str, object]:
        found = search(CHAPTERS, query) if query else CHAPTERS
        return {"query": query, "contents": CHAPTERS, "found": found, "other_words": "Try: pair."}


@pytest.fixture
def learning(pairs: None) -> None:
    """Let Pairs have lessons and rules, beside those of Nova Luna; `pairs` takes them away."""
    pages = LearningPages(PairsRules(), PairsWords())
    talents = frozenset({Talent.LESSONS, Talent.RULES, Talent.PLANS})
    registry.register(replace(registry.TITLES["pairs"], pages=pages, talents=talents))
    forget_parts()


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def links_of(page: HttpResponse | str) -> set[str]:
    text = page if isinstance(page, str) else page.text
    return {link for link in re.findall(r'href="(/(?:learn|rules)/[^"]*)"', text) if "#" not in link}


@pytest.mark.usefixtures("learning")
def test_addresses_without_a_title_belong_to_the_first_one(client: Client) -> None:
    for address, is_pairs in {"/learn/": False, "/learn/novaluna/": False, "/learn/pairs/": True}.items():
        page = client.get(address)
        assert ("Pairs 1" in page.text) is is_pairs
        assert ("Cover a goal" in page.text) is not is_pairs
    for address, is_pairs in {"/rules/": False, "/rules/novaluna/": False, "/rules/pairs/": True}.items():
        page = client.get(address)
        assert ("Equal cards are a pair." in page.text) is is_pairs
        assert ("moon wheel" in page.text) is not is_pairs


@pytest.mark.parametrize("path", ["/learn/chess/", "/learn/chess/1/", "/learn/pairs/3/", "/rules/chess/"])
@pytest.mark.usefixtures("learning")
def test_what_no_title_has_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/learn/pairs/", "/learn/pairs/1/", "/rules/pairs/"])
@pytest.mark.usefixtures("pairs")
def test_a_title_without_the_talent_has_no_such_page(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.usefixtures("learning")
def test_the_lessons_of_a_title_lead_through_its_own_addresses_to_a_game_of_it(client: Client) -> None:
    wrong = client.post("/learn/pairs/1/", {"word": "moon"})
    assert wrong.status_code == 200
    assert "Say pair in lesson 1." in wrong.text
    right = client.post("/learn/pairs/1/", {"word": "pair"})
    assert right["Location"] == "/learn/pairs/2/#main"
    last = client.get("/learn/pairs/2/").text
    assert links_of(last) == {"/learn/pairs/1/", "/rules/pairs/"}
    fields = dict(re.findall(r'name="(title|request_id)" value="([^"]+)"', last))
    client.post("/play/", fields)
    assert Game.objects.get().title == "pairs"


@pytest.mark.usefixtures("learning")
def test_a_search_stays_in_the_rules_of_its_title(client: Client) -> None:
    page = client.get("/rules/pairs/", {"q": "equal"}).text
    assert "<mark>Equal</mark>" in page
    assert 'action="/rules/pairs/"' in page
    nothing = client.get("/rules/pairs/", {"q": "moon"}).text
    assert "Try: pair." in nothing
    assert 'href="/rules/pairs/">Show all chapters' in nothing


@pytest.mark.usefixtures("learning")
def test_rules_lead_to_those_of_the_other_titles(client: Client) -> None:
    for path in ("/rules/", "/rules/pairs/"):
        page = client.get(path).text
        assert re.search(r'href="/rules/"[^>]*>Nova Luna</a>', page)
        assert re.search(r'href="/rules/pairs/"[^>]*>Pairs</a>', page)
        assert re.findall(r'href="([^"]+)" aria-current="page"', page) == [path]


@pytest.mark.usefixtures("learning")
def test_the_first_lesson_leads_to_those_of_the_other_titles(client: Client) -> None:
    assert re.search(r'href="/learn/pairs/"[^>]*>Pairs</a>', client.get("/learn/").text)
    assert re.search(r'href="/learn/"[^>]*>Nova Luna</a>', client.get("/learn/pairs/").text)
    assert 'class="same_of_titles"' not in client.get("/learn/2/").text


def test_rules_of_the_only_title_lead_to_no_others(client: Client) -> None:
    with offering_only("novaluna"):
        assert 'class="same_of_titles"' not in client.get("/rules/").text


@pytest.mark.usefixtures("learning")
def test_pages_of_a_table_and_a_game_link_to_the_pages_of_their_title(users: list[User]) -> None:
    table = tables.open_table(users[0], tables.TableOptions(4, title="pairs"))
    main = client_of(users[1]).get(table.get_absolute_url()).text.partition("<footer")[0]
    assert "/learn/pairs/" in links_of(main)
    assert "/learn/" not in links_of(main)
    game = pairs_game(*users)
    page = client_of(users[0]).get(game.get_absolute_url()).text
    assert re.search(r'href="/rules/pairs/">Rules<', page)


@pytest.mark.usefixtures("pairs")
def test_one_press_on_the_home_page_starts_a_first_game_of_a_further_title(client: Client) -> None:
    page = client.get("/").text
    form = re.findall(r'<form[^>]*action="/play/".*?</form>', page, re.DOTALL)[0]
    [label] = re.findall(r'name="title" value="pairs">([^<]+)<', form)
    assert label == "Play Pairs"
    assert "Pairs is played in turns." in form
    [request_id] = re.findall(r'name="request_id" value="([^"]+)"', form)
    answer = client.post("/play/", {"request_id": request_id, "title": "pairs"}, follow=True)
    game = Game.objects.get()
    assert (game.title, game.is_running) == ("pairs", True)
    assert answer.redirect_chain == [(game.get_absolute_url(), 302)]


@pytest.mark.usefixtures("pairs")
def test_both_buttons_of_a_page_start_a_game_each(client: Client) -> None:
    request_id = str(uuid.uuid4())
    for title in ("", "pairs", "", "pairs"):
        client.post("/play/", {"request_id": request_id, "title": title})
    assert sorted(Game.objects.values_list("title", flat=True)) == ["novaluna", "pairs"]
    assert Game.objects.values("opened_by").distinct().count() == 1


@pytest.mark.usefixtures("pairs")
def test_a_title_that_the_site_does_not_offer_starts_the_first_one(client: Client) -> None:
    client.post("/play/", {"request_id": str(uuid.uuid4()), "title": "chess"})
    assert Game.objects.get().title == "novaluna"


@pytest.mark.usefixtures("pairs")
def test_a_user_without_games_can_begin_with_each_title() -> None:
    page = client_of(person("Ines")).get("/").text
    assert "Play Pairs" in page


def test_a_site_with_one_title_offers_no_choice(client: Client) -> None:
    assert 'name="title"' in client.get("/").text
    with offering_only("novaluna"):
        assert 'name="title"' not in client.get("/").text
