"""Several processes find the end of the same outage: clocks get its time back once."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Outage, SitePart
from games.services import seat_changes, tables
from games.services.play import play
from games.services.projections.outages import give_back
from games.services.uptime import renew
from games.tasks import sweep
from tests.concurrency.simultaneous import run_simultaneously
from tests.games.services.test_clocks import assert_projections_are_right
from tests.play import fresh, legal_action, move_deadline, mover, person

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("outages"),
    pytest.mark.databases,
]


def test_sweeps_moves_and_timeouts_at_the_end_of_an_outage_give_its_time_back_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.tasks.queue", lambda *task, **options: True)
    ines, tobias = person("Ines"), person("Tobias")
    games = [
        tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="live", caretaker="medium"))
        for _game in range(4)
    ]
    for game in games:
        tables.join(game.key, tobias)
    games = [fresh(game) for game in games]
    gap = timedelta(hours=3)
    ago = timezone.now() - gap
    SitePart.objects.all().delete()
    for name in SitePart.Name.values:
        SitePart.objects.create(name=name, up_since=ago - gap, seen_at=ago)
    # The outage began with the games, so their whole time is left.
    for game in games:
        Game.objects.filter(pk=game.pk).update(started_at=ago, moved_at=ago)
        move_deadline(game, ago + timedelta(minutes=10))
        game.seats.exclude(clock_started_at=None).update(clock_started_at=ago)
    user, action = mover(games[0]), legal_action(games[0])

    def sweeps() -> int:
        for _run in range(2):
            sweep()
        return 0

    def works() -> int:
        for name in SitePart.Name.values:
            renew(name)
        give_back()
        return 0

    def time_out() -> int:
        for game in games:
            seat_changes.time_out(game.pk)
        return 0

    def move() -> int:
        return play(games[0].key, user, action, 1, uuid.uuid4()).number

    run_simultaneously([sweeps, works, sweeps, works, time_out, move])
    assert Outage.objects.count() == len(SitePart.Name)
    assert not Outage.objects.pending().exists()
    for game in games[1:]:
        left = fresh(game).deadline - timezone.now()
        assert timedelta(minutes=8) < left <= timedelta(minutes=10)
    assert games[0].seats.get(user=user).bank > timedelta(minutes=8)
    assert_projections_are_right()
