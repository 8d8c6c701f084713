"""`manage.py doctor` finds each of many faults, says what is wrong, and what to do."""

import os
import re
from collections import namedtuple
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from unittest import mock

import psycopg
import pytest
import redis
from django.core import mail
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.models import Game, ServedQueue, SitePart, Verification
from novaluna_site.backups import files, postgresql, space
from novaluna_site.health import installation, outside, services
from novaluna_site.health.outside import Answer
from tests.play import game_of, person
from tests.plugins import children

pytestmark = pytest.mark.django_db

Usage = namedtuple("Usage", "total used free")
OURS = {"X-Nova-Luna": "site", "Referrer-Policy": "same-origin"}
# What a visitor of a good site gets.
VISITOR = {
    outside.PAGE: Answer(200, OURS),
    outside.STREAM: Answer(200, {**OURS, "Content-Type": "text/event-stream"}),
    # The site itself hides the figures from requests that a proxy has passed on.
    "/readyz": Answer(404, {}),
    "/metrics": Answer(404, OURS),
}


def backup(folder: Path, moment: datetime) -> None:
    """Leave a backup that was made at a moment."""
    made = folder / files.name_at(moment, "postgresql", is_encrypted=False)
    for file in (made, files.facts_of(made)):
        file.touch()


@pytest.fixture(autouse=True)
def _good_site(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public site on which all is well."""
    settings.SITE_URL = "https://nova-luna.example"
    settings.ALLOWED_HOSTS = ["nova-luna.example"]
    settings.SECRET_KEY = "k" * 60
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.DEFAULT_FROM_EMAIL = "Nova Luna <moon@nova-luna.example>"
    settings.REPLY_ADDRESS = "reply@nova-luna.example"
    settings.REDIS_URL = os.environ.get("REDIS_URL", "")
    settings.BACKUPS_DIR = tmp_path
    backup(tmp_path, timezone.now())
    monkeypatch.setattr(outside, "ask", VISITOR.__getitem__)
    # The test run serves its files without collecting them.
    monkeypatch.setattr(installation, "get_finders", list)
    monkeypatch.setattr(installation.shutil, "disk_usage", lambda folder: Usage(10**12, 0, 10**12))
    now = timezone.now()
    SitePart.objects.all().delete()
    for name in SitePart.Name:
        SitePart.objects.create(name=name, up_since=now - timedelta(days=1), seen_at=now)
    for queue in ("default", "outside", "quick", "bots"):
        ServedQueue.objects.update_or_create(name=queue, defaults={"served_at": now})


def examine(*arguments: str) -> tuple[int, str]:
    """Return the exit status of the command, and what it prints."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_a_site_on_which_all_is_well_has_no_problem() -> None:
    status, words = examine()
    assert "✗" not in words, words
    assert words.endswith("All is well.\n")
    assert status == 0


def test_a_site_for_one_machine_needs_no_public_settings(settings: Settings, tmp_path: Path) -> None:
    settings.SITE_URL, settings.DEBUG, settings.ALLAUTH_TRUSTED_PROXY_COUNT = "http://127.0.0.1:8000", True, 0
    settings.DEFAULT_FROM_EMAIL, settings.SECRET_KEY = "Nova Luna <nova-luna@localhost>", "short"
    settings.BACKUPS_DIR = tmp_path / "none"
    settings.REDIS_URL, settings.EMAIL_BACKEND = "", "novaluna_site.mailbox.EmailBackend"
    status, words = examine()
    assert status == 0
    for name in ("address and proxy", "mail server", "Redis"):
        assert f"–  {name}: not used" in words


Plant = Callable[[Settings, pytest.MonkeyPatch], None]


def setting(**values: object) -> Plant:
    def plant(settings: Settings, _patch: pytest.MonkeyPatch) -> None:
        for name, value in values.items():
            setattr(settings, name, value)

    return plant


def rows(change: Callable[[], object]) -> Plant:
    return lambda _settings, _patch: change() and None


def full_disk(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(installation.shutil, "disk_usage", lambda folder: Usage(10**11, 0, 3 * 10**8))


def full_disk_of_the_database(settings: Settings, patch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("The file of SQLite is in the data folder.")
    folder = settings.BACKUPS_DIR
    settings.BACKUPS_DIR = folder.parent / "elsewhere"
    folder.rename(settings.BACKUPS_DIR)
    folder.mkdir()
    patch.setattr(space, "OF_POSTGRESQL", folder)
    free = {folder: 2 * 10**8}
    patch.setattr(
        installation.shutil, "disk_usage", lambda asked: Usage(10**10, 0, free.get(asked, 9 * 10**9))
    )


def old_backup(settings: Settings, _patch: pytest.MonkeyPatch) -> None:
    """The newer ones are not whole: the disk was full, or the machine died."""
    for file in settings.BACKUPS_DIR.iterdir():
        file.unlink()
    backup(settings.BACKUPS_DIR, timezone.now() - timedelta(hours=56))
    for ending in (".dump.part", ".dump.json", ".dump.json.part"):
        (settings.BACKUPS_DIR / timezone.now().strftime(f"{files.NAME}{ending}")).touch()


def uncollected(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    finder = mock.Mock(list=lambda ignored: [("games/new.js", None)])
    patch.setattr(installation, "get_finders", lambda: [finder])


def other_packages(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(installation, "version", lambda name: "0.1")


def closed_folder(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    def refuse(**_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    patch.setattr(installation.tempfile, "TemporaryFile", refuse)


def refusing_mail_server(settings: Settings, _patch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", children.free_port()


def no_redis(settings: Settings, _patch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{children.free_port()}/0"


def visitor(path: str, answer: Answer | OSError) -> Plant:
    """Let visitors get this answer."""

    def ask(asked: str) -> Answer:
        if asked == path and isinstance(answer, OSError):
            raise answer
        return answer if asked == path and isinstance(answer, Answer) else VISITOR[asked]

    return lambda _settings, patch: patch.setattr(outside, "ask", ask)


def redis_that_stores_nothing(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise redis.ResponseError("MISCONF Redis is configured to save RDB snapshots")

    patch.setattr(services.redis.Redis, "set", refuse)


def wrong_clock(_settings: Settings, patch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has the clock of this machine.")
    real = timezone.now
    patch.setattr(services.timezone, "now", lambda: real() + timedelta(seconds=40))


def another_order_of_texts(_settings: Settings, _patch: pytest.MonkeyPatch) -> None:
    """The order "C" never changes, so another answer of the system takes the place of its own."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has its own order of texts.")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_database SET datcollversion = '2.36' WHERE datname = current_database()")
        cursor.execute("CREATE SCHEMA planted")
        cursor.execute(
            "CREATE FUNCTION planted.pg_database_collation_actual_version(oid) RETURNS text"
            " LANGUAGE sql AS $$ SELECT '2.41' $$"
        )
        cursor.execute("SET LOCAL search_path TO planted, pg_catalog, public")


def missing_migration() -> object:
    return MigrationRecorder.Migration.objects.filter(app="games").latest("name").delete()


def newer_database() -> object:
    return MigrationRecorder.Migration.objects.create(app="games", name="9999_later")


def tables_of_a_provider() -> object:
    return MigrationRecorder.Migration.objects.create(app="socialaccount", name="0001_initial")


def wrong_game() -> object:
    now = timezone.now()
    return Verification.objects.create(
        started_at=now, finished_at=now, games=9, wrong=1, first_problem="abc: score is 3."
    )


def no_comparison() -> object:
    game_of(person("Ines"), person("Tobias"))
    return Game.objects.update(moved_at=timezone.now() - timedelta(days=5))


FAULTS: dict[str, tuple[Plant, str, str]] = {
    "debug pages": (setting(DEBUG=True), "Debug pages are on", "Remove DEBUG"),
    "no TLS": (setting(SITE_URL="http://nova-luna.example"), "unencrypted", "TLS"),
    "wrong host": (setting(ALLOWED_HOSTS=["other.example"]), "every page is an error", "ALLOWED_HOSTS"),
    "short key": (setting(SECRET_KEY="moon"), "secret key is short", "token_urlsafe"),
    "no proxy": (setting(ALLAUTH_TRUSTED_PROXY_COUNT=0), "count as one address", "number of proxies"),
    "sender": (setting(DEFAULT_FROM_EMAIL="moon@localhost"), "come from moon@localhost", "a domain of yours"),
    "reply address": (setting(REPLY_ADDRESS="replies@nova-luna.example"), "cannot work", "at most 5"),
    "push key": (setting(PUSH_KEY="nonsense"), "no key for push messages", "make_push_keys"),
    "packages": (other_packages, "not those of this version", "make install-production"),
    "closed folder": (closed_folder, "cannot write", "chown"),
    "static files": (uncollected, "games/new.js", "collectstatic"),
    "full disk": (full_disk, "Only 300 MB are free", "larger disk"),
    "full disk of the database": (full_disk_of_the_database, "Only 200 MB are free", "larger disk"),
    "old backup": (old_backup, "56 hours old", "timer"),
    "no backup": (setting(BACKUPS_DIR=Path("/nowhere")), "There is no backup", "deploy/backup"),
    "mail server": (refusing_mail_server, "does not accept the site: ConnectionRefused", "EMAIL_URL"),
    "Redis": (no_redis, "Redis does not answer", "REDIS_URL"),
    "Redis on a full disk": (redis_that_stores_nothing, "stores nothing: MISCONF", "config set save"),
    "no way from outside": (
        visitor(outside.PAGE, OSError("certificate has expired")),
        "cannot be reached from this machine: certificate has expired",
        "firewall",
    ),
    "redirects for ever": (
        visitor(outside.PAGE, Answer(301, {"Location": f"https://nova-luna.example{outside.PAGE}"})),
        "redirect to themselves",
        "X-Forwarded-Proto",
    ),
    "proxy alone": (visitor(outside.PAGE, Answer(502, {})), "status 502", "novaluna-web runs"),
    "another site": (visitor(outside.PAGE, Answer(200, {})), "no header X-Nova-Luna", "Another site"),
    "forms without origin": (
        visitor(outside.PAGE, Answer(200, {**OURS, "Referrer-Policy": "no-referrer"})),
        "Referrer-Policy",
        "pass on the headers",
    ),
    "figures for everybody": (
        visitor("/readyz", Answer(200, OURS)),
        "Everybody can read /readyz",
        "Caddyfile",
    ),
    "streams at the wrong process": (visitor(outside.STREAM, Answer(404, OURS)), "no live updates", "flush"),
    "streams that are held back": (visitor(outside.STREAM, TimeoutError()), "no live updates", "buffering"),
    "clock": (wrong_clock, "differ by 40 seconds", "timedatectl"),
    "order of texts": (another_order_of_texts, "has changed the order of texts", "run reindexdb"),
    "missing migration": (rows(missing_migration), "older than this program: 1 migration", "manage migrate"),
    "newer database": (rows(newer_database), "newer than this program", "Install the version"),
    "log-in elsewhere": (rows(tables_of_a_provider), "can't be deleted", "migrate socialaccount zero"),
    "no beat": (
        rows(lambda: SitePart.objects.filter(name="sweep").update(seen_at="2026-01-01T00:00Z")),
        "novaluna-beat and novaluna-sweep",
        "journalctl",
    ),
    "no worker": (
        rows(lambda: ServedQueue.objects.filter(name="outside").update(served_at="2026-01-01T00:00Z")),
        "Nobody serves the queue outside",
        "restart it",
    ),
    "wrong game": (rows(wrong_game), "abc: score is 3.", "verify_games"),
    "no comparison": (rows(no_comparison), "compared with their logs for three days", "novaluna-bots"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_with_what_to_do(
    fault: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, what, do = FAULTS[fault]
    plant(settings, monkeypatch)
    status, words = examine()
    assert status == 1
    assert what in words
    assert do in words
    assert words.endswith("1 problem.\n"), words


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one encoding.")
def test_a_database_that_cannot_store_all_names_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{connection.settings_dict['NAME']}_ascii"
    with psycopg.connect(postgresql.url_of("template1"), autocommit=True) as server:
        server.execute(
            f"""CREATE DATABASE "{name}" TEMPLATE template0 ENCODING SQL_ASCII LC_COLLATE 'C' LC_CTYPE 'C'"""
        )
    other = connection.copy()
    other.settings_dict["NAME"] = name
    with monkeypatch.context() as patch:
        patch.setattr(services, "connection", other)
        [found] = services.postgresql()
    other.close()
    postgresql.drop(name)
    assert "has the encoding SQL_ASCII" in found.what
    assert "the new database has the encoding UTF8" in found.do


def test_without_a_database_the_rest_is_still_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(services.connection, "cursor", refuse)
        status, words = examine()
    assert status == 1
    assert "The database does not answer: connection refused." in words
    assert "✓  disk" in words
    assert "games: not checked, without the database" in words


def test_an_email_is_sent_only_if_somebody_asks_for_it() -> None:
    examine()
    assert mail.outbox == []
    assert "✓  an email to ines@example.org" in examine("--mail", "ines@example.org")[1]
    assert [one.to for one in mail.outbox] == [["ines@example.org"]]


def test_a_good_push_key_is_no_problem(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_push_keys")
    printed = re.search(r"[\w-]{43}", capsys.readouterr().out)
    assert printed
    settings.PUSH_KEY = printed[0]
    assert examine()[0] == 0
