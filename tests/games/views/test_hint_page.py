"""Hints on the pages: the request, the wait, the hint for its player only, and the note on the result."""

from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_webtest import DjangoTestApp
from webtest import Form, TestResponse

from accounts.models import User
from games.models import Game, Hint
from games.novaluna.board.reasons import reasons_to_place
from games.novaluna.engine import Place, action_from_json, action_to_json
from games.queries.viewing import people_at
from games.services import hints
from games.services.play import play_for_bot
from tests.clients import HTMX, client_of
from tests.play import fresh, game_of, legal_action, person, play_one, play_out, position_of, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_expert")]


@pytest.fixture
def game(ines: User) -> Game:
    game = solo_of(ines)
    play_one(game)
    return fresh(game)


def ask(client: Client, game: Game) -> HttpResponse:
    return client.post(f"/g/{game.key}/hint/", {"number": fresh(game).version + 1})


def compute_hints() -> None:
    """Compute the awaited hints, as a worker does."""
    for hint in Hint.objects.filter(payload__isnull=True):
        hints.compute(hint.pk)


def hint_form_of(page: TestResponse) -> Form:
    return next(form for form in page.forms.values() if form.action.endswith("/hint/"))


def pages(game: Game) -> Iterator[str]:
    yield game.get_absolute_url()
    yield f"{game.get_absolute_url()}text/"


def test_the_board_asks_before_the_first_hint_and_the_hint_can_be_played(
    django_app: DjangoTestApp, game: Game, ines: User
) -> None:
    page = django_app.get(game.get_absolute_url(), user=ines)
    page = page.goto(page.html.select_one("#ask")["href"])
    assert "won't count for the leaderboard or your results" in page
    assert fresh(game).is_without_hints, "the question costs nothing"
    page = hint_form_of(page).submit().follow()
    assert "The expert is thinking" in page
    compute_hints()
    page = page.goto(page.request.path)
    page = page.goto(page.html.select_one("#follow")["href"])
    page.forms["choice"].submit().follow()
    assert fresh(game).version == game.version + 1


def test_the_text_mode_asks_before_the_first_hint_and_the_hint_can_be_played(
    django_app: DjangoTestApp, game: Game, ines: User
) -> None:
    page = django_app.get(f"{game.get_absolute_url()}text/", user=ines).click("Ask for a hint")
    assert "won't count for the leaderboard or your results" in page
    page = hint_form_of(page).submit().follow()
    assert "The expert is thinking" in page
    compute_hints()
    page = page.click("Check again").click("Choose it")
    assert "Your move: confirm it" in page
    assert "Choose it" not in page, "it is chosen"
    next(form for form in page.forms.values() if "do" in form.fields).submit().follow()
    assert fresh(game).version == game.version + 1


def test_the_text_mode_keeps_the_hint_beside_another_choice(game: Game, ines: User) -> None:
    client = client_of(ines)
    ask(client, game)
    compute_hints()
    hint = action_from_json(Hint.objects.get().payload)
    others = (
        place for place in position_of(game).legal_actions if isinstance(place, Place) and place != hint
    )
    other = next(others)
    text = client.get(f"/g/{game.key}/text/?tile={other.tile}&x={other.x}&y={other.y}").text
    assert "Your move: confirm it" in text
    assert "Choose it" in text


def test_both_modes_say_why_even_if_the_hint_is_chosen(ines: User) -> None:
    game = game_of(ines, bots=("easy",))
    while fresh(game).to_move != 0:
        play_for_bot(game.pk, legal_action(game), fresh(game).version + 1)
    client = client_of(ines)
    ask(client, game)
    position = position_of(game)
    places = [place for place in position.legal_actions if isinstance(place, Place)]
    people = people_at(game, ines)
    place, reasons = next(
        (one, texts)
        for one in places
        if (texts := [reason.text for reason in reasons_to_place(position, one, people)])
    )
    Hint.objects.update(payload=action_to_json(place), value=0.634)
    for path in pages(game):
        for query in ("", f"?tile={place.tile}&x={place.x}&y={place.y}"):
            text = unescape(client.get(path + query).text)
            assert all(reason in text for reason in reasons)
            assert "Chance to win: about 63%." in text
            assert reasons[0] not in unescape(Client().get(path + query).text)


def test_both_modes_ask_the_same_question(django_app: DjangoTestApp, game: Game, ines: User) -> None:
    for path in pages(game):
        page = django_app.get(f"{path}?hint=1", user=ines)
        mains = page.html.select("#main .btn--main")
        assert [main.get_text(strip=True) for main in mains] == ["Ask for a hint"]
        assert "No hint" in page


