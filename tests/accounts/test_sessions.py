"""The list of the browsers in which a person is logged in, and ending them."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.services.pruning.overdue import prune
from tests.clients import client_of
from tests.play import person

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/19.0 Mobile/15E148 Safari/604.1"
)


def browser(user_agent: str, address: str, zone: str = "") -> Client:
    """Return a client in which Ines has logged in, with this browser, address and time zone of the device."""
    client = Client(HTTP_USER_AGENT=user_agent, REMOTE_ADDR=address)
    if zone:
        client.cookies["zone"] = zone
    fields = {"login": "Ines", "password": "moon-and-stars-17", "remember": "on"}
    client.post("/account/login/", fields)
    return client


def test_sessions_are_shown_in_words_and_ended_from_another() -> None:
    ines = person("Ines")
    phone = browser(IPHONE, "2001:db8:1:2::9", "America/New_York")
    desk = browser(FIREFOX, "192.0.2.77")
    page = desk.get("/account/sessions/").text
    shown = [" ".join(text.split()) for text in re.findall(r'<p class="helptext">(.*?)</p>', page, re.DOTALL)]
    assert "Safari on iPhone" in page
    assert shown[0].startswith("New York, 2001:db8:1:… · last visit: ")
    assert "Firefox on Linux" in page
    assert shown[1].startswith("192.0.2.… · last visit: ")
    assert "this browser" in page
    assert "192.0.2.77" not in page
    assert set(UserSession.objects.values_list("ip", flat=True)) == {"192.0.2.0", "2001:db8:1::"}

    other = UserSession.objects.get(user=ines, ip="2001:db8:1::")
    answer = desk.post(f"/account/sessions/{other.pk}/end/", follow=True)
    assert "That session has ended." in answer.text
    assert "Safari on iPhone" not in answer.text
    assert phone.get("/account/settings/").url.startswith("/account/login/")
    assert desk.get("/account/settings/").status_code == 200
    assert desk.post(f"/account/sessions/{other.pk}/end/").status_code == 302, "a second press does nothing"


def test_all_other_sessions_end_in_one_press() -> None:
    person("Ines")
    others = [browser(IPHONE, "192.0.2.1"), browser(FIREFOX, "192.0.2.2")]
    desk = browser(FIREFOX, "192.0.2.3")
    assert "All other sessions have ended." in desk.post("/account/sessions/", follow=True).text
    assert desk.get("/account/settings/").status_code == 200
    assert all(other.get("/account/settings/").status_code == 302 for other in others)


def test_nobody_ends_sessions_of_others_or_by_accident_their_own() -> None:
    person("Ines")
    desk = browser(FIREFOX, "192.0.2.3")
    own = UserSession.objects.get()
    client_of(person("Tobias")).post(f"/account/sessions/{own.pk}/end/")
    desk.post(f"/account/sessions/{own.pk}/end/")
    assert desk.get("/account/settings/").status_code == 200
    assert Client().post(f"/account/sessions/{own.pk}/end/").url.startswith("/account/login/")


def test_a_visit_is_stored_now_and_then_with_the_new_network() -> None:
    person("Ines")
    desk = browser(FIREFOX, "192.0.2.3")
    long_ago = timezone.now() - timedelta(days=2)
    UserSession.objects.update(last_seen_at=long_ago)
    desk.get("/")
    assert UserSession.objects.get().last_seen_at == long_ago, "each visit costs no write"
    cache.clear()
    desk.get("/", REMOTE_ADDR="203.0.113.5")
    now = UserSession.objects.get()
    assert now.last_seen_at > long_ago
    assert now.ip == "203.0.113.0"


def test_a_session_lasts_until_90_days_after_the_last_visit() -> None:
    person("Ines")
    desk, full = browser(FIREFOX, "192.0.2.3"), timedelta(seconds=settings.SESSION_COOKIE_AGE)
    for spent, is_extended in ((timedelta(hours=20), False), (timedelta(days=80), True)):
        Session.objects.update(expire_date=timezone.now() + full - spent)
        cache.clear()
        cookies = desk.get("/").cookies
        assert ("sessionid" in cookies) == is_extended, "one write a day"
    assert cookies["sessionid"]["max-age"] == full.total_seconds()
    assert Session.objects.get().expire_date > timezone.now() + full - timedelta(minutes=5)


@pytest.mark.parametrize("address", ["", "unix:"])
def test_a_server_that_knows_no_address_shows_pages(client: Client, ines: User, address: str) -> None:
    client.force_login(ines)
    cache.clear()
    assert client.get("/account/sessions/", REMOTE_ADDR=address).status_code == 200
    assert UserSession.objects.get().ip == "::"


def test_pages_show_while_no_visit_can_be_stored(
    client: Client, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(ines)
    cache.clear()

    def fail(*_args: object, **_options: object) -> None:
        raise OperationalError

    monkeypatch.setattr(UserSession.objects, "update_or_create", fail)
    assert client.get("/account/settings/").status_code == 200


def test_a_session_that_has_expired_leaves_no_row() -> None:
    person("Ines")
    browser(FIREFOX, "192.0.2.3")
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    prune()
    assert not UserSession.objects.exists()
