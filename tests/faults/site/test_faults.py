"""After each fault, games go on within a minute, nothing is lost or doubled, and nobody is notified twice."""

import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress

import psycopg
import pytest
import redis
from django.db import connection, transaction

from games.models import Action, Game, Kind, Notification, Seat
from games.services.projections import verification
from novaluna_site.backups import postgresql
from tests.faults.site.running import NAMES, RunningSite
from tests.faults.site.test_bots_go_on import games_of_bots, stand_still_since
from tests.play import fresh, game_of, mover, person, play_one
from tests.plugins import servers
from tests.plugins.mailserver import MailServer
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(servers.ON_SQLITE, reason="SQLite has no server that could be away"),
]

WORKS_WITHIN = 60.0  # seconds
LASTS = 3.0  # seconds
SYSTEMD_WAITS = 2.0  # seconds; `RestartSec` of the units
COUNTS = ("novaluna_bot_seconds_count{", 'novaluna_notifications_total{channel="mail"')
READABLE, AWAY = {200}, {200, 503}
Fault = Callable[[RunningSite], AbstractContextManager[None]]


@contextmanager
def killed_units(site: RunningSite) -> Iterator[None]:
    """Every unit is killed, one after the other, and started again by systemd."""
    for name in NAMES:
        site.kill(name)
    time.sleep(SYSTEMD_WAITS)
    site.start_all()
    yield


@contextmanager
def update(site: RunningSite) -> Iterator[None]:
    """The units are restarted while games run."""
    site.restart()
    yield


@contextmanager
def two_beats(site: RunningSite) -> Iterator[None]:
    """A second beat and a second sweep run, as on two machines of which each has all units."""
    folder = site.folder
    site.folder = folder / "second"
    site.folder.mkdir(exist_ok=True)
    others = [site.run("beat"), site.run("sweep")]
    site.folder = folder
    time.sleep(2 * LASTS)  # longer than beat takes from one sweep to the next
    yield
    for other in others:
        other.kill()
        other.wait(60)


@contextmanager
def stopped_postgres(_site: RunningSite) -> Iterator[None]:
    """PostgreSQL is stopped, and started again."""
    assert servers.postgres
    connection.close()
    servers.postgres.stop()
    time.sleep(LASTS)
    yield
    servers.postgres.start_again()


@contextmanager
def crashed_postgres(_site: RunningSite) -> Iterator[None]:
    """PostgreSQL crashes, and recovers from its log."""
    assert servers.postgres
    connection.close()
    servers.postgres.crash()
    servers.postgres.start_again()
    yield


@contextmanager
def no_connections(_site: RunningSite) -> Iterator[None]:
    """Others use all connections of PostgreSQL."""
    address = postgresql.url_of("postgres")
    connection.close()
    with ExitStack() as others:

        def take_all() -> None:
            try:
                while True:
                    others.enter_context(psycopg.connect(address))
            except psycopg.OperationalError:
                return

        with psycopg.connect(address, autocommit=True) as admin:
            end = time.monotonic() + LASTS
            while time.monotonic() < end:
                take_all()
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    [connection.settings_dict["NAME"]],
                )
        take_all()
        yield


@contextmanager
def full_disk(site: RunningSite) -> Iterator[None]:
    """The disk of the actions is full."""
    assert servers.postgres
    place = servers.postgres.folder.parent / "disk"  # which its user can reach
    place.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=777", "none", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("This user may not mount a small disk.")
    with ExitStack() as stack:
        stack.callback(subprocess.run, ["umount", "--lazy", str(place)], check=True)
        data = place / "data"
        data.mkdir(mode=0o777)
        servers.postgres.give(data)
        run(f"CREATE TABLESPACE small LOCATION '{data}'")
        stack.callback(run, "DROP TABLESPACE small")
        tables = ("games_action", "games_game", "games_notification", "django_session")
        for table in tables:
            run(f"ALTER TABLE {table} SET TABLESPACE small")
            stack.callback(run, f"ALTER TABLE {table} SET TABLESPACE pg_default")
        ballast = place / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"0" * 4096)
        time.sleep(LASTS)
        yield
        ballast.unlink()
        wait_until(lambda: site.status_of("/")[0] == 200, "a page")


