"""The form of a new table asks about the house tables and the lead tiles of LUNAR."""

import re
import uuid
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from games.forms.new_table import NewTableForm
from games.lunar.engine import HOUSE_POINTS
from games.titles.registry import title_named
from tests.clients import client_of
from tests.play import person

LUNAR = title_named("lunar")
ANSWERS: dict[str, Any] = {
    "title": "lunar",
    "request_id": str(uuid.uuid4()),
    "seat_count": 2,
    "level": "easy",
    "opponents": "people",
    "pace": "slow",
    "points": " ".join(map(str, HOUSE_POINTS)),
    "stars": "suits",
}


def form_with(**answers: Any) -> NewTableForm:
    return NewTableForm(LUNAR, ANSWERS | answers)


def options_of(**answers: Any) -> dict[str, Any]:
    form = form_with(**answers)
    assert form.is_valid(), form.errors
    table = form.options
    return dict(LUNAR.rules.checked_options(table.options, table.seat_count))


def test_without_changes_a_table_has_the_house_rules() -> None:
    assert options_of() == {"points": list(HOUSE_POINTS), "stars": "suits", "leads": None}
    assert options_of(points="", stars="") == options_of()


def test_a_table_can_choose_points_stars_and_leads() -> None:
    points = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"
    assert options_of(points=points, stars="ranks", leads_2="1 0") == {
        "points": list(range(13)),
        "stars": "ranks",
        "leads": [1, 0],
    }
    assert options_of(seat_count=4, leads_4="3 2", leads_2="1 0")["leads"] == [3, 2]


@pytest.mark.parametrize(
    "points", ["1 2 3", "x " * 13, "21 " * 13, "-1 " * 13, "1.0 " * 13, "٣ " * 13, "01 " * 13]
)
def test_other_points_are_refused_beside_their_field(points: str) -> None:
    form = form_with(points=points)
    assert not form.is_valid()
    assert form.errors == {"points": ["Please enter 13 whole numbers from 0 to 20."]}


@pytest.mark.parametrize(("wrong", "value"), [(4, "21"), (12, ""), (0, "x")])
def test_each_number_of_tricks_has_a_field_and_a_wrong_one_gets_the_focus(wrong: int, value: str) -> None:
    right = {f"points_{tricks}": str(points) for tricks, points in enumerate(HOUSE_POINTS)}
    assert options_of(points="", **right) == options_of()
    form = form_with(points="", **right | {f"points_{wrong}": value})
    assert list(form.errors) == ["points"]
    field = re.search(
        r'<input[^>]* id="id_points_(\d+)"[^>]* value="([^"]*)" aria-invalid="true" autofocus>',
        str(form["points"]),
    )
    assert field is not None
    assert (field[1], field[2]) == (str(wrong), value)


@pytest.mark.parametrize(
    "points", ["7 " * 13, "0 " * 12 + "1", "5 " + "0 " * 6 + "5 " * 6, "1 9 9 " + "7 " * 10]
)
def test_a_table_whose_games_may_never_end_is_refused(points: str) -> None:
    form = form_with(points=points, stars="none")
    assert not form.is_valid()
    assert form.non_field_errors() == ["These options don't go together. Please change one of them."]
    assert form_with(points=points).is_valid()


@pytest.mark.parametrize("leads", ["0 2", "0", "x y", "0 0"])
def test_other_leads_are_refused(leads: str) -> None:
    assert not form_with(leads_2=leads).is_valid()


def test_options_are_described_by_what_differs() -> None:
    describe = LUNAR.pages.describe_options
    assert describe(options_of(), 2) == "usual points and stars"
    text = describe(options_of(stars="none", leads_2="1 0"), 2)
    assert text == "stars: none · lead tiles: black for seat 2, who starts, white for seat 1"


@pytest.mark.django_db
def test_the_form_shows_the_house_points() -> None:
    page = client_of(person("Ines")).get("/new/", {"title": "lunar"}, follow=True).text
    shown = re.findall(r'name="points_\d+".*?value="(\d+)"', page, re.DOTALL)
    assert shown == [str(points) for points in HOUSE_POINTS]
    assert "are our choice" in page
    folded = page.partition("<summary>Options")[2].partition("</details>")[0]
    for name in ("points_12", "stars", "leads_2", "leads_4"):
        assert page.count(f'name="{name}"') == folded.count(f'name="{name}"') == 1


def test_the_form_says_which_bot_is_the_partner() -> None:
    form = form_with()
    assert form.first_role == "opponent left"
    assert [str(field.label) for field, _seats in form.further_levels] == ["Partner", "Opponent right"]
    assert NewTableForm(title_named("novaluna")).first_role == ""


@pytest.mark.parametrize("title", ["lunar", "novaluna"])
def test_a_title_has_a_picture_for_its_invitations(title: str) -> None:
    assert finders.find(title_named(title).pages.banner)
