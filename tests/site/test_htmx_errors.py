"""Error pages in answer to htmx take the whole page's place; what a page itself refuses stays in its own."""

import pytest
from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client, override_settings
from django.urls import include, path

from tests.play import game_of, mover, person


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


pytestmark = pytest.mark.django_db

urlpatterns = [path("crash/", crash), path("", include("novaluna_site.urls"))]

HTMX = {"HX-Request": "true"}


def takes_the_page(answer: HttpResponse) -> bool:
    return answer.headers.get("HX-Retarget") == "body"


def test_no_such_page(client: Client) -> None:
    assert takes_the_page(client.get("/g/nothing/", headers=HTMX))
    assert not takes_the_page(client.get("/g/nothing/"))
    assert not takes_the_page(client.get("/", headers=HTMX))


def test_no_such_page_under_asgi() -> None:
    get = async_to_sync(AsyncClient().get)
    assert takes_the_page(get("/g/nothing/", headers=HTMX))
    assert not takes_the_page(get("/g/nothing/"))


def test_a_form_from_elsewhere() -> None:
    answer = Client(enforce_csrf_checks=True).post("/account/theme/", {"theme": "dark"}, headers=HTMX)
    assert answer.status_code == 403
    assert takes_the_page(answer)


@override_settings(ROOT_URLCONF=__name__)
def test_a_crash(client: Client) -> None:
    client.raise_request_exception = False
    answer = client.get("/crash/", headers=HTMX)
    assert answer.status_code == 500
    assert takes_the_page(answer)


def test_what_the_game_refuses_is_said_on_its_board(client: Client) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    client.force_login(mover(game))
    answer = client.post(f"/g/{game.key}/play/", {"do": "dance"}, headers=HTMX)
    assert answer.status_code == 400
    assert 'id="game"' in answer.text
    assert not takes_the_page(answer)
