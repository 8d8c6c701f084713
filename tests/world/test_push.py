"""The life of push messages: other people, log-outs, new keys and passwords, answers of push servers."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import User
from accounts.outside import vapid
from games.models import Browser, Channel, Kind, Notification
from games.services.channels import browsers
from tests.clients import client_of
from tests.games.notifications.devices import PAGE, Device, deliver, new_key, turn_of, withdraw
from tests.play import game_of, mover, person, play_one
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]
OTHER_KEY = "k3N5D0mhZbqhKx2nVzVh3QmXq1oQf6E2Zl3cS3p3vXs"
PASSWORD = "moon-and-stars-17"  # of everybody in these tests


def logged_in(user: User) -> Client:
    """Return a browser in which this person has logged in by the page."""
    client = Client()
    assert client.post("/account/login/", {"login": user.username, "password": PASSWORD}).status_code == 302
    return client


def subscribe(client: Client, receiver: Receiver, path: str = "/push/1") -> Device:
    device = Device(new_key(), receiver.url + path)
    assert client.post(f"{PAGE}browsers/", device.fields()).status_code == 204
    return device


def check(client: Client, device: Device) -> str:
    """Return what the site tells a browser that shows a page."""
    return client.post(f"{PAGE}browsers/check/", {"endpoint": device.endpoint}).json()["state"]


def pushes(receiver: Receiver, user: User) -> int:
    """Return how many pushes arrive when a turn of this person begins in a new game."""
    before = len(receiver.requests)
    turn = turn_of_anybody(user)
    if turn is not None:
        deliver(turn)
    return len(receiver.requests) - before


def turn_of_anybody(user: User) -> Notification | None:
    """Return the push message that is owed to this person for a new turn; None if none is."""
    tobias = User.objects.filter(username="Tobias").first() or person("Tobias")
    game = game_of(user, tobias) if user != tobias else game_of(user, person("Mina"))
    while mover(game) == user:
        play_one(game)
    while mover(game) != user:
        play_one(game)
    game.seats.update(seen_at=None)
    return Notification.objects.filter(user=user, game=game, kind=Kind.TURN, channel=Channel.PUSH).last()


def test_a_log_out_ends_the_messages_to_this_browser_and_to_no_other(receiver: Receiver, ines: User) -> None:
    shared, own = logged_in(ines), logged_in(ines)
    subscribe(shared, receiver, "/shared")
    subscribe(own, receiver, "/own")
    assert "but not in this browser" in shared.get("/account/logout/").text
    assert 'href="/account/logout/"' in shared.get("/").text, "the menu leads to the page that asks"
    shared.post("/account/logout/")
    assert pushes(receiver, ines) == 1
    assert receiver.received_at() == ["/own"]
    assert "stopped sending push messages" not in own.get("/").text, "nothing has failed"


def test_a_person_can_keep_the_messages_after_the_log_out_until_the_password_changes(
    receiver: Receiver, ines: User
) -> None:
    client = logged_in(ines)
    subscribe(client, receiver)
    client.post("/account/logout/", {"keeps_messages": "on"})
    assert pushes(receiver, ines) == 1
    ines.set_password("another-moon-18")
    ines.save()
    assert pushes(receiver, ines) == 0
    assert Browser.objects.get().why_off == Browser.WhyOff.LOGGED_OUT


def test_a_log_out_withdraws_nothing_and_pushes_nothing_that_waited(receiver: Receiver, ines: User) -> None:
    client = logged_in(ines)
    subscribe(client, receiver)
    turn = turn_of(ines)
    client.post("/account/logout/")
    assert deliver(turn).why_dropped == "no receiver"
    withdraw(turn)
    assert receiver.requests == []


def end_by_expiry(_client: Client, _user: User) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def end_by_pruning(_client: Client, _user: User) -> None:
    Session.objects.all().delete()


def end_by_new_password_elsewhere(_client: Client, user: User) -> None:
    fields = {"oldpassword": PASSWORD, "password1": "another-moon-18", "password2": "another-moon-18"}
    assert logged_in(user).post("/account/password/change/", fields).status_code == 302


def end_by_staff(_client: Client, user: User) -> None:
    user.set_password("another-moon-18")
    user.save()


def end_by_log_in_of_another(client: Client, _user: User) -> None:
    """As a link to reset a password does, which needs no log-out before."""
    client.force_login(person("Olga"))


ENDS = [end_by_expiry, end_by_pruning, end_by_new_password_elsewhere, end_by_staff, end_by_log_in_of_another]


@pytest.mark.parametrize("end", ENDS)
def test_no_message_goes_to_a_browser_in_which_its_person_is_not_logged_in_any_more(
    receiver: Receiver, ines: User, end: object
) -> None:
    client = logged_in(ines)
    device = subscribe(client, receiver)
    turn = deliver(turn_of(ines))
    assert len(receiver.requests) == 1
    end(client, ines)
    withdraw(turn)
    assert pushes(receiver, ines) == 0
    assert len(receiver.requests) == 1
    elsewhere = client_of(User.objects.get(pk=ines.pk))
    assert "stopped sending push messages" in elsewhere.get("/").text
    assert "You are logged out there" in elsewhere.get(PAGE).text
    # Another log-in of the same person in the same browser starts them again, without a press.
    assert check(client_of(User.objects.get(pk=ines.pk)), device) == "good"
    assert Browser.objects.get().off_at is None


def test_a_new_password_keeps_the_messages_to_the_browser_in_which_it_was_chosen(
    receiver: Receiver, ines: User
) -> None:
    client = logged_in(ines)
    device = subscribe(client, receiver)
    assert "data-check" not in client.get("/").text, "it has been checked"
    fields = {"oldpassword": PASSWORD, "password1": "another-moon-18", "password2": "another-moon-18"}
    client.post("/account/password/change/", fields)
    assert "data-check" in client.get("/").text
    assert check(client, device) == "good"
    assert "data-check" not in client.get("/").text
    assert pushes(receiver, User.objects.get(pk=ines.pk)) == 1


def test_a_deleted_account_gets_nothing(receiver: Receiver, ines: User) -> None:
    subscribe(logged_in(ines), receiver)
    turn = turn_of(ines)
    deletion.delete(ines, after=timedelta(days=1))
    assert deliver(turn).why_dropped == "unwanted"
    assert receiver.requests == []


def test_a_browser_that_another_person_uses_leaves_its_former_one(receiver: Receiver, ines: User) -> None:
    """Also one that was to get messages after the log-out."""
    client = logged_in(ines)
    device = subscribe(client, receiver)
    client.post("/account/logout/", {"keeps_messages": "on"})
    tobias = person("Tobias")
    client.post("/account/login/", {"login": "Tobias", "password": PASSWORD})
    assert "data-check" in client.get("/").text
    assert check(client, device) == "end"
    assert not Browser.objects.exists()
    assert pushes(receiver, ines) == 0
    subscribe(client, receiver)
    assert pushes(receiver, ines) == 0
    assert pushes(receiver, tobias) == 1


def test_a_browser_that_was_removed_on_another_device_ends_its_subscription(
    receiver: Receiver, ines: User
) -> None:
    client = logged_in(ines)
    device = subscribe(client, receiver)
    client_of(ines).post(f"{PAGE}browsers/{Browser.objects.get().pk}/remove/")
    assert check(client, device) == "end"
    device = subscribe(client, receiver)
    assert "data-check" not in client.get("/").text
    client.post(f"{PAGE}browsers/{Browser.objects.get().pk}/remove/")
    assert "data-check" in client.get("/").text, "the next page ends it"
    assert check(client, device) == "end"


def test_visitors_and_guests_check_nothing(receiver: Receiver, ines: User) -> None:
    device = subscribe(logged_in(ines), receiver)
    guest = User.objects.create(username="Amber-Comet", is_guest=True)
    for client in (Client(), client_of(guest)):
        assert "data-check" not in client.get("/").text
        answer = client.post(f"{PAGE}browsers/check/", {"endpoint": device.endpoint})
        assert answer.status_code == 302
    assert Browser.objects.get().user == ines


def test_browsers_with_an_older_key_of_the_site_get_nothing_and_subscribe_again(
    receiver: Receiver, ines: User, settings: object
) -> None:
    client = logged_in(ines)
    device = subscribe(client, receiver)
    settings.PUSH_KEY = OTHER_KEY
    assert pushes(receiver, ines) == 0, "their push servers would refuse it"
    assert "stopped sending push messages" in client.get("/").text
    assert "new key for push messages" in client.get(PAGE).text
    assert "data-check" in client.get("/").text
    assert check(client, device) == "renew"
    renewed = Device(new_key(), f"{receiver.url}/renewed")
    assert client.get(f"{PAGE}browsers/").json()["key"] == vapid.public_key()
    fields = renewed.fields() | {"replaced": device.endpoint}
    assert client.post(f"{PAGE}browsers/", fields).status_code == 204
    assert pushes(receiver, ines) == 1
    page = client.get("/").text
    assert "stopped sending push messages" not in page
    assert "now shows your notifications" not in page, "nobody has pressed anything"


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_browser_whose_push_server_refuses_the_key_subscribes_again_when_it_shows_a_page(
    receiver: Receiver, ines: User, status: int
) -> None:
    """As those do that asked before the site stored the key for which they did."""
    client = logged_in(ines)
    device = subscribe(client, receiver)
    Browser.objects.update(site_key="")
    receiver.status = status
    assert deliver(turn_of(ines)).sent_at is None
    assert Browser.objects.get().off_at is None, "a push server may refuse everything for a while"
    assert check(client, device) == "renew"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_whose_permission_or_storage_is_gone_costs_one_try_and_can_come_back(
    receiver: Receiver, ines: User, status: int
) -> None:
    client = logged_in(ines)
    device = subscribe(client, receiver)
    receiver.status = status
    assert pushes(receiver, ines) == 1
    assert pushes(receiver, ines) == 0
    assert check(client, device) == "renew", "if the browser thinks that it has one"
    receiver.status = 201
    subscribe(client, receiver, "/reinstalled")
    assert [one.endpoint for one in Browser.objects.all()] == [f"{receiver.url}/reinstalled"]
    assert pushes(receiver, ines) == 1


def test_a_message_that_is_too_long_costs_one_message(receiver: Receiver, ines: User) -> None:
    subscribe(logged_in(ines), receiver)
    receiver.status = 413
    lost = deliver(turn_of(ines), attempts=2)
    assert (lost.sent_at, lost.why_dropped) == (None, "message refused")
    assert len(receiver.requests) == 1
    assert Browser.objects.get().refused_at is None
    receiver.status = 201
    assert pushes(receiver, ines) == 1


@pytest.mark.parametrize("status", [406, 429, 503])
def test_a_push_server_that_asks_for_time_gets_the_message_later(
    receiver: Receiver, ines: User, status: int
) -> None:
    subscribe(logged_in(ines), receiver)
    receiver.status, receiver.headers = status, {"Retry-After": "900"}
    notification = deliver(turn_of(ines))
    assert notification.due_at > timezone.now() + timedelta(seconds=890)
    assert Browser.objects.get().refused_at is None
    receiver.status = 201
    assert deliver(notification).sent_at


def test_no_message_is_larger_than_every_push_server_takes(receiver: Receiver, ines: User) -> None:
    device = subscribe(logged_in(ines), receiver)
    others = [person(f"Tobias{number}") for number in range(3)]
    turn = turn_of(ines, game_of(ines, *others))
    for user in others:
        User.objects.filter(pk=user.pk).update(username=f"{user.pk}" + "🌙" * 140)
    assert deliver(turn).sent_at
    [request] = receiver.requests
    assert len(request.body) <= 4096
    assert str(device.read(request)["title"]).startswith("Your turn against")
    assert device.read(request)["url"] == turn.game.get_absolute_url()


def test_a_browser_that_asked_before_sessions_were_stored_goes_on(receiver: Receiver, ines: User) -> None:
    device = Device(new_key(), f"{receiver.url}/push/1")
    browsers.add(ines, name="Firefox, Linux", **device.fields())
    client = logged_in(ines)
    assert pushes(receiver, ines) == 1
    assert check(client, device) == "good"
    client.post("/account/logout/")
    assert pushes(receiver, ines) == 0
