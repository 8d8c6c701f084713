"""Without Redis people can still log in, read and play, because Redis stores only what may be lost."""

import time
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from accounts import queueing
from games.models import Game, Kind, Seat
from games.notifications import delivery
from games.services import after_commit
from tests.clients import client_of
from tests.faults.broker import use_broker
from tests.play import form_of, fresh, game_of, legal_fields, mover, person, play_one
from tests.plugins.children import free_port
from tests.plugins.redis import Redis

pytestmark = pytest.mark.django_db(transaction=True)

# The longest request without Redis, in seconds. It waits for 0.2 s, but the machine may be busy.
LONGEST_REQUEST = 2.0


@pytest.fixture
def _redis_down(settings: Settings) -> Iterator[None]:
    """Point the queues and live updates to a port on which nothing listens."""
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    before = use_broker(settings.REDIS_URL)
    yield
    use_broker(before)


def seconds_of_a_post(game: Game) -> float:
    """Play one action through the page, and return how long its request takes."""
    client, form = client_of(mover(game)), form_of(game, legal_fields(game))
    start = time.monotonic()
    assert client.post(f"{game.get_absolute_url()}play/", form).status_code == 302
    return time.monotonic() - start


@pytest.mark.usefixtures("_redis_down")
def test_people_log_in_read_and_play_without_redis() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user, client = mover(game), Client()
    body = {"login": user.username, "password": "moon-and-stars-17"}
    assert client.post("/account/login/", body).status_code == 302
    for address in ("/", game.get_absolute_url(), f"{game.get_absolute_url()}version/?visible"):
        assert client.get(address).status_code == 200, address
    assert seconds_of_a_post(game) < LONGEST_REQUEST
    assert fresh(game).version == 1


@pytest.mark.usefixtures("_redis_down")
def test_a_mail_is_sent_without_redis(mailoutbox: list[object]) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(game.notifications.get(kind=Kind.TURN).pk)
    assert len(mailoutbox) == 1


def test_a_frozen_redis_delays_one_post_briefly_and_the_next_ones_not_at_all(
    own_redis: Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)  # Opens the connections. They stay open while the server is frozen.
    own_redis.freeze()
    with caplog.at_level("WARNING", queueing.logger.name):
        seconds = [seconds_of_a_post(game) for _post in range(3)]
    assert max(seconds) < LONGEST_REQUEST
    assert fresh(game).version == 4
    failures = [record for record in caplog.records if "Cannot reach Redis" in record.message]
    assert len(failures) == 1, "of three posts with two messages each, only one message was tried"

    own_redis.thaw()
    assert not queueing.queue(after_commit.DELIVER, 1), "Redis is left alone for some seconds"
    monkeypatch.setattr(queueing, "_paused_until", 0.0)
    assert queueing.queue(after_commit.DELIVER, 1)