def run(statement: str) -> None:
    with psycopg.connect(postgresql.url_of(str(connection.settings_dict["NAME"])), autocommit=True) as server:
        server.execute(statement)


@contextmanager
def stopped_redis(site: RunningSite) -> Iterator[None]:
    """Redis is stopped, and started again with nothing in it."""
    site.redis.stop()
    time.sleep(LASTS)
    yield
    site.redis.start()


@contextmanager
def redis_without_memory(site: RunningSite) -> Iterator[None]:
    """Redis takes no more."""
    server = redis.Redis.from_url(site.redis.url(0))
    server.config_set("maxmemory", 1)
    time.sleep(LASTS)
    yield
    server.config_set("maxmemory", 0)


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [
        (killed_units, {0, 200}),
        (update, {0, 200}),
        (two_beats, READABLE),
        (stopped_postgres, {503}),
        (crashed_postgres, AWAY),
        (no_connections, {503}),
        (full_disk, READABLE),
        (stopped_redis, READABLE),
        (redis_without_memory, READABLE),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_games_go_on(fault: Fault, statuses: set[int], site: RunningSite, smtp: MailServer) -> None:
    people = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    Notification.objects.all().delete()
    games = games_of_bots("Bots")
    pass_turn(people)
    sent = Notification.objects.filter(game=people, kind=Kind.TURN, sent_at__isnull=False)
    sent_before, before = sent.count(), counts_of(site)
    with fault(site):
        status, text = site.status_of(people.get_absolute_url())
        assert status in statuses
        assert status != 503 or "The site is briefly unavailable" in text
    versions = {game.pk: fresh(game).version for game in games}
    start = time.monotonic()
    wait_until(
        lambda: not stand_still_since(games, versions), "an action in each game", WORKS_WITHIN, pause=0.2
    )
    pass_turn(people)
    wait_until(lambda: sent.count() > sent_before, "an email", WORKS_WITHIN, pause=0.2)
    assert time.monotonic() - start < WORKS_WITHIN
    assert site.status_of("/")[0] == 200
    wait_until(lambda: all(after > before[count] for count, after in counts_of(site).items()), "the figures")
    check_that_nothing_is_lost_or_doubled(smtp, may_repeat=fault in (killed_units, crashed_postgres))


def pass_turn(game: Game) -> None:
    """Play until another player is to move, who has not seen it and so gets an email."""
    player = mover(game)
    with transaction.atomic():
        while mover(game) == player:
            play_one(game)
    Seat.objects.update(seen_at=None)


def counts_of(site: RunningSite) -> dict[str, float]:
    """Return what the web process shows of the counts of the units for bots and emails, summed up.

    Their files outlive the units, and the faults before.
    """
    lines = site.status_of("/metrics")[1].splitlines()
    return {
        count: sum(float(line.rsplit(maxsplit=1)[1]) for line in lines if line.startswith(count))
        for count in COUNTS
    }


def check_that_nothing_is_lost_or_doubled(smtp: MailServer, *, may_repeat: bool) -> None:
    """Check games, figures and emails.

    Who crashes between sending an email and noting it sends it again, with the same Message-ID, by which mail
    programs show it once. So `may_repeat` allows for one such email.
    """
    for game in Game.objects.all():
        numbers = list(Action.objects.filter(game=game).order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
        assert verification.verify_game(game.pk) == []
    mails = Counter((mail["To"], mail["Message-ID"]) for mail in smtp.mails)
    repeated = sum(number - 1 for number in mails.values())
    assert repeated <= may_repeat, mails
    sent = Notification.objects.filter(sent_at__isnull=False, channel="mail").count()
    assert len(mails) <= sent + Notification.objects.filter(sent_at=None).count()
