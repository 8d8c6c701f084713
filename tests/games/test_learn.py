"""The first game: every lesson leads on by what it asks for and nothing else; the rules and their search."""

import re

import pytest
from django.test import Client
from django_webtest import DjangoTestApp

from games.engine import Cell, GoalAt, Place, Refill
from games.learning.lessons import LESSONS, is_answer, steps_before
from games.learning.rules import EXAMPLES, TITLES, display_of

# The pages look at who is logged in; nothing of the lessons is in the database.
pytestmark = pytest.mark.django_db

COVERED = {
    "goal": {((0, 0), 1)},
    "diagonal": set(),
    "group": {((0, 0), 0)},
    "own_colour": {((0, 0), 0)},
    "at_once": {((0, 0), 0), ((0, 0), 1), ((1, 1), 1)},
}


def test_the_lessons_are_played_to_the_end_without_script(django_app: DjangoTestApp) -> None:
    page = django_app.get("/learn/")
    for number, lesson in enumerate(LESSONS, 1):
        assert f"Lesson {number} of {len(LESSONS)}" in page
        assert str(lesson.title) in page
        if number == len(LESSONS):
            break
        match lesson.asks:
            case Place(_seat, tile, x, y):
                page = page.click(href=rf"\?tile={tile}$")
                page = page.click(href=rf"\?tile={tile}&x={x}&y={y}$")
                page = page.forms["choice"].submit().follow()
            case Refill():
                [form] = {form for form in page.forms.values() if form.fields.get("do")}
                page = form.submit().follow()
            case None:
                page = page.click("Go on")
    assert "You have won" in page
    assert page.click("All rules").status_code == 200


def test_every_lesson_asks_for_what_it_takes_as_an_answer() -> None:
    for number, lesson in enumerate(LESSONS):
        if lesson.asks:
            before = steps_before(number)
            after = steps_before(number + 1)[len(before)]
            assert after.action == lesson.asks
            assert is_answer(lesson, after)
    assert steps_before(len(LESSONS))[-1].position.winner == 0


@pytest.mark.parametrize(
    ("number", "data", "why"),
    [
        (2, {"tile": "R2a", "x": 0, "y": 0}, "Take that one"),  # legal, but not what is asked
        (4, {"tile": "B1", "x": 0, "y": 1}, "place the blue 1 on E1"),
        (8, {"tile": "B6b", "x": -1, "y": 0}, "No goal is covered that way"),
        (7, {"tile": "T4a", "x": 2, "y": 0}, "refill first"),
        (2, {"tile": "B1", "x": 0, "y": 0}, "You cannot do that here"),  # out of reach
        (4, {"tile": "B1", "x": 5, "y": 5}, "You cannot do that here"),
        (2, {"do": "refill"}, "You cannot do that here"),
        (2, {}, "You cannot do that here"),
        (2, {"tile": "moon", "x": "?", "y": "1e9"}, "You cannot do that here"),
        (1, {"tile": "T5b", "x": 0, "y": 0}, "Go on"),  # a lesson that asks for nothing
    ],
)
def test_another_action_is_answered_kindly(
    client: Client, number: int, data: dict[str, object], why: str
) -> None:
    answer = client.post(f"/learn/{number}/", data)
    assert answer.status_code == 422
    assert why in answer.text
    assert f"Lesson {number} of" in answer.text


def test_any_cell_that_covers_the_goal_wins(client: Client) -> None:
    for x, y in ((-1, 1), (0, 2), (2, 1), (1, 2)):
        assert client.post("/learn/8/", {"tile": "B6b", "x": x, "y": y}).url == "/learn/9/"


@pytest.mark.parametrize("number", [0, 10, 99])
def test_there_is_no_other_lesson(client: Client, number: int) -> None:
    assert client.get(f"/learn/{number}/").status_code == 404
    assert client.post(f"/learn/{number}/").status_code == 404


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_engine_covers_what_an_example_says(name: str) -> None:
    assert display_of(name).covered == {GoalAt(Cell(*cell), nth) for cell, nth in COVERED[name]}


def test_the_rules_have_all_chapters(client: Client) -> None:
    page = client.get("/rules/").text
    assert re.findall(r'<section id="([\w-]+)"', page) == list(TITLES)
    for slug in TITLES:
        assert f'href="#{slug}"' in page


def test_a_search_finds_chapters_and_marks_the_words(client: Client) -> None:
    page = client.get("/rules/", {"q": "MARKER clockwise"}).text
    assert set(re.findall(r'<section id="([\w-]+)"', page)) == {"moon-wheel", "refill", "terms"}
    assert "<mark>marker</mark>" in page
    part = client.get("/rules/", {"q": "stack"}, headers={"hx-request": "true"}).text
    assert "<html" not in part
    assert "<mark>stack</mark>" in part


@pytest.mark.parametrize("query", ["zeppelin", "<script>", "(", "\\", "covered zeppelin"])
def test_a_search_without_result_says_so(client: Client, query: str) -> None:
    answer = client.get("/rules/", {"q": query})
    assert answer.status_code == 200
    assert "Try another word" in answer.text
    assert "<script>”" not in answer.text


def test_an_empty_search_shows_everything(client: Client) -> None:
    assert len(re.findall("<section id=", client.get("/rules/", {"q": "  "}).text)) == len(TITLES)
