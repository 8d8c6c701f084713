"""A class behind one IP address starts together; a flood from there is refused with a reason and a time."""

import re
import uuid

import pytest
from django.conf import settings as site_settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from accounts.models import AccountMail, User

pytestmark = pytest.mark.django_db

CLASS = 30


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


def play_as_guest() -> HttpResponse:
    return Client().post("/play/", {"request_id": str(uuid.uuid4())})


def sign_up(number: int) -> HttpResponse:
    fields = {"email": f"pupil{number}@example.org", "username": f"Pupil-{number}"}
    client = Client()
    # Each mistypes the first password.
    assert client.post("/account/signup/", fields | {"password1": "123"}).status_code == 400
    return client.post("/account/signup/", fields | {"password1": "moon-and-stars-17"})


def log_in(number: int) -> HttpResponse:
    client = Client()
    for password in ("moon-and-sand-17", "moon-and-stars-17"):
        fields = {"login": f"Pupil-{number}", "password": password if number < 15 else "moon-and-stars-17"}
        answer = client.post("/account/login/", fields)
        if answer.status_code == 302:
            break
    return answer


def check_refusal(refused: HttpResponse, what: str, longest: int) -> None:
    assert refused.status_code == 429
    wait = int(refused["Retry-After"])
    assert 0 < wait <= longest
    assert what in refused.text
    [minutes] = re.findall(r"try again in (\d+) minutes?\.", " ".join(refused.text.split()))
    assert int(minutes) == -(-wait // 60)


def test_a_class_begins_to_play_as_guests_and_a_flood_is_refused() -> None:
    for _pupil in range(CLASS):
        assert play_as_guest().status_code == 302
    statuses = [play_as_guest().status_code for _more in range(site_settings.PEOPLE_PER_ADDRESS - CLASS + 1)]
    assert statuses[-1] == 429
    assert User.objects.filter(is_guest=True).count() == site_settings.PEOPLE_PER_ADDRESS
    check_refusal(play_as_guest(), "begun to play as guests from your network", 60 * 60)


def test_a_class_signs_up_and_logs_in_and_each_gets_an_email() -> None:
    for number in range(CLASS):
        assert sign_up(number).status_code == 302, number
    assert AccountMail.objects.filter(address__startswith="pupil").count() == CLASS
    for number in range(CLASS):
        assert log_in(number).status_code == 302, number


def test_a_flood_of_sign_ups_is_refused_with_a_time() -> None:
    fields = {"email": "x", "username": "x", "password1": "x"}
    statuses = [
        Client().post("/account/signup/", fields).status_code
        for _form in range(2 * site_settings.PEOPLE_PER_ADDRESS + 1)
    ]
    assert statuses[-1] == 429
    check_refusal(Client().post("/account/signup/", fields), "signed up from your network", 60 * 60)


def test_a_flood_of_log_ins_is_refused_with_a_time() -> None:
    fields = {"login": "nobody", "password": "x"}
    statuses = {
        Client().post("/account/login/", fields).status_code
        for _form in range(2 * site_settings.PEOPLE_PER_ADDRESS + 1)
    }
    assert 429 in statuses
    check_refusal(Client().post("/account/login/", fields), "logged in from your network", 60)
