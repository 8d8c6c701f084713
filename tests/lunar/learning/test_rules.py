"""The rules page of LUNAR: chapters, examples that the engine judges, search, and what is ours."""

import re
from html import unescape

import pytest
from django.test import Client

from games.lunar.engine import HOUSE_POINTS
from games.lunar.learning.rules import EXAMPLES, TITLES, trick_of

pytestmark = [pytest.mark.django_db]

WINNERS = {"higher": 0, "equal": 0, "lead": 0, "trump": 0}


def chapter(page: str, slug: str) -> str:
    return unescape(page.partition(f'<section id="{slug}"')[2].partition("</section>")[0])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_engine_gives_the_trick_to_the_side_that_the_example_says(name: str) -> None:
    assert trick_of(name).winner == WINNERS[name]


def test_the_rules_have_all_chapters(client: Client) -> None:
    page = client.get("/rules/lunar/").text
    assert re.findall(r'<section id="([\w-]+)"', page) == list(TITLES)
    for slug in TITLES:
        assert f'href="#{slug}"' in page


def test_the_house_tables_are_shown_with_a_line_that_they_are_ours(client: Client) -> None:
    page = client.get("/rules/lunar/").text
    points = chapter(page, "points")
    assert [int(number) for number in re.findall(r"<td><b>(\d+)</b></td>", points)] == list(HOUSE_POINTS)
    for slug in ("points", "stars"):
        assert "Our choice:" in chapter(page, slug)


def test_each_ruling_of_ours_is_marked_where_it_stands_and_listed(client: Client) -> None:
    page = client.get("/rules/lunar/").text
    marked = {slug for slug in TITLES if "rules__own" in chapter(page, slug)}
    listed = set(re.findall(r'href="#(\w+)"', chapter(page, "rulings")))
    assert marked - {"passing"} == listed, "the one about passing is listed with talking"


def test_the_rules_say_what_partners_may_not_say_and_who_designed_the_game(client: Client) -> None:
    page = client.get("/rules/lunar/").text
    assert "which cards they have, do not have, or have passed" in chapter(page, "talking")
    assert "by Masato Uesugi" in chapter(page, "about")
    assert "unofficial" in chapter(page, "about")


@pytest.mark.parametrize(
    ("query", "found"), [("equal ranks", "winner"), ("sky pile", "sky"), ("star", "stars")]
)
def test_a_search_finds_chapters(client: Client, query: str, found: str) -> None:
    page = client.get("/rules/lunar/", {"q": query}).text
    assert f'<section id="{found}"' in page
    assert "<mark>" in page


def test_a_search_without_results_suggests_words_of_this_game(client: Client) -> None:
    page = client.get("/rules/lunar/", {"q": "moon wheel"}).text
    assert "Try another word: trick, trump, star, sky, points." in page
