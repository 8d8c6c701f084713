"""Headers: the content security policy, unused features, caches and compression."""

import gzip
import json

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.templatetags.static import static
from django.test import Client, override_settings
from django.urls import include, path

from accounts.models import User
from tests.clients import HTMX, client_of
from tests.play import game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/", "/account/signup/", "/solo/", "/nothing/", "/admin/login/"])
def test_the_policy_allows_only_this_sites_code(client: Client, address: str) -> None:
    policy = client.get(address).headers["Content-Security-Policy"]
    directives = {
        name: values for name, *values in (part.split() for part in policy.split(";") if part.strip())
    }
    assert directives["default-src"] == ["'self'"]
    assert "script-src" not in directives  # default-src applies
    assert directives["style-src"] == ["'self'"]
    assert directives["form-action"] == ["'self'"]
    assert directives["frame-ancestors"] == ["'none'"]
    for name, values in directives.items():
        assert "'unsafe-eval'" not in values
        assert "'unsafe-inline'" not in values or name == "style-src-attr"


# Pages with an account's data, of Django, allauth or the site itself; each is requested by a logged-in user.
ACCOUNT_PAGES = [
    "/account/settings/",
    "/account/email/",
    "/account/logout/",
    "/account/password/change/",
    "/account/password/reset/",
    "/account/password/reset/key/1-moon/",
    "/account/reauthenticate/",
    "/account/inactive/",
    "/account/confirm-email/moon/",
    "/account/turn-mails/off/moon/",
    "/admin/",
]
VISITORS_PAGES = ["/account/login/", "/account/signup/", "/account/confirm-email/", "/admin/login/"]
GZIP = {"accept-encoding": "gzip, deflate, br"}


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


def events(request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(["event: version\n"] * 99, content_type="text/event-stream")


urlpatterns = [path("crash/", crash), path("events/", events), path("", include("novaluna_site.urls"))]


def unpack(response: HttpResponse) -> str:
    assert response["Content-Encoding"] == "gzip"
    assert int(response["Content-Length"]) == len(response.content)
    return gzip.decompress(response.content).decode()


@override_settings(ROOT_URLCONF=__name__)
def test_every_response_refuses_features_that_the_site_does_not_use(client: Client) -> None:
    client.raise_request_exception = False
    running, finished = game_of(person("Ines"), person("Tobias")), play_out(solo_of(person("Noor")))
    responses = {
        "/": 200,
        "/rules/": 200,
        "/account/login/": 200,
        "/account/settings/": 302,
        "/rules": 301,
        running.get_absolute_url(): 200,
        f"/g/{running.key}/preview.jpg": 200,
        f"/g/{running.key}/stream/": 204,
        f"/g/{finished.key}/record.json": 200,
        "/service-worker.js": 200,
        "/people/%00/": 400,
        "/nothing/": 404,
        "/account/theme/": 405,
        "/crash/": 500,
        static("games/css/base.css"): 200,
    }
    for address, status in responses.items():
        response = client.get(address)
        assert response.status_code == status, address
        features = response["Permissions-Policy"].split(", ")
        assert {"camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"} <= set(features)
        assert not any("clipboard" in feature or "share" in feature for feature in features)
    response.close()


def test_a_form_without_csrf_token_gets_the_headers() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert "camera=()" in response["Permissions-Policy"]
    assert response["Cache-Control"] == "private, no-store"


def test_no_cache_may_store_account_pages(client: Client) -> None:
    for address in VISITORS_PAGES:
        assert "no-store" in client.get(address)["Cache-Control"], address
    client = client_of(User.objects.create_superuser("Keeper", "keeper@example.org", "moon-and-stars-17"))
    for address in ACCOUNT_PAGES:
        response = client.get(address)
        assert response.status_code in (200, 302, 404), address
        assert "no-store" in response["Cache-Control"], address


def test_no_cache_may_store_pages_that_name_their_viewer(client: Client) -> None:
    client.force_login(person("Ines"))
    for address in ("/", "/rules/", "/learn/1/", "/people/Ines/", "/nothing/"):
        response = client.get(address)
        assert "Ines" in response.text
        assert response["Cache-Control"] == "private, no-store", address


def test_caches_store_files_that_are_the_same_for_everybody(client: Client) -> None:
    for address in ("/manifest.webmanifest", "/service-worker.js", static("games/css/base.css")):
        response = client.get(address)
        assert "no-store" not in response["Cache-Control"], address
    response.close()


def test_texts_are_compressed(client: Client) -> None:
    ines = person("Ines")
    running, finished = game_of(ines, person("Tobias")), play_out(solo_of(person("Noor")))
    client.force_login(ines)
    board = client.get(running.get_absolute_url())
    packed = client.get(running.get_absolute_url(), headers=GZIP)
    assert "Accept-Encoding" in packed["Vary"]
    assert "Accept-Encoding" in board["Vary"]
    assert "Content-Encoding" not in board.headers
    assert 'id="game"' in unpack(packed)
    assert len(packed.content) < len(board.content) / 3
    assert json.loads(unpack(client.get(f"/g/{finished.key}/record.json", headers=GZIP)))["actions"]
    assert "Page not found" in unpack(client.get("/nothing/", headers=GZIP))
    error = client.get("/nothing/", headers={**GZIP, **HTMX})
    assert error["HX-Retarget"] == "body"
    assert "Page not found" in unpack(error)


def test_the_size_of_a_compressed_page_does_not_reveal_its_contents(client: Client) -> None:
    """Random bytes hide small differences: an attacker would compare sizes to guess a secret of the page."""
    assert len({len(client.get("/offline/", headers=GZIP).content) for _visit in range(20)}) > 5


def test_pictures_streams_and_static_files_are_not_compressed_again(client: Client) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    for address in (f"/g/{game.key}/preview.jpg", f"/g/{game.key}/stream/", static("games/css/base.css")):
        response = client.get(address, headers=GZIP)
        assert "Content-Encoding" not in response.headers, address
    response.close()


@override_settings(ROOT_URLCONF=__name__)
def test_events_are_not_compressed(client: Client) -> None:
    """A compressed event would wait in a buffer for the next ones."""
    response = client.get("/events/", headers=GZIP)
    assert b"".join(response.streaming_content) == b"event: version\n" * 99
    assert "Content-Encoding" not in response.headers
    assert "camera=()" in response["Permissions-Policy"]
