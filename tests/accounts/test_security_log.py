"""What a person's log of security events has: also what gives somebody else a way to learn about them."""

import pytest
from django.test import Client

from accounts.models import SecurityEvent, User
from games.models import Export
from tests.clients import client_of, confirm_password
from tests.games.notifications.devices import PAGE, Device, new_key
from tests.play import person
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LOG = "/account/security/log/"


def kinds_of(user: User) -> list[str]:
    """Return the kinds of the events of this user, oldest first, without log-ins."""
    events = user.security_events.exclude(kind=SecurityEvent.Kind.LOGGED_IN).order_by("pk")
    return list(events.values_list("kind", flat=True))


def logged_in(user_agent: str = FIREFOX) -> Client:
    client = Client(HTTP_USER_AGENT=user_agent, REMOTE_ADDR="192.0.2.77")
    client.post("/account/login/", {"login": "Ines", "password": "moon-and-stars-17", "remember": "on"})
    return client


def test_an_ended_session_is_in_the_log_with_its_browser() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    phone, desk = logged_in("Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1"), logged_in()
    session = ines.usersession_set.get(session_key=phone.session.session_key)
    client_of(tobias).post(f"/account/sessions/{session.pk}/end/")
    assert kinds_of(ines) == kinds_of(tobias) == []
    for _press in range(2):
        desk.post(f"/account/sessions/{session.pk}/end/")
    page = " ".join(desk.get(LOG).text.split())
    assert "A session was ended from another browser</b>: Safari on iPhone" in page
    assert kinds_of(ines) == ["session_ended"]


def test_each_session_that_ends_with_all_others_is_in_the_log() -> None:
    ines = person("Ines")
    others = [logged_in(), logged_in()]
    desk = logged_in()
    desk.post("/account/sessions/")
    assert kinds_of(ines) == ["session_ended", "session_ended"]
    assert all(other.get(LOG).status_code == 302 for other in others)


def test_a_guest_who_ends_a_session_has_no_log(client: Client) -> None:
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    elsewhere = client_of(guest)
    elsewhere.get("/")
    client.force_login(guest)
    client.post("/account/sessions/")
    client.post("/account/export/")
    assert not elsewhere.get("/account/settings/").wsgi_request.user.is_authenticated
    assert Export.objects.get().user == guest
    assert kinds_of(guest) == []


def test_addresses_of_feeds_are_in_the_log_when_they_are_made_and_renewed() -> None:
    ines = person("Ines")
    desk = client_of(ines)
    for _press in range(2):
        desk.post("/account/notifications/feeds/")
    assert kinds_of(ines) == ["feeds_made", "feeds_renewed"]
    assert "The secret addresses of feeds were renewed" in desk.get(LOG).text


def test_an_export_that_was_asked_for_is_in_the_log() -> None:
    ines = person("Ines")
    desk = logged_in()
    confirm_password(desk)
    desk.post("/account/export/")
    assert kinds_of(ines) == ["export_asked"]
    assert "A file with everything that is stored was asked for" in desk.get(LOG).text


def test_an_export_without_a_proof_is_not_in_the_log() -> None:
    ines = person("Ines")
    assert client_of(ines).post("/account/export/").url.startswith("/account/reauthenticate/")
    assert kinds_of(ines) == []


@pytest.mark.usefixtures("push_key")
def test_a_browser_that_gets_push_messages_is_in_the_log(receiver: Receiver) -> None:
    ines = person("Ines")
    desk = logged_in()
    device = Device(new_key(), f"{receiver.url}/push/1")
    assert desk.post(f"{PAGE}browsers/", device.fields() | {"endpoint": "http://"}).status_code == 400
    assert kinds_of(ines) == []
    assert desk.post(f"{PAGE}browsers/", device.fields()).status_code == 204
    assert ines.security_events.last().detail == "Firefox, Linux"
    renewed = Device(new_key(), f"{receiver.url}/push/2").fields() | {"replaced": device.endpoint}
    assert desk.post(f"{PAGE}browsers/", renewed).status_code == 204
    assert kinds_of(ines) == ["browser_added"], "the browser itself renews what it has"
