"""Backups of PostgreSQL and of SQLite: made while the site runs, kept by a rule, tried and restored."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from games.models import Game
from games.services.private import exports
from novaluna_site.backups import files, postgresql, space
from tests.play import game_of, person, play_out, play_some, solo_of
from tests.plugins import servers
from tests.plugins.processes import ROOT

needs_postgresql = pytest.mark.skipif(servers.ON_SQLITE, reason="This is about PostgreSQL.")
KEYS = "openssl enc -aes-256-ctr -pbkdf2 -pass pass:moon"


@pytest.fixture
def folder(backups: Path) -> Path:
    """The folder of backups."""
    return backups


def call(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def databases() -> set[str]:
    """Return this process's databases, because others test at the same time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database"
            " WHERE datname = current_database() OR starts_with(datname, current_database() || '_')"
        )
        return {name for [name] in cursor.fetchall()}


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_backup_of_postgresql_is_tried_while_the_site_runs(folder: Path) -> None:
    play_some(game_of(person("Ines"), person("Tobias")), 5)
    play_out(solo_of(person("Mina")))
    exports.store(exports.ask(person("Noor")), b"all that is personal")
    before = databases()
    assert "0 older ones removed" in call("backup")
    [backup] = files.backups_in(folder)
    assert backup.stat().st_mode & 0o077 == 0, "only the site's user may read it"
    words = call("restore", "--drill")
    assert " rows of " in words
    rows = files.Facts.read(backup).rows
    assert (rows["games_export"], rows["accounts_user"]) == (0, 4), "a file ends with its week"
    assert "2 games in" in words
    assert words.endswith("The drill has succeeded: this backup can be restored.\n")
    assert databases() == before, "nothing is left of the drill"
    assert sorted(one.name for one in folder.iterdir()) == [backup.name, f"{backup.name}.json"]


@pytest.mark.django_db(transaction=True)
def test_neither_a_backup_nor_a_drill_fills_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("backup")
    [backup] = files.backups_in(folder)
    monkeypatch.setattr(space.shutil, "disk_usage", lambda _folder: mock.Mock(free=space.LEFT_FREE + 1000))
    for arguments in (["backup"], ["restore", "--drill"]):
        with pytest.raises(
            CommandError, match=r"300 MB are free on the disk of .* Remove what is not needed"
        ):
            call(*arguments)
    assert files.backups_in(folder) == [backup]
    assert len(list(folder.iterdir())) == 2


