"""Without Redis people can still log in, read and play, because Redis stores only what may be lost."""

import time
from collections.abc import Iterator

import pytest
from celery import current_app
from django.test import Client
from pytest_django import Settings

from games import live
from games.models import Seat
from games.notifications import delivery
from tests.play import form_of, fresh, game_of, legal_fields, mover, person
from tests.plugins.children import free_port

pytestmark = pytest.mark.django_db(transaction=True)

# The longest delay of a request, in seconds, when the broker is down. Kombu would wait for six.
LONGEST_REQUEST = 4.0


@pytest.fixture
def _redis_down(settings: Settings) -> Iterator[None]:
    """Point the queues and live updates to a port on which nothing listens."""
    unreachable, before = f"redis://127.0.0.1:{free_port()}/0", current_app.conf.broker_url
    settings.REDIS_URL = unreachable
    _use_broker(unreachable)
    yield
    _use_broker(before)


def _use_broker(url: str) -> None:
    live._publisher.cache_clear()
    current_app.conf.broker_url = current_app.conf.broker_write_url = url
    current_app.pool.force_close_all()
    current_app._pool = None
    current_app.amqp._producer_pool = None


@pytest.mark.usefixtures("_redis_down")
def test_people_log_in_read_and_play_without_redis() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user, client = mover(game), Client()
    body = {"login": user.username, "password": "moon-and-stars-17"}
    assert client.post("/account/login/", body).status_code == 302
    for address in ("/", game.get_absolute_url(), f"{game.get_absolute_url()}version/?visible"):
        assert client.get(address).status_code == 200, address
    start = time.monotonic()
    response = client.post(f"{game.get_absolute_url()}play/", form_of(game, legal_fields(game)))
    assert response.status_code == 302
    assert time.monotonic() - start < LONGEST_REQUEST
    assert fresh(game).version == 1


@pytest.mark.usefixtures("_redis_down")
def test_a_mail_is_sent_without_redis(mailoutbox: list[object]) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(game.notifications.get().pk)
    assert len(mailoutbox) == 1
