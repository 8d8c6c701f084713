"""The headers of error pages for htmx; a refused action is shown inside the page."""

import pytest
from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client, override_settings
from django.urls import include, path

from tests.clients import HTMX
from tests.play import game_of, mover, person


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


pytestmark = pytest.mark.django_db

urlpatterns = [path("crash/", crash), path("", include("novaluna_site.urls"))]


def replaces_the_page(response: HttpResponse) -> bool:
    return response.headers.get("HX-Retarget") == "body"


def test_an_unknown_url(client: Client) -> None:
    assert replaces_the_page(client.get("/g/nothing/", headers=HTMX))
    assert not replaces_the_page(client.get("/g/nothing/"))
    assert not replaces_the_page(client.get("/", headers=HTMX))


def test_an_unknown_url_under_asgi() -> None:
    get = async_to_sync(AsyncClient().get)
    assert replaces_the_page(get("/g/nothing/", headers=HTMX))
    assert not replaces_the_page(get("/g/nothing/"))


def test_a_form_without_csrf_token() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/theme/", {"theme": "dark"}, headers=HTMX)
    assert response.status_code == 403
    assert replaces_the_page(response)


@override_settings(ROOT_URLCONF=__name__)
def test_a_crash(client: Client) -> None:
    client.raise_request_exception = False
    response = client.get("/crash/", headers=HTMX)
    assert response.status_code == 500
    assert replaces_the_page(response)


def test_a_refused_action_is_shown_on_the_board(client: Client) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    client.force_login(mover(game))
    response = client.post(f"/g/{game.key}/play/", {"do": "dance"}, headers=HTMX)
    assert response.status_code == 400
    assert 'id="game"' in response.text
    assert not replaces_the_page(response)
