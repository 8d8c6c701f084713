"""Requests that no page can read get the page for status 400, and one line in the log."""

import io
import logging
from itertools import product
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django import urls
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client, override_settings
from webtest import TestApp

from novaluna_site import asgi, wsgi
from tests.clients import HTMX, client_of
from tests.play import person

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=moon"


@pytest.fixture
def visitor() -> Client:
    """A client with a CSRF cookie; the tests send no token."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/account/login/")
    return client


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the console's handler writes."""
    [console] = (handler for handler in logging.root.handlers if type(handler) is logging.StreamHandler)
    stream = io.StringIO()
    monkeypatch.setattr(console, "stream", stream)
    return stream


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("eclipse")


urlpatterns = [urls.path("crash/", crash), urls.path("", urls.include("novaluna_site.urls"))]


def is_refused(response: HttpResponse) -> bool:
    return response.status_code == 400 and "read that request" in response.text


def test_a_charset_other_than_utf_8_is_refused(visitor: Client) -> None:
    paths = ("/account/login/", "/nothing/")
    charsets = ("utf-16", "utf-7", "hex", "undefined", "idna", "latin-1", "klingon", "utf-8-sig")
    for path, kind, charset in product(paths, [FORM, MULTIPART, "text/plain"], charsets):
        content_type = f"{kind}; charset={charset}"
        assert is_refused(visitor.generic("POST", path, b"login=Ines", content_type)), content_type
        assert is_refused(visitor.get(path, headers={"content-type": content_type})), content_type


def test_a_charset_that_python_cannot_decode_is_refused_under_wsgi() -> None:
    """Django decodes the query when it makes the request, before any middleware runs."""
    headers = {"Content-Type": "text/plain; charset=hex"}
    response = TestApp(wsgi.application).get("/rules/?q=moon", headers=headers, status=400)
    assert "read that request" in response.text


def test_a_charset_that_python_cannot_decode_is_refused_under_asgi() -> None:
    async def send() -> dict[str, Any]:
        headers = [(b"host", b"localhost"), (b"content-type", b"text/plain; charset=undefined")]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/rules/",
            "query_string": b"q=moon",
            "headers": headers,
        }
        page = ApplicationCommunicator(asgi.application, scope)
        await page.send_input({"type": "http.request"})
        start = await page.receive_output()
        await page.receive_output()
        await page.wait()
        return start

    assert async_to_sync(send)()["status"] == 400


def test_utf_8_is_read(client: Client) -> None:
    for charset in ("utf-8", "UTF-8", "utf8", "UTF_8"):
        response = client.generic("POST", "/account/theme/", b"theme=dark", f"{FORM}; charset={charset}")
        assert response.status_code == 302


def test_a_null_character_in_an_address_is_refused(client: Client) -> None:
    for path in ("/people/%00/", "/people/Ines/?tab=%00", "/?%00", "/nothing/%00", "/static/%00"):
        assert is_refused(client.get(path)), path


def test_a_percent_sign_before_two_zeros_is_no_null_character(client: Client) -> None:
    assert client.get("/rules/?q=%2500").status_code == 200


def test_a_null_character_in_a_cookie_is_refused(client: Client) -> None:
    cookies = ("sessionid", "csrftoken", "django_language", "theme", "messages")
    for path, name in product(["/", "/nothing/"], cookies):
        assert is_refused(client.get(path, headers={"cookie": f'{name}="\\000moon"'})), (path, name)
        assert not is_refused(client.get(path, headers={"cookie": f'{name}="moon"'})), (path, name)


def test_a_null_character_in_a_form_is_refused() -> None:
    client = client_of(person("Ines"))
    part = b'--moon\r\nContent-Disposition: form-data; name="email"\r\n\r\n\0\r\n--moon--\r\n'
    for body, kind in ((b"email=%00", FORM), (b"%00=moon", FORM), (part, MULTIPART)):
        assert is_refused(client.post("/account/settings/confirm-address/", body, content_type=kind)), body


@pytest.mark.parametrize("path", ["/account/login/", "/nothing/"])
def test_a_broken_body_is_refused(visitor: Client, path: str) -> None:
    """The page for status 404 also reads the body, when it makes a CSRF token."""
    assert is_refused(visitor.generic("POST", path, b"moon", "multipart/form-data; boundary="))
    too_many = b"&".join(b"do=%d" % number for number in range(2000))
    assert is_refused(visitor.generic("POST", path, too_many, FORM))


def test_a_broken_body_for_an_unknown_host_is_refused(visitor: Client) -> None:
    headers = {"host": "moon.example"}
    assert is_refused(
        visitor.generic("POST", "/", b"moon", "multipart/form-data; boundary=", headers=headers)
    )


def test_htmx_shows_the_whole_page(client: Client) -> None:
    response = client.get("/people/%00/", headers=HTMX)
    assert is_refused(response)
    assert response["HX-Retarget"] == "body"


def test_requests_under_asgi() -> None:
    client = AsyncClient()
    get, post = async_to_sync(client.get), async_to_sync(client.post)
    assert is_refused(get("/people/%00/"))
    assert is_refused(post("/account/theme/", b"theme=%00", content_type=FORM))
    assert is_refused(post("/account/theme/", b"theme=dark", content_type=f"{FORM}; charset=utf-16"))
    assert post("/account/theme/", b"theme=dark", content_type=FORM).status_code == 302


def test_a_refusal_is_one_line_in_the_log(visitor: Client, log: io.StringIO) -> None:
    visitor.generic("POST", "/account/login/", b"login=Ines", f"{FORM}; charset=utf-16")
    visitor.get("/", headers={"host": "moon.example"})
    Client().post("/account/theme/", {"theme": "twilight"})
    lines = log.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("WARNING django.request: Bad Request: /account/login/")
    assert "moon.example" in lines[1]
    assert lines[2].endswith("/account/theme/")


@override_settings(ROOT_URLCONF=__name__)
def test_a_crash_has_its_traceback_in_the_log(visitor: Client, log: io.StringIO) -> None:
    visitor.get("/crash/")
    assert "RuntimeError: eclipse" in log.getvalue()


@pytest.mark.parametrize("path", ["/account/theme/", "/account/settings/confirm-address/"])
def test_a_form_with_a_strange_next_page_leads_to_the_home_page(path: str) -> None:
    client = client_of(person("Ines"))
    for next_url in ("dance", "games:home", "//moon.example/", "http://[", "/\\moon.example", ""):
        response = client.post(path, {"theme": "dark", "next": next_url})
        assert response.status_code == 302
        assert response["Location"] == "/", next_url


@pytest.mark.parametrize("path", ["/account/theme/", "/account/settings/confirm-address/"])
def test_a_form_leads_to_its_next_page(path: str) -> None:
    response = client_of(person("Ines")).post(path, {"theme": "dark", "next": "/rules/?q=moon"})
    assert response["Location"] == "/rules/?q=moon"


def test_an_unreadable_next_page_of_an_account_page_leads_to_the_home_page() -> None:
    client = client_of(person("Ines"))
    response = client.get("/account/signup/?next=http://[")
    assert response.status_code == 302
    assert response["Location"] == "/"
    assert client.get("/account/signup/?next=/rules/")["Location"] == "/rules/"
    login = {"login": "Ines", "password": "moon-and-stars-17", "next": "http://["}
    assert Client().post("/account/login/", login)["Location"] == "/"
