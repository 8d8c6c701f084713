"""The lessons, which accept only expected actions and lead to a first game; the rules and their search."""

import re
from html import unescape

import pytest
from django.test import Client
from django_webtest import DjangoTestApp

from games.models import Game
from games.novaluna.engine import Cell, GoalAt, Place, Refill
from games.novaluna.learning.lessons import LESSONS, problem_with, steps_before
from games.novaluna.learning.rules import EXAMPLES, TITLES, display_of
from tests import play

# The lessons store nothing, but their pages read the session of the visitor, and the last one starts a game.
pytestmark = pytest.mark.django_db

COVERED = {
    "goal": {((0, 0), 1)},
    "diagonal": set(),
    "group": {((0, 0), 0)},
    "own_colour": {((0, 0), 0)},
    "at_once": {((0, 0), 0), ((0, 0), 1), ((1, 1), 1)},
}


@pytest.mark.slow
def test_the_lessons_can_be_played_to_the_end_without_scripts(django_app: DjangoTestApp) -> None:
    page = django_app.get("/learn/")
    for number, lesson in enumerate(LESSONS, 1):
        assert f"Lesson {number} of {len(LESSONS)}" in page
        assert str(lesson.title) in page
        if number == len(LESSONS):
            break
        match lesson.expected:
            case Place(_seat, tile, x, y):
                page = page.click(href=rf"\?tile={tile}$")
                page = page.click(href=rf"\?tile={tile}&x={x}&y={y}$")
                page = page.forms["choice"].submit().follow()
            case Refill():
                [form] = {form for form in page.forms.values() if form.fields.get("do")}
                page = form.submit().follow()
    assert "You have won" in page
    assert page.click("All rules").status_code == 200


def test_every_lesson_accepts_the_action_that_it_expects() -> None:
    for number, lesson in enumerate(LESSONS):
        if lesson.expected:
            before = steps_before(number)
            after = steps_before(number + 1)[len(before)]
            assert after.action == lesson.expected
            assert problem_with(lesson, after) == ""
    assert steps_before(len(LESSONS))[-1].position.winner == 0


@pytest.mark.parametrize(
    ("number", "data", "why"),
    [
        (1, {"tile": "R1", "x": 1, "y": 0}, "place the blue 1 on the marked cell"),  # legal, but not expected
        (1, {"tile": "B1", "x": 0, "y": 1}, "A good move too: it covers a goal. In this lesson, place"),
        (4, {"tile": "T4a", "x": 2, "y": 0}, "refill the wheel first"),
        (5, {"tile": "B6b", "x": -1, "y": 0}, "That covers no goal"),
        (1, {"tile": "T2a", "x": 1, "y": 0}, "You can't do that here"),  # out of reach
        (1, {"tile": "B1", "x": 5, "y": 5}, "You can't do that here"),
        (1, {"do": "refill"}, "You can't do that here"),
        (1, {}, "You can't do that here"),
        (1, {"tile": "moon", "x": "?", "y": "1e9"}, "You can't do that here"),
        (6, {"tile": "T5b", "x": 0, "y": 0}, "You can't do that here"),
    ],
)
def test_a_lesson_corrects_another_action(
    client: Client, number: int, data: dict[str, object], why: str
) -> None:
    answer = client.post(f"/learn/{number}/", data)
    assert answer.status_code == 200
    assert why in unescape(answer.text)
    assert f"Lesson {number} of" in answer.text


def test_any_cell_that_covers_the_last_goal_is_accepted(client: Client) -> None:
    for x, y in ((-1, 1), (0, 2), (2, 1), (1, 2)):
        assert client.post("/learn/5/", {"tile": "B6b", "x": x, "y": y}).url == "/learn/6/#main"


@pytest.mark.parametrize("is_member", [True, False])
def test_one_press_after_the_last_lesson_starts_a_game_with_an_easy_bot(
    client: Client, is_member: bool
) -> None:
    if is_member:
        client.force_login(play.person("Ines"))
    page = client.get("/learn/6/").text
    [request_id] = re.findall(r'action="/play/".*?name="request_id" value="([^"]+)"', page, re.DOTALL)
    board = client.post("/play/", {"request_id": request_id})
    game = Game.objects.get()
    assert board.url == game.get_absolute_url()
    assert [seat.bot for seat in game.seats.order_by("number")] in (["", "easy"], ["easy", ""])


