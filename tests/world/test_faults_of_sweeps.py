"""A sweep that is killed, or meets a broken game: each clock gets its time once, and the others go on."""

from collections.abc import Collection
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError

from games.models import Action, Game, Outage, Seat, SitePart
from games.services import seat_changes, uptime
from games.services.clocks import run_clocks
from games.services.projections import outages
from games.tasks import sweep
from novaluna_site import parts
from tests.games.services.test_clocks import assert_projections_are_right
from tests.play import fresh, play_one
from tests.world.frozen_site import NOON, PARTS, Site, paced

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("outages")]


def test_a_killed_sweep_gives_each_clock_its_time_once(site: Site) -> None:
    games = [paced(names=f"A{number} B{number}") for number in range(4)]
    site.works(hours=1)
    site.works(*PARTS, hours=5)
    calls, count_again = 0, outages._count_again

    def fail_at_third(pk: int, since: datetime) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise OperationalError("the server closed the connection")
        count_again(pk, since)

    with mock.patch.object(outages, "_count_again", fail_at_third), pytest.raises(OperationalError):
        sweep()
    assert seat_changes.due_ids() == []
    for _run in range(2):
        site.sweeps(seconds=10)
    gaps = {fresh(game).deadline - game.deadline for game in games}
    assert gaps == {timedelta(hours=5, seconds=10)}
    assert_projections_are_right()


def test_one_broken_game_does_not_stop_the_clocks_of_the_others(site: Site) -> None:
    broken, game = paced(names="Noor Mina"), paced()
    play_one(broken)
    Action.objects.filter(game=broken).update(payload={"do": "nothing"}, at=NOON + timedelta(hours=2))
    Game.objects.filter(pk=broken.pk).update(moved_at=NOON + timedelta(hours=2))
    site.works(hours=1)
    site.works(*PARTS, hours=5)
    site.sweeps(seconds=20)
    assert fresh(game).deadline == game.deadline + timedelta(hours=5, seconds=10)
    assert not Outage.objects.pending().exists()


@pytest.mark.databases
@pytest.mark.parametrize("error", [DataError("too long"), IntegrityError("twice"), ValueError("no move")])
def test_a_game_that_the_database_refuses_does_not_stop_the_sweep(site: Site, error: Exception) -> None:
    refused, game = paced(names="Noor Mina"), paced()

    def count_again(game: Game, seats: Collection[Seat], now: datetime) -> None:
        if game.pk == refused.pk:
            raise error
        run_clocks(game, seats, now)

    site.works(*PARTS, hours=5)
    with mock.patch.object(outages, "run_clocks", count_again):
        site.sweeps(seconds=20)
    assert fresh(game).deadline == game.deadline + timedelta(hours=5, seconds=10)
    assert not Outage.objects.pending().exists()


def test_a_sweep_looks_for_signs_of_players_only_once(site: Site) -> None:
    SitePart.objects.all().delete()
    with mock.patch.object(uptime, "_last_sign_of_life", return_value=NOON) as look:
        site.sweeps(minutes=1)
    look.assert_called_once_with()


def test_a_part_notes_that_it_works_after_any_error() -> None:
    renewals = [ValueError("unexpected"), InterfaceError("the connection is closed"), None]
    with (
        mock.patch.object(uptime, "renew", side_effect=renewals) as renew,
        mock.patch.object(parts, "close_old_connections"),
        mock.patch.object(parts.time, "sleep", side_effect=[None, None, SystemExit]),
        pytest.raises(SystemExit),
    ):
        parts._keep_renewed(["web"])
    assert renew.call_count == len(renewals)
