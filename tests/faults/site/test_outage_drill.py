"""The drill of outages on the units of production: hours pass, because all stored times are moved back."""

from collections import Counter
from datetime import datetime, timedelta
from http import HTTPStatus
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import DateTimeField, F, Max, Min, Q
from django.utils import timezone

from accounts.models import User
from games.models import Game, Notification, Outage, Seat, ServedQueue, SitePart
from games.queries import mail_links
from games.services.projections import verification
from novaluna_site.backups import files, postgresql
from tests.faults.site.running import RunningSite
from tests.faults.site.test_bots_go_on import games_of_bots, stand_still_since
from tests.play import fresh, game_of, mover, person, play_one
from tests.plugins import processes
from tests.plugins.mailserver import MailServer
from tests.waiting import wait_until
from tests.world.frozen_site import is_lost, paced

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("outages")]

GAMES = 8
BETWEEN = timedelta(minutes=20)  # two deadlines
SLACK = timedelta(seconds=60)  # until the units run again
Parts = tuple[str, ...]


def let_time_pass(by: timedelta, *, seen: Parts = ()) -> None:
    """Move all stored times back, but not those of `seen` parts of the site, and of queues with them."""
    for model in apps.get_models():
        names = [
            field.name for field in model._meta.local_concrete_fields if isinstance(field, DateTimeField)
        ]
        rows = model._base_manager.all()
        if seen and model is ServedQueue:
            continue
        if seen and model is SitePart:
            rows = rows.exclude(name__in=seen)
        if names:
            rows.update(**{name: F(name) - by for name in names})


def games_with_deadlines(name: str) -> list[Game]:
    """Make games whose deadlines are some minutes apart, the last of them in a day."""
    games = []
    for number in range(GAMES):
        if games:
            let_time_pass(BETWEEN, seen=tuple(SitePart.Name.values))
        games.append(paced(names=f"{name}{number} Other{name}{number}"))
    Seat.objects.update(seen_at=None)
    return games


def check_that_nobody_lost_time(games: list[Game], before: dict[int, datetime], hours: float) -> None:
    """Wait until the time is given back, and compare the deadline of each game with the one `before`."""
    long = Outage.objects.filter(ended_at__gte=F("started_at") + timedelta(hours=hours) - SLACK)
    wait_until(long.exists, "an outage", processes.LONGEST_START, pause=0.2)

    def is_given_back() -> bool:
        # A part that starts later makes the outage longer.
        silent = SitePart.objects.filter(seen_at__lt=timezone.now() - timedelta(seconds=10))
        return not silent.exists() and not Outage.objects.pending().exists()

    wait_until(is_given_back, "the time that is given back", processes.LONGEST_START, pause=0.2)
    away = Outage.objects.aggregate(start=Min("started_at"), end=Max("ended_at"))
    for game in games:
        assert not is_lost(game)
        given = fresh(game).deadline - before[game.pk]  # type: ignore[operator]
        assert abs(given - (away["end"] - away["start"])) < SLACK
        assert verification.verify_game(game.pk) == []


def deadlines(games: list[Game]) -> dict[int, datetime]:
    return {game.pk: fresh(game).deadline for game in games}  # type: ignore[misc]


def check_that_all_goes_on(site: RunningSite, smtp: MailServer, games: list[Game], hours: int) -> None:
    """Let the site go on after `hours` away: nobody has lost time, and each email is sent once."""
    before = deadlines(games)
    assert sum(deadline < timezone.now() for deadline in before.values()) >= GAMES - 2
    site.go_on()
    check_that_nobody_lost_time(games, before, hours)
    # What was due and was not sent is sent once, after the clocks are right.
    pending = Notification.objects.pending().filter(~Q(due_at__gt=timezone.now()))
    wait_until(lambda: not pending.exists(), "all emails", processes.LONGEST_START, pause=0.3)
    assert smtp.mails
    twice = Counter(mail["Message-ID"] for mail in smtp.mails) - Counter(
        {mail["Message-ID"] for mail in smtp.mails}
    )
    assert not twice
    for game in games:
        play_one(fresh(game))


def test_the_machine_sleeps_over_many_deadlines(site: RunningSite, smtp: MailServer) -> None:
    site.pause()
    games = games_with_deadlines("Ines")
    let_time_pass(timedelta(hours=21), seen=tuple(SitePart.Name.values))
    let_time_pass(timedelta(hours=3))
    check_that_all_goes_on(site, smtp, games, 3)


def test_the_dump_of_yesterday_is_restored(site: RunningSite, smtp: MailServer, backups: Path) -> None:
    """The lost day runs on no clock, its games and people are gone, and its links act for nobody else."""
    site.pause()
    games = games_with_deadlines("Mara")
    let_time_pass(timedelta(hours=21), seen=tuple(SitePart.Name.values))
    call_command("backup", stdout=StringIO())
    [backup] = files.backups_in(backups)
    play_one(games[-1])
    lost = game_of(person("Lost"), person("Late"))
    link = mail_links.move_url(mail_links.turn_of_player(lost, mover(lost)), "refill")
    let_time_pass(timedelta(days=1))
    own = str(connection.settings_dict["NAME"])
    try:
        call_command("restore", backup.name, stdout=StringIO())
    finally:
        drop_databases(f"{own}_before_%")
    let_time_pass(timedelta(days=1))
    assert fresh(games[-1]).version == 0
    assert not User.objects.filter(username="Lost").exists()
    check_that_all_goes_on(site, smtp, games, 24)
    new = game_of(person("Nele"), person("Anna"))
    assert new.pk == lost.pk, "ids are given out again"
    assert site.status_of(link.removeprefix(settings.SITE_URL))[0] == HTTPStatus.NOT_FOUND
    assert fresh(new).version == 0


def drop_databases(pattern: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern])
        found = [name for [name] in cursor.fetchall()]
    for name in found:
        postgresql.drop(name)


def test_beat_alone_away_for_three_hours(site: RunningSite) -> None:
    site.kill("beat")
    games = games_with_deadlines("Lina")
    others = tuple(set(SitePart.Name.values) - {SitePart.Name.SWEEP})
    let_time_pass(timedelta(hours=21), seen=tuple(SitePart.Name.values))
    let_time_pass(timedelta(hours=3), seen=others)
    before = deadlines(games)
    site.start("beat")
    check_that_nobody_lost_time(games, before, 3)


def test_one_machine_of_two_away(site: RunningSite, smtp: MailServer) -> None:
    names = ("worker", "quick", "bots")
    second = {name: site.run(name) for name in names}
    games = games_of_bots("Bots")
    for name, unit in second.items():
        site.kill(name, successor=unit)
    versions = {game.pk: fresh(game).version for game in games}
    wait_until(
        lambda: not stand_still_since(games, versions), "bots of the other machine", processes.LONGEST_START
    )
    play_one(game_of(person("Ines"), person("Tobias")))
    Seat.objects.update(seen_at=None)
    smtp.wait_for("", seconds=processes.LONGEST_START)
    assert not Outage.objects.exists()
