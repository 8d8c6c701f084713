"""Subscriptions of browsers to push messages: new, damaged, renewed, removed, or of another person."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Browser
from tests.clients import client_of
from tests.games.notifications.devices import PAGE, Device, deliver, device_of, new_key, turn_of
from tests.play import person
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


def test_a_browser_that_asks_again_replaces_its_row_that_is_off(receiver: Receiver, ines: User) -> None:
    firefox, chrome = {"User-Agent": "Firefox"}, {"User-Agent": "Chrome"}
    for path, agent in [("/1", firefox), ("/2", chrome)]:
        fields = Device(new_key(), receiver.url + path).fields()
        client_of(ines).post(f"{PAGE}browsers/", fields, headers=agent)
    Browser.objects.update(off_at=timezone.now())
    fields = Device(new_key(), f"{receiver.url}/3").fields()
    client_of(ines).post(f"{PAGE}browsers/", fields, headers=firefox)
    client_of(ines).post(f"{PAGE}browsers/", fields | {"endpoint": f"{receiver.url}/4"}, headers=firefox)
    paths = [one.endpoint.removeprefix(receiver.url) for one in Browser.objects.order_by("pk")]
    assert paths == ["/2", "/3", "/4"], "two that work may have the same name"


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://10.0.0.7/"},
        {"endpoint": "http://example.org/"},
        {"auth": "x"},
        {"public_key": ""},
    ],
)
def test_a_damaged_subscription_stores_nothing(
    receiver: Receiver, ines: User, change: dict[str, str]
) -> None:
    fields = Device(new_key(), receiver.url).fields() | change
    assert client_of(ines).post(f"{PAGE}browsers/", fields).status_code == 400
    assert not Browser.objects.exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("moon", "?"),
    ],
)
def test_a_browser_has_a_name_by_which_its_user_recognises_it(
    receiver: Receiver, ines: User, agent: str, name: str
) -> None:
    fields = Device(new_key(), receiver.url).fields()
    client_of(ines).post(f"{PAGE}browsers/", fields, headers={"User-Agent": agent})
    assert Browser.objects.get().name == name


def test_a_browser_renews_its_subscription_without_a_page(receiver: Receiver, ines: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ines)
    old = device_of(ines, receiver)
    new = Device(new_key(), f"{receiver.url}/push/2").fields() | {"replaced": old.endpoint}
    assert client.post(f"{PAGE}browsers/", new).status_code == 403
    answer = client.get(f"{PAGE}browsers/").json()
    assert answer["key"]
    assert client.post(f"{PAGE}browsers/", new, headers=answer["headers"]).status_code == 204
    assert Browser.objects.get().endpoint == new["endpoint"]
    assert client_of(ines).get(PAGE).text.count("This browser now shows") == 0, "nobody has pressed anything"
    assert deliver(turn_of(ines)).sent_at
    assert [one.path for one in receiver.requests] == ["/push/2"]


@pytest.mark.parametrize("says_which", [True, False])
def test_a_browser_renews_no_subscription_of_another_person(
    receiver: Receiver, ines: User, says_which: bool
) -> None:
    old, tobias = device_of(ines, receiver), person("Tobias")
    fields = Device(new_key(), f"{receiver.url}/push/2").fields()
    replaced = {"replaced": old.endpoint if says_which else ""}
    assert client_of(tobias).post(f"{PAGE}browsers/", fields | replaced).status_code == 409
    assert [(one.user, one.endpoint) for one in Browser.objects.all()] == [(ines, old.endpoint)]


def test_people_remove_only_their_own_browsers(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    path = f"{PAGE}browsers/{Browser.objects.get().pk}/remove/"
    client_of(person("Tobias")).post(path)
    assert Browser.objects.exists()
    assert "gets no more push messages" in client_of(ines).post(path, follow=True).text
    assert not Browser.objects.exists()


def test_a_browser_belongs_to_the_person_who_used_it_last(receiver: Receiver, ines: User) -> None:
    device, tobias = device_of(ines, receiver), person("Tobias")
    client_of(tobias).post(f"{PAGE}browsers/", device.fields())
    assert Browser.objects.get().user == tobias
