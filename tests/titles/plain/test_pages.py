"""Pairs on the site: four people play it on the plain page and in text mode, without JavaScript."""

import json
import re
import uuid

import pytest
from django.test import Client
from django_webtest import DjangoTestApp
from webtest.response import TestResponse

from accounts.models import User
from games.models import Game
from tests.clients import HTMX, client_of
from tests.play import fresh
from tests.titles.plain.pairs_games import game_of_pairs, let_play, position_of, users_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs")]

PAGES = pytest.mark.parametrize("part", ["", "text/"], ids=["page", "text mode"])


@pytest.fixture
def game() -> Game:
    return game_of_pairs()


def text_of(page: TestResponse, selector: str = "main") -> str:
    return " ".join(page.html.select_one(selector).get_text().split())


def take_a_turn(app: DjangoTestApp, address: str, user: User) -> TestResponse:
    """Choose the first action on a page, and confirm it."""
    page = app.get(address, user=user)
    link = page.html.select_one(".plain__buttons a, .move .options a")
    page = app.get(f"{address}{link['href'].removeprefix(address).partition('#')[0]}", user=user)
    [form] = {form for form in page.forms.values() if "action" in form.fields}
    return form.submit(user=user).follow(user=user)


@PAGES
def test_four_people_play_to_the_end(django_app: DjangoTestApp, game: Game, part: str) -> None:
    address, users = f"{game.get_absolute_url()}{part}", users_of(game)
    for number in range(1, 4):
        hands = position_of(game).hands
        for seat, user in enumerate(users[:3]):
            page = take_a_turn(django_app, address, user)
            assert f"You chose the {hands[seat][0]}" in text_of(page)
            assert "Waiting for" in text_of(page)
        page = take_a_turn(django_app, address, users[3])
        assert "The cards were revealed" in text_of(page)
        assert fresh(game).version == 4 * number
    places = position_of(game).places
    for seat, user in enumerate(users):
        page = django_app.get(address, user=user)
        heading = "A tie" if len(set(places)) == 1 else "You win" if places[seat] == 1 else " win"
        assert heading in text_of(page, "h1")
        assert [form for form in page.forms.values() if form.action.endswith("/rematch/")]


def test_the_rounds_before_are_below_the_actions_while_there_are_some(game: Game) -> None:
    for seat in range(4):
        let_play(game, seat)
    address, [ines, *_others] = game.get_absolute_url(), users_of(game)
    page = client_of(ines).get(address).text
    assert page.index("Your hand") < page.index('id="actions"') < page.index("Cards played")
    assert page.index("The cards were revealed") < page.index('id="actions"')
    let_play(game, 0)
    assert "Cards played" in client_of(ines).get(address).text
    for seat in (1, 2, 3, *range(4)):
        let_play(game, seat)
    assert fresh(game).is_over
    assert "Cards played" in client_of(ines).get(address).text


@PAGES
def test_who_does_not_confirm_acts_with_one_press(django_app: DjangoTestApp, game: Game, part: str) -> None:
    User.objects.filter(username="Ines").update(confirm_moves=False)
    page = django_app.get(f"{game.get_absolute_url()}{part}", user="Ines")
    forms = {form for form in page.forms.values() if "action" in form.fields}
    assert len(forms) == len(set(position_of(game).hands[0]))
    next(iter(forms)).submit(user="Ines").follow(user="Ines")
    assert position_of(game).awaited == {1, 2, 3}


@PAGES
def test_each_seat_sees_only_its_own_choice_now_and_in_the_past(game: Game, part: str) -> None:
    let_play(game, 2)
    let_play(game, 0)
    address = f"{game.get_absolute_url()}{part}"
    for seat, user in enumerate(users_of(game)):
        for query in ("", "?at=1", "?at=0"):
            page = re.sub(r"<[^>]+>", "", client_of(user).get(f"{address}{query}").text)
            assert ("You chose the" in page) == (seat in (0, 2))
            assert ("Halley has chosen" in page) == (seat != 2)
    assert "Your hand" not in Client().get(address).text


@pytest.mark.parametrize(("part", "plan"), [("", ".plan"), ("text/", ".plan ol")], ids=["page", "text mode"])
def test_a_plan_for_the_next_round_is_played(
    django_app: DjangoTestApp, game: Game, part: str, plan: str
) -> None:
    let_play(game, 0)
    address = f"{game.get_absolute_url()}{part}"
    page = django_app.get(f"{address}?plan=1", user="Ines")
    [form] = {form for form in page.forms.values() if "action" in form.fields}
    page = form.submit("action", user="Ines").follow(user="Ines")
    assert "Choose the" in text_of(page, plan)
    for seat in (1, 2, 3):
        let_play(game, seat)
    assert fresh(game).version == 5
    assert "Your plan was played. You chose the" in text_of(django_app.get(address, user="Ines"))


def test_htmx_gets_the_part_that_it_replaces(game: Game) -> None:
    [ines, *_others] = users_of(game)
    card = position_of(game).hands[0][0]
    page = client_of(ines).get(f"{game.get_absolute_url()}?choice=choose+{card}", headers=HTMX).text
    assert page.lstrip().startswith("<title>")
    assert f"Choose the {card}?" in page


@pytest.mark.parametrize("part", ["play/", "text/"])
def test_what_is_not_legal_is_refused_with_a_reason(game: Game, part: str) -> None:
    [ines, *_others] = users_of(game)
    card = next(card for card in range(1, 8) if card not in position_of(game).hands[0])
    address, client = f"{game.get_absolute_url()}{part}", client_of(ines)
    data = {"do": "play", "number": 1, "request_id": uuid.uuid4()}
    choose = json.dumps([{"do": "choose", "seat": 0, "card": card}])
    response = client.post(address, {**data, "action": choose})
    assert response.status_code == 422
    assert "Choose one of your hand." in response.text
    assert client.post(address, {**data, "action": "[]"}).status_code == 400
    assert fresh(game).version == 0


@pytest.mark.parametrize("do", ["cancel", "nonsense", ""])
@pytest.mark.parametrize("part", ["play/", "text/"])
def test_forms_of_the_page_only_play_or_resign(game: Game, part: str, do: str) -> None:
    [ines, *_others] = users_of(game)
    choose = json.dumps([{"do": "choose", "seat": 0, "card": position_of(game).hands[0][0]}])
    data = {"do": do, "number": 1, "request_id": uuid.uuid4(), "action": choose}
    assert client_of(ines).post(f"{game.get_absolute_url()}{part}", data).status_code == 400
    assert fresh(game).version == 0
