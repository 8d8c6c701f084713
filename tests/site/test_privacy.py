"""The privacy page names everything that is stored, and what it says about the end of an account is true."""

import re
from collections import Counter

import pytest
from django.apps import apps
from django.db.models import CASCADE, SET_NULL, Model
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from novaluna_site import privacy
from novaluna_site.backups import files
from tests.clients import client_of
from tests.play import person

pytestmark = pytest.mark.django_db


def what_happens(label: str) -> set[object]:
    """Return what happens to rows of a model when an account that they name is deleted."""
    model: type[Model] = apps.get_model(label)
    fields = (field for field in model._meta.concrete_fields if field.related_model is User)
    return {field.remote_field.on_delete for field in fields}


def test_every_model_is_on_the_page_once() -> None:
    named = Counter(label for row in privacy.rows() for label in row.models.split())
    named.update(privacy.NOT_PERSONAL.split())
    stored = {model._meta.label for model in apps.get_models()}
    assert stored - named.keys() == set(), "say on the privacy page what is stored, what for and how long"
    assert named.keys() - stored == set(), "these are gone"
    assert max(named.values()) == 1


def test_what_goes_with_an_account_goes_and_the_rest_stays() -> None:
    for row in privacy.rows():
        for label in row.models.split():
            ends = what_happens(label)
            assert ends <= {CASCADE, SET_NULL}, label
            assert not (row.stays and CASCADE in ends), f"{label} does not stay"
            assert row.stays or ends != {SET_NULL}, f"{label} stays"


def test_what_is_not_personal_names_nobody() -> None:
    assert [label for label in privacy.NOT_PERSONAL.split() if what_happens(label)] == []


def test_the_page_is_for_everybody_and_in_the_foot() -> None:
    for client in (Client(), client_of(person("Ines"))):
        page = client.get(reverse("privacy"))
        assert page.status_code == 200
        assert all(escape(row.what) in page.text and escape(row.until) in page.text for row in privacy.rows())
        assert 'href="/privacy/"' in client.get("/").text
    assert "Delete your account" in page.text
    assert f"for up to {files.MONTHS} months" in page.text


def test_every_cookie_of_a_visit_is_on_the_page() -> None:
    client = Client()
    fields = {"username": "Noor", "email": "noor@example.org", "password1": "moon-and-stars-17"}
    client.get("/account/signup/")
    client.post("/account/signup/", fields)
    client.post("/account/theme/", {"theme": "dark"})
    client.post("/account/settings/confirm-address/")
    names = {cookie.name for cookie in privacy.cookies()}
    assert client.cookies.keys() <= names
    assert {"sessionid", "csrftoken", "known_browser", "theme"} <= client.cookies.keys()
    shown = re.findall(r'<code translate="no">(\w+)</code>', client.get("/privacy/").text)
    assert set(shown) == names
