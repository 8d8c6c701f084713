"""Workers that live but take no task from their queue cost no player time."""

from datetime import timedelta

import pytest

from games.models import Outage
from games.services import queues
from tests.games.services.test_clocks import assert_projections_are_right
from tests.play import fresh
from tests.world.frozen_site import Site, is_lost, paced

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("outages")]


@pytest.mark.parametrize("queue", ["default", "quick"])
def test_nobody_loses_while_workers_live_but_serve_no_queue(site: Site, queue: str) -> None:
    game = paced("live")
    site.works(minutes=5)
    queues.note_served(queue)
    site.sweeps(minutes=10, every=30)
    assert not is_lost(game), "the queue was not served for ten minutes"
    queues.note_served(queue)
    site.sweeps(seconds=20)
    assert not is_lost(game)
    assert fresh(game).deadline == game.deadline + timedelta(minutes=10) - queues.SERVED_FOR
    assert_projections_are_right()
    for _minute in range(5):
        queues.note_served(queue)
        site.sweeps(minutes=1, every=30)
    queues.note_served(queue)
    site.sweeps(seconds=30)
    assert is_lost(game)


def test_a_busy_queue_stops_no_clock(site: Site) -> None:
    game = paced("live")
    for _note in range(5):
        queues.note_served("default")
        site.sweeps(minutes=2, seconds=50, every=17)
    assert is_lost(game)
    assert not Outage.objects.exists()


def test_a_queue_that_players_do_not_depend_on_stops_no_clock(site: Site) -> None:
    game = paced("live")
    queues.note_served("bots")
    site.works(minutes=8)
    site.sweeps(minutes=4, every=30)
    queues.note_served("bots")
    assert is_lost(game)
    assert not Outage.objects.exists()
