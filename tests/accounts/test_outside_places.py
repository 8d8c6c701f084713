"""Requests to servers of users: few at the same time, and rests for servers that are slow."""

from contextlib import ExitStack

import pytest
from django.core.cache import cache

from accounts.outside import guarded_client, places
from accounts.outside.guarded_client import NotTried, Occupied, send
from accounts.outside.places import NoPlace, is_resting, note_request, place_for
from tests.receiver import receiver


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "WAIT", 0.0)


def test_a_server_has_two_places_whatever_the_case_of_its_name() -> None:
    with ExitStack() as stack:
        for name in ("moon.example", "MOON.example"):
            stack.enter_context(place_for(name))
        with pytest.raises(NoPlace), place_for("Moon.Example"):
            pass
        with place_for("sun.example"):
            pass
    with place_for("moon.example"):
        pass


@pytest.mark.parametrize(
    ("seconds", "rests"),
    [
        ([9.0], False),
        ([9.0, 0.1, 9.0], False),
        ([9.0, 9.0], True),
        ([5.0, 4.5], True),  # Good answers that come slowly take a process for as long.
        ([0.3] * 20, False),
    ],
)
def test_a_server_rests_after_two_slow_requests_in_a_row(seconds: list[float], rests: bool) -> None:
    for one in seconds:
        note_request("moon.example", one)
    assert is_resting("moon.example") is rests
    assert not is_resting("sun.example")


@pytest.mark.parametrize(
    "host",
    [
        *("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com", "discord.com"),
        *("wns2-db5p.notify.windows.com", "HOOKS.slack.com", "canary.discord.com"),
    ],
)
def test_services_that_many_accounts_share_have_more_places_and_no_rest(host: str) -> None:
    for _request in range(5):
        note_request(host, 9.0)
    assert not is_resting(host)
    with ExitStack() as stack:
        for _request in range(10):
            stack.enter_context(place_for(host))


@pytest.mark.parametrize("host", ["discord.com.moon.example", "notdiscord.com", "fcm.googleapis.com.x"])
def test_servers_with_similar_names_rest(host: str) -> None:
    for _request in range(2):
        note_request(host, 9.0)
    assert is_resting(host)


def test_rests_become_longer_up_to_a_quarter_of_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    store = cache.set

    def set_and_note(key: str, value: object, timeout: float) -> None:
        if "rest" in key:
            rests.append(timeout)
        store(key, value, timeout)

    monkeypatch.setattr(cache, "set", set_and_note)
    for _request in range(8):
        note_request("moon.example", 9.0)
    assert rests == [60, 120, 240, 480, 900, 900, 900]


def test_nothing_is_sent_to_a_server_that_rests_or_is_occupied(settings: object) -> None:
    settings.OUTGOING_TO_LOOPBACK = True
    with receiver() as server:
        with place_for("127.0.0.1"), place_for("127.0.0.1"), pytest.raises(Occupied):
            send("POST", server.url, b"", {})
        assert send("POST", server.url, b"", {}).is_good
        for _request in range(2):
            note_request("127.0.0.1", guarded_client.LONGEST_REQUEST)
        with pytest.raises(NotTried, match="slowly"):
            send("POST", server.url, b"", {})
        assert len(server.requests) == 1