def test_a_lesson_shows_what_luna_played(client: Client) -> None:
    page = client.get("/learn/4/").text
    assert re.findall(r'<p class="lesson__event">(Luna took \w+ \d)', page) == [
        "Luna took turquoise 2",
        "Luna took yellow 3",
    ]


def test_a_lesson_marks_the_cell_that_it_asks_for(client: Client) -> None:
    for number, lesson in enumerate(LESSONS, 1):
        if isinstance(lesson.expected, Place) and not lesson.accepts_any_goal:
            _seat, tile, x, y = lesson.expected
            assert marks(client.get(f"/learn/{number}/").text) == [(tile, f"{x}_{y}")]


def test_a_lesson_with_several_answers_marks_one_only_after_a_wrong_answer(client: Client) -> None:
    assert marks(client.get("/learn/5/").text) == []
    assert marks(client.post("/learn/5/", {"tile": "B6b", "x": -1, "y": 0}).text) == [("B6b", "2_1")]


def marks(page: str) -> list[tuple[str, str]]:
    """Return the tile and the cell that the board marks."""
    tiles = re.findall(r'is-hinted".*?id="take-(\w+)"', page, re.DOTALL)
    cells = re.findall(r'class="hinted" style="--x:(-?\d+);--y:(-?\d+)"', page)
    return [(tile, f"{x}_{y}") for tile, (x, y) in zip(tiles, cells, strict=True)]


@pytest.mark.parametrize("number", [0, 7, 99])
def test_other_lesson_numbers_are_not_found(client: Client, number: int) -> None:
    assert client.get(f"/learn/{number}/").status_code == 404
    assert client.post(f"/learn/{number}/").status_code == 404


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_engine_covers_the_goals_that_an_example_shows(name: str) -> None:
    assert display_of(name).covered == {GoalAt(Cell(*cell), nth) for cell, nth in COVERED[name]}


def test_the_rules_have_all_chapters(client: Client) -> None:
    page = client.get("/rules/").text
    assert re.findall(r'<section id="([\w-]+)"', page) == list(TITLES)
    for slug in TITLES:
        assert f'href="#{slug}"' in page


def test_the_rules_name_the_designers_and_the_recommended_length(client: Client) -> None:
    page = client.get("/rules/").text
    about = page[page.index('<section id="about"') :]
    assert "by Uwe Rosenberg and Corné van Moorsel, for two to four players" in about
    assert "unofficial" in about
    assert "The box recommends the shorter length for the first game" in page


def test_a_search_finds_chapters_and_marks_the_words(client: Client) -> None:
    page = client.get("/rules/", {"q": "MARKER clockwise"}).text
    assert set(re.findall(r'<section id="([\w-]+)"', page)) == {"moon-wheel", "refill", "terms"}
    assert "<mark>marker</mark>" in page
    part = client.get("/rules/", {"q": "stack"}, headers={"hx-request": "true"}).text
    assert "<html" not in part
    assert "<mark>stack</mark>" in part


@pytest.mark.parametrize("query", ["tie", "equal"])
def test_a_search_finds_who_wins_a_tie(client: Client, query: str) -> None:
    page = client.get("/rules/", {"q": query}).text
    assert '<section id="end"' in page
    assert "Show all chapters" in page


@pytest.mark.parametrize("query", ["zeppelin", "<script>", "(", "\\", "covered zeppelin"])
def test_a_search_without_results_suggests_other_words(client: Client, query: str) -> None:
    answer = client.get("/rules/", {"q": query})
    assert answer.status_code == 200
    assert "No chapter contains “" in answer.text
    assert "Try another word" in answer.text
    assert 'href="/rules/">Show all chapters</a>' in answer.text
    assert "<script>”" not in answer.text


def test_an_empty_search_shows_all_chapters(client: Client) -> None:
    assert len(re.findall("<section id=", client.get("/rules/", {"q": "  "}).text)) == len(TITLES)