def test_the_second_hint_of_a_game_needs_no_question(game: Game, ines: User) -> None:
    client = client_of(ines)
    ask(client, game)
    play_one(game)
    for path in pages(game):
        text = client.get(path).text
        assert "hint=1" not in text
        assert 'hint/"' in text


def test_htmx_gets_no_new_board_until_the_hint_is_there(game: Game, ines: User) -> None:
    client, path = client_of(ines), f"/g/{game.key}/hint/"
    answer = client.post(path, {"number": game.version + 1}, headers=HTMX)
    assert answer.status_code == 200
    assert answer["HX-Replace-Url"] == game.get_absolute_url()
    assert f'hx-get="{path}"' in answer.text
    assert client.get(path, headers=HTMX).status_code == 204
    compute_hints()
    answer = client.get(path, headers=HTMX)
    assert answer.status_code == 200
    assert 'id="follow"' in answer.text
    assert f'hx-get="{path}"' not in answer.text, "nothing is left to wait for"


def test_a_late_hint_updates_the_board_once(game: Game, ines: User) -> None:
    client, path = client_of(ines), f"/g/{game.key}/hint/"
    page = client.post(path, {"number": game.version + 1}, headers=HTMX).text
    assert "This takes a second or two." in page
    assert client.get(path, headers=HTMX).status_code == 204
    Hint.objects.update(asked_at=timezone.now() - timedelta(seconds=10))
    answer = client.get(path, headers=HTMX)
    assert answer.status_code == 200
    assert "This is taking longer than usual" in answer.text
    assert f'hx-get="{path}?late=1"' in answer.text
    assert client.get(f"{path}?late=1", headers=HTMX).status_code == 204, "the board shows it already"
    for page_path in pages(game):
        assert "This is taking longer than usual" in client.get(page_path).text
    compute_hints()
    answer = client.get(f"{path}?late=1", headers=HTMX)
    assert answer.status_code == 200
    assert "longer than usual" not in answer.text


def test_the_address_of_a_hint_redirects_to_the_board(game: Game, ines: User) -> None:
    answer = client_of(ines).get(f"/g/{game.key}/hint/")
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    answer = client_of(ines).get(f"/g/{game.key}/text/hint/")
    assert (answer.status_code, answer["Location"]) == (302, f"{game.get_absolute_url()}text/#move")


@pytest.mark.parametrize("mode", ["", "text/"])
@pytest.mark.parametrize(
    ("number", "status", "reason"),
    [(1, 409, "moved on"), (3, 409, "moved on"), ("soon", 400, "not"), ("", 400, "not")],
)
def test_a_refusal_is_shown_on_the_board(
    game: Game, ines: User, mode: str, number: object, status: int, reason: str
) -> None:
    answer = client_of(ines).post(f"/g/{game.key}/{mode}hint/", {"number": number})
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert reason in answer.text
    assert fresh(game).is_without_hints


def test_spectators_see_no_hint_and_get_none(game: Game, ines: User) -> None:
    ask(client_of(ines), game)
    compute_hints()
    for client in (client_of(person("Mina")), Client()):
        for path in pages(game):
            text = client.get(path).text
            assert "Choose it" not in text
            assert "Ask for a hint" not in text
            assert "this game doesn't count for the leaderboard" in text, (
                "everybody may know that the game is not counted"
            )
        assert ask(client, game).status_code == 403
        assert client.get(f"/g/{game.key}/hint/", headers=HTMX).text.count("is-hinted") == 0
    for path in pages(game):
        assert "Choose it" in client_of(ines).get(path).text


def test_there_is_no_hint_button_against_people_or_after_the_end(ines: User, game: Game) -> None:
    others = game_of(ines, person("Tobias"))
    finished = play_out(game)
    for path in (*pages(others), *pages(finished)):
        for user in User.objects.all():
            text = client_of(user).get(f"{path}?hint=1").text
            assert "hint/" not in text
            assert "Ask for a hint" not in text


def test_a_form_without_a_csrf_token_is_refused(game: Game, ines: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ines)
    assert ask(client, game).status_code == 403
    assert fresh(game).is_without_hints


@pytest.mark.parametrize("path", ["/g/aaaaaaaaaa/hint/", "/g/aaaaaaaaaa/text/hint/"])
def test_an_unknown_game_has_no_hints(ines: User, path: str) -> None:
    client = client_of(ines)
    assert client.get(path).status_code == 404
    assert client.post(path, {"number": 1}).status_code == 404


def test_the_result_keeps_the_note_on_hints(game: Game, ines: User) -> None:
    client = client_of(ines)
    ask(client, game)
    for path in pages(game):
        assert "A hint was used, so this game doesn't count for the leaderboard" in (client.get(path).text)
    play_out(game, seed=2)
    for path in pages(game):
        assert "doesn't count for the leaderboard" in client.get(path).text
    assert "not counted" in client.get("/solo/").text
