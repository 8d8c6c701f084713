"""Redis holds only what can be lost: without it people go on logging in, reading and playing."""

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

# A broker that is down may cost a request this much, no more. Kombu's own patience is six seconds.
PATIENCE = 4.0


@pytest.fixture
def _redis_down(settings: Settings) -> Iterator[None]:
    """Point the queues and the news of moves to a port that nobody listens on."""
    nowhere, before = f"redis://127.0.0.1:{free_port()}/0", current_app.conf.broker_url
    settings.REDIS_URL = nowhere
    _use_broker(nowhere)
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
    begin = time.monotonic()
    response = client.post(f"{game.get_absolute_url()}play/", form_of(game, legal_fields(game)))
    assert response.status_code == 302
    assert time.monotonic() - begin < PATIENCE
    assert fresh(game).version == 1


@pytest.mark.usefixtures("_redis_down")
def test_a_mail_goes_out_without_redis(mailoutbox: list[object]) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(game.notifications.get().pk)
    assert len(mailoutbox) == 1