@needs_postgresql
@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_a_drill_finds_a_backup_that_is_not_whole(folder: Path) -> None:
    game = play_some(game_of(person("Ines"), person("Tobias")), 5)
    call("backup")
    [backup] = files.backups_in(folder)
    facts = json.loads(files.facts_of(backup).read_text())
    facts["rows"]["games_action"] += 1
    files.facts_of(backup).write_text(json.dumps(facts))
    with pytest.raises(CommandError, match="games_action has 5 rows, not 6"):
        call("restore", "--drill")
    half = backup.read_bytes()[: backup.stat().st_size // 2]
    backup.write_bytes(half)
    with pytest.raises(CommandError, match="is damaged: it is not what was written"):
        call("restore", "--drill")
    files.facts_of(backup).write_text(json.dumps({**facts, "sha256": files.digest_of(backup)}))
    with pytest.raises(CommandError, match="pg_restore failed") as error:
        call("restore", "--drill")
    assert "The backup was made by pg_dump" in str(error.value)
    backup.unlink()
    Game.objects.filter(pk=game.pk).update(version=3)
    call("backup")
    with pytest.raises(CommandError, match=f"verify_games has found something:\n{game.key}"):
        call("restore", "--drill")
    assert not [name for name in databases() if name.endswith("_drill")]


@needs_postgresql
@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_a_restored_backup_replaces_the_database_which_stays_under_another_name(
    folder: Path, settings: Settings
) -> None:
    """On a copy of the database, because the one of the test run must stay."""
    play_some(game_of(person("Ines"), person("Tobias")), 5)
    call("backup")
    [backup] = files.backups_in(folder)
    own = str(connection.settings_dict["NAME"])
    site = f"{own}_site"
    postgresql.load(backup, files.Facts.read(backup), site)
    environ = {
        **os.environ,
        "DATABASE_URL": postgresql.url_of(site),
        "NOVALUNA_BACKUPS": str(folder),
        "REDIS_URL": servers.SPARE_REDIS_URL,
    }
    restore = [sys.executable, "manage.py", "restore", backup.name]
    old = ""
    try:
        with psycopg.connect(postgresql.url_of(site)) as database:
            database.execute("INSERT INTO games_sitepart VALUES ('sweep', now(), now())")
            database.execute("UPDATE accounts_user SET username = 'Lost' WHERE username = 'Ines'")
        running = subprocess.run(restore, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
        assert running.returncode == 1
        assert "Stop it first (systemctl stop 'novaluna-*.service')" in running.stderr
        with psycopg.connect(postgresql.url_of(site)) as database:
            database.execute("DELETE FROM games_sitepart")
        done = subprocess.run(restore, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "Start the site again." in done.stdout
        [old] = [name for name in databases() if name.startswith(f"{site}_before_")]
        for name, who in ((site, "Ines"), (old, "Lost")):
            with psycopg.connect(postgresql.url_of(name)) as database:
                found = database.execute("SELECT username FROM accounts_user ORDER BY username").fetchall()
                assert (who,) in found
        other_key = {**environ, "SECRET_KEY": "another-key-" * 5}
        warned = subprocess.run(restore, cwd=ROOT, env=other_key, capture_output=True, text=True, check=False)
        assert "The secret key is not the one of this backup" in warned.stdout
    finally:
        for name in databases():
            if name.startswith(site):
                postgresql.drop(name)


@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_an_encrypted_backup_needs_its_key(folder: Path, settings: Settings) -> None:
    person("Ines")
    settings.BACKUP_ENCRYPT, settings.BACKUP_DECRYPT = KEYS, f"{KEYS} -d"
    call("backup")
    [backup] = files.backups_in(folder)
    assert backup.name.endswith(".enc")
    assert b"PGDMP" not in backup.read_bytes()
    assert "has succeeded" in call("restore", "--drill")
    settings.BACKUP_DECRYPT = f"{KEYS}x -d"
    with pytest.raises(CommandError):
        call("restore", "--drill")
    settings.BACKUP_DECRYPT = ""
    with pytest.raises(CommandError, match="NOVALUNA_BACKUP_DECRYPT"):
        call("restore", "--drill")
    settings.BACKUP_ENCRYPT = "no-such-program"
    with pytest.raises(CommandError, match="no-such-program cannot be run"):
        call("backup")
    assert files.backups_in(folder) == [backup], "what failed leaves nothing"
    assert not list(folder.glob("*.part"))


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_a_newer_version_or_another_database_is_refused(folder: Path) -> None:
    call("backup")
    [backup] = files.backups_in(folder)
    facts = json.loads(files.facts_of(backup).read_text())
    for change, words in (
        ({"migrations": {**facts["migrations"], "games": "9999_later"}}, "newer version of the site"),
        ({"vendor": "oracle"}, "backup of oracle, but the site runs on"),
    ):
        files.facts_of(backup).write_text(json.dumps({**facts, **change}))
        with pytest.raises(CommandError, match=words):
            call("restore", "--drill")
    files.facts_of(backup).unlink()
    with pytest.raises(CommandError, match="Copy it together with its backup"):
        call("restore", str(backup))
    with pytest.raises(CommandError, match="There is no backup in"):
        call("restore", "--drill")
    with pytest.raises(CommandError, match="Name the backup"):
        call("restore")


@pytest.fixture
def small_site(made_folder: Path) -> dict[str, str]:
    """The environment of a site that is one process, on SQLite."""
    environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return {**environ, "NOVALUNA_DATA": str(made_folder)}


def manage(environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


LIST_PEOPLE = "from accounts.models import User; print([*User.objects.values_list('username', flat=True)])"
MAKE_PERSON = "from accounts.models import User; User.objects.create_user('{}')"
PERSONAL = b"all that is personal"
MAKE_EXPORT = (
    "; from games.services.private import exports"
    f"; exports.store(exports.ask(User.objects.get()), {PERSONAL!r})"
)


def test_a_site_of_one_process_is_backed_up_and_restored(small_site: dict[str, str]) -> None:
    folder = Path(small_site["NOVALUNA_DATA"])
    manage(small_site, "shell", "-c", MAKE_PERSON.format("Ines") + MAKE_EXPORT)
    assert manage(small_site, "backup").returncode == 0
    [backup] = files.backups_in(folder / "backups")
    assert backup.name.endswith(".sqlite3.gz")
    assert PERSONAL not in gzip.decompress(backup.read_bytes()), "the file of a person ends with its week"
    assert PERSONAL in (folder / "novaluna.sqlite3").read_bytes()
    drill = manage(small_site, "restore", "--drill")
    assert drill.stdout.endswith("this backup can be restored.\n"), drill.stderr
    manage(small_site, "shell", "-c", MAKE_PERSON.format("Lost"))
    with closing(sqlite3.connect(folder / "novaluna.sqlite3", isolation_level=None)) as database:
        now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
        database.execute(f"INSERT INTO games_sitepart VALUES ('sweep', {now}, {now})")
        assert "Stop it first (Ctrl-C in make play)" in manage(small_site, "restore", backup.name).stderr
        database.execute("DELETE FROM games_sitepart")
    done = manage(small_site, "restore", backup.name)
    assert done.returncode == 0, done.stderr
    names = manage(small_site, "shell", "-c", LIST_PEOPLE)
    assert names.stdout.strip().endswith("['Ines']")
    assert list(folder.glob("novaluna.sqlite3.before_*"))
    backup.write_bytes(backup.read_bytes()[:-100])
    broken = manage(small_site, "restore", backup.name)
    assert broken.returncode == 1
    assert "is damaged" in broken.stderr
    assert manage(small_site, "doctor").stdout.count("✗  backups") == 0


def test_days_weeks_and_months_are_kept() -> None:
    now = datetime(2026, 11, 26, 3, tzinfo=UTC)
    moments = [now - timedelta(hours=6 * number) for number in range(4 * 500)]
    kept = files.to_keep(moments)
    assert now in kept
    days = sorted({moment.date() for moment in kept}, reverse=True)
    assert days[:7] == [(now - timedelta(days=number)).date() for number in range(7)]
    assert set(moments[: files.LATEST]) <= kept, "two updates within a day keep the backup before the first"
    assert len(kept) <= files.DAYS + files.WEEKS + files.MONTHS + files.LATEST - 1
    assert {(moment.year, moment.month) for moment in kept} == {
        (2025, 12),
        *((2026, month) for month in range(1, 12)),
    }
    assert files.to_keep(kept) == kept, "who is kept today is kept until something newer takes the place"
    old = [now - timedelta(days=900)]
    assert files.to_keep(old) == {*old}, "the last one is never removed"


def test_old_backups_are_removed_with_their_facts(tmp_path: Path) -> None:
    now = datetime(2026, 11, 26, 3, tzinfo=UTC)
    for number in range(40):
        name = files.name_at(now - timedelta(days=number), "postgresql", is_encrypted=False)
        (tmp_path / name).touch()
        (tmp_path / f"{name}.json").touch()
    (tmp_path / "notes.txt").touch()
    # Of backups whose makers were killed, or which somebody makes just now.
    killed, running = (
        tmp_path / f"{files.name_at(at, 'postgresql', is_encrypted=False)}.part"
        for at in (now - timedelta(days=400), datetime.now(UTC))
    )
    for part in (killed, running):
        part.touch()
    removed = files.remove_old(tmp_path)
    kept = files.backups_in(tmp_path)
    assert len(removed) + len(kept) == 40
    assert len(list(tmp_path.iterdir())) == 2 * len(kept) + 2
    assert running.exists()
