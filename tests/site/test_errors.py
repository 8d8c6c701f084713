"""Error pages. The pages for status 400 and 500 need no database."""

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns = [path("crash/", crash), path("refuse/", refuse), path("", include("novaluna_site.urls"))]


@pytest.mark.django_db
def test_an_unknown_url_is_not_found(client: Client) -> None:
    response = client.get("/g/nothing/")
    assert response.status_code == 404
    assert "Page not found" in response.text
    assert '<header class="top">' in response.text


@pytest.mark.django_db
def test_a_form_without_csrf_token_is_refused() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "Ines", "password": "sun"})
    assert response.status_code == 403
    assert "reload the page" in response.text


@pytest.mark.django_db
@override_settings(ROOT_URLCONF=__name__)
def test_a_forbidden_page_is_refused(client: Client) -> None:
    response = client.get("/refuse/")
    assert response.status_code == 403
    assert "have access to this page" in response.text


@pytest.mark.django_db
def test_a_bad_request_is_refused(client: Client) -> None:
    response = client.post("/account/theme/", {"theme": "twilight"})
    assert response.status_code == 400
    assert "read that request" in response.text


def test_an_unknown_host_is_refused(client: Client) -> None:
    """This test has no access to the database."""
    response = client.get("/", headers={"host": "moon.example"})
    assert response.status_code == 400
    assert "read that request" in response.text


@override_settings(ROOT_URLCONF=__name__)
def test_the_page_for_a_crash_needs_no_database(client: Client) -> None:
    """This test has no access to the database."""
    client.raise_request_exception = False
    client.cookies[settings.SESSION_COOKIE_NAME] = "moon"
    response = client.get("/crash/")
    assert response.status_code == 500
    assert "Your games are safe" in response.text
    assert "RuntimeError" not in response.text
    assert "games/base" in response.text


def test_a_link_of_an_email_without_its_end_says_so() -> None:
    response = Client().get("/invitations/nothing-of-ours/")
    assert response.status_code == 404
    assert "This link is not complete" in response.text
