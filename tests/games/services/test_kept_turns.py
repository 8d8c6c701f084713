"""A bot's turn that a worker plays stays its own, however long the search takes."""

import threading
from datetime import timedelta

import pytest
from django.db import connection

from games.models import Game
from games.services import bot_queue, bots
from tests.play import fresh, game_left_to
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

LEASE = timedelta(seconds=1.5)


def test_a_search_that_is_longer_than_the_lease_is_not_started_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_queue, "queue", lambda *_task, **_options: True)
    game = game_left_to("hard", "hard")
    monkeypatch.setattr(bot_queue, "LEASE", LEASE)
    monkeypatch.setattr(bot_queue, "RENEWED_EVERY", LEASE / 10)
    is_searching, is_found = threading.Event(), threading.Event()

    def search(*_args: object, **_options: object) -> None:
        is_searching.set()
        is_found.wait(30)

    monkeypatch.setattr(bots, "play_turn", search)

    def work() -> None:
        bots.take_turn(game.pk, fresh(game).version + 1)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    assert is_searching.wait(30)
    first = fresh(game).bot_queued_until
    wait_until(lambda: fresh(game).bot_queued_until > first + LEASE, "a lease after the first one")
    assert Game.objects.filter(bot_queue.is_queued()).exists()
    is_found.set()
    worker.join(30)
    wait_until(lambda: not Game.objects.filter(bot_queue.is_queued()).exists(), "the end of the lease")
