"""Making, restoring and trying a backup, on either database."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.models import SitePart
from novaluna_site import data_folder
from novaluna_site.backups import postgresql, space, sqlite
from novaluna_site.backups.files import (
    BackupError,
    Facts,
    backups_in,
    digest_of,
    name_at,
    remove_old,
    sync,
)

APPS = ("accounts", "games")
# A part of the site that was seen within this time runs.
RUNS = timedelta(seconds=15)


def make() -> tuple[Path, list[Path]]:
    """Make a backup; return it, and those that were removed because they are too old. Raises BackupError."""
    folder = settings.BACKUPS_DIR
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = timezone.now()
    is_encrypted = bool(settings.BACKUP_ENCRYPT)
    backup = folder / name_at(now, connection.vendor, is_encrypted=is_encrypted)
    part = backup.with_name(f"{backup.name}.part")
    # It is compressed, so it has about the size of the one before, or a small part of the database's.
    before = backups_in(folder)
    space.need(before[-1].stat().st_size if before else space.size_of_database() // 4, folder)
    mask = os.umask(0o077)
    try:
        rows = postgresql.dump(part) if _is_postgresql() else sqlite.dump(part)
        sync(part)
        facts = Facts(
            made_at=now.isoformat(timespec="seconds"),
            vendor=connection.vendor,
            tool=_tool(),
            migrations={app: _latest(app, _applied()) for app in APPS},
            rows=rows,
            key=_key_digest(),
            is_encrypted=is_encrypted,
            sha256=digest_of(part),
        )
        facts.write(backup)
        part.replace(backup)
    finally:
        os.umask(mask)
        part.unlink(missing_ok=True)
    return backup, remove_old(folder)


def find(name: str = "") -> Path:
    """Return a backup by its name or path, or the latest one. Raises BackupError."""
    if not name:
        if backups := backups_in(settings.BACKUPS_DIR):
            return backups[-1]
        raise BackupError(f"There is no backup in {settings.BACKUPS_DIR}.")
    for file in (settings.BACKUPS_DIR / name, Path(name)):
        if file.is_file():
            return file
    raise BackupError(f"There is no backup {name}, neither in {settings.BACKUPS_DIR} nor at that path.")


def try_out(backup: Path) -> Iterator[str]:
    """Restore a backup into a database that is removed again, and check it; yield what was done.

    Raises BackupError.
    """
    facts = _checked_facts(backup)
    space.need(space.size_of_database(), space.disk_of_database())
    with _loaded(backup, facts, "drill") as environ:
        _manage(environ, "migrate", "--noinput", "--verbosity=0")
        yield f"Restored {backup.name} with all {sum(facts.rows.values())} rows of {len(facts.rows)} tables."
        yield _manage(environ, "verify_games")


def restore(backup: Path) -> Iterator[str]:
    """Replace the site's database with a backup; yield what was done. Raises BackupError.

    The database before stays under another name, and takes its place only when everything has succeeded.
    """
    facts = _checked_facts(backup)
    if facts.key != _key_digest():
        yield (
            "The secret key is not the one of this backup, so everybody is logged out and links in emails do "
            "not work. Restore the environment file too, if you have it."
        )
    _refuse_while_running()
    old = f"before_{timezone.now():%Y%m%d_%H%M%S}"
    with _loaded(backup, facts, "restored") as environ:
        _manage(environ, "migrate", "--noinput", "--verbosity=0")
        yield _manage(environ, "verify_games")
        if _is_postgresql():
            name = str(connection.settings_dict["NAME"])
            postgresql.take_over(f"{name}_restored", f"{name}_{old}")
            yield f"The previous database is now {name}_{old}. Drop it when you no longer need it."
        else:
            before = sqlite.own_file().with_name(f"{sqlite.own_file().name}.{old}")
            sqlite.take_over(Path(environ["NOVALUNA_DATA"]), before)
            yield f"The previous database is now {before}. Remove it when you no longer need it."
    if settings.REDIS_URL:
        # Tasks, counters and versions of the lost time name rows that do not exist any more.
        with redis.Redis.from_url(settings.REDIS_URL) as server:
            server.flushdb()
        yield "Redis is empty."
    yield f"Restored {backup.name}. What happened after {facts.made_at} is lost. Start the site again."


@contextmanager
def _loaded(backup: Path, facts: Facts, purpose: str) -> Iterator[Mapping[str, str]]:
    """Yield the environment of a database with the rows of a backup, which is removed at the end."""
    base = {"SECRET_KEY": settings.SECRET_KEY}
    if _is_postgresql():
        name = f"{connection.settings_dict['NAME']}_{purpose}"
        try:
            postgresql.load(backup, facts, name)
            _compare(facts.rows, postgresql.count(name))
            yield {**base, "DATABASE_URL": postgresql.url_of(name)}
        finally:
            postgresql.drop(name)
        return
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        sqlite.load(backup, facts, Path(folder))
        _compare(facts.rows, sqlite.count(Path(folder) / data_folder.DATABASE))
        yield {**base, "DATABASE_URL": "", "NOVALUNA_DATA": folder}


def _checked_facts(backup: Path) -> Facts:
    """Return the facts about a backup that this site can restore. Raises BackupError."""
    facts = Facts.read(backup)
    if facts.sha256 != digest_of(backup):
        raise BackupError(f"{backup} is damaged: it is not what was written. Use an older one.")
    if facts.vendor != connection.vendor:
        raise BackupError(f"This is a backup of {facts.vendor}, but the site runs on {connection.vendor}.")
    if facts.is_encrypted and not settings.BACKUP_DECRYPT:
        raise BackupError(
            "The backup is encrypted. Set NOVALUNA_BACKUP_DECRYPT to the command that reads it."
        )
    known = {name for app, name in MigrationLoader(None).disk_migrations if app in APPS}
    for app, name in facts.migrations.items():
        if name not in known:
            raise BackupError(
                f"The backup is of a newer version of the site: it has the migration {app}.{name}. "
                "Install that version first."
            )
    return facts


def _refuse_while_running() -> None:
    """Raise BackupError if the site runs: it would write into both databases."""
    try:
        if SitePart.objects.filter(seen_at__gt=timezone.now() - RUNS).exists():
            how = "systemctl stop 'novaluna-*.service'" if _is_postgresql() else "Ctrl-C in make play"
            raise BackupError(
                f"The site runs, or ran in the last {RUNS.seconds} seconds. Stop it first ({how}), and wait."
            )
    except DatabaseError:
        return  # The database is empty or damaged.
    finally:
        connection.close()


def _compare(wanted: Mapping[str, int], found: Mapping[str, int]) -> None:
    wrong = [
        f"{table} has {found.get(table, 'no')} rows, not {rows}"
        for table, rows in wanted.items()
        if found.get(table) != rows
    ]
    if wrong:
        raise BackupError(f"The backup is not complete: {', '.join(wrong)}.")


def _manage(environ: Mapping[str, str], *command: str) -> str:
    """Run a command of manage.py on another database; return what it prints. Raises BackupError."""
    done = subprocess.run(  # noqa: S603 - the command is one of ours
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *command],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{command[0]} has found something:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout.strip()


def _is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def _tool() -> str:
    if not _is_postgresql():
        return "SQLite"
    command = ["pg_dump", "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


def _applied() -> set[tuple[str, str]]:
    return set(MigrationLoader(connection).applied_migrations)


def _latest(app: str, applied: set[tuple[str, str]]) -> str:
    return max((name for one, name in applied if one == app), default="")


def _key_digest() -> str:
    return salted_hmac("novaluna_site.backups", "key", algorithm="sha256").hexdigest()[:16]
