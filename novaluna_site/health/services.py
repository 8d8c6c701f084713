"""Checks of what the site needs while it runs: database, Redis, its own parts, the mail server."""

import smtplib
from collections.abc import Iterator
from datetime import timedelta

import redis
from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from games.models import Game, Verification
from games.notifications import overdue
from novaluna_site.health.finding import Finding

OLDEST_POSTGRESQL = 14  # that Django supports
COLLATIONS_SINCE = 15  # that a database knows the version of its order of texts
MOST_CONNECTIONS = 0.9  # of all that PostgreSQL allows
MOST_MEMORY = 0.9  # of what Redis may use
CLOCK_TOLERANCE = 2.0  # seconds
VERIFIED_EVERY = timedelta(days=3)


def database() -> Iterator[Finding]:
    """Yield why the database cannot be used."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        yield Finding(
            f"The database does not answer: {' '.join(str(error).split()).rstrip('.?')}.",
            "Check that PostgreSQL runs, and that DATABASE_URL has the right host, name and password. A new "
            "password must be set in PostgreSQL, too.",
        )


def missing_migrations() -> Iterator[Finding]:
    """Yield whether the database lacks tables or columns that this program needs."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        first, _backwards = plan[0]
        yield Finding(
            f"The database is older than this program: {len(plan)} migrations are missing, such as {first}.",
            "Run deploy/manage migrate, and restart the units.",
        )


def unknown_migrations() -> Iterator[Finding]:
    """Yield whether the database is of a later version. Migrations only add, so pages still show."""
    loader = MigrationLoader(connection)
    unknown = set(loader.applied_migrations) - set(loader.disk_migrations)
    own = sorted(f"{app}.{name}" for app, name in unknown if app in ("accounts", "games"))
    if own:
        yield Finding(
            f"The database is newer than this program: it has the migration {own[-1]}.",
            "Install the version that made it. Going on with this one can lose what people do.",
        )
    if any(app == "socialaccount" for app, _name in unknown):
        yield Finding(
            "Log-in at another server is off, but its table is left: accounts in it can't be deleted.",
            "Set NOVALUNA_LOGIN_PROVIDER and its other variables again. To switch it off for good, run "
            "deploy/manage migrate socialaccount zero before you remove them.",
        )


def postgresql() -> Iterator[Finding]:
    """Yield what is wrong with the version, the connections and the clock of PostgreSQL."""
    if connection.vendor != "postgresql":
        return
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
            " count(*), current_setting('max_connections')::int, clock_timestamp() FROM pg_stat_activity"
        )
        version, encoding, used, most, now = cursor.fetchone()
    if version < OLDEST_POSTGRESQL:
        yield Finding(
            f"PostgreSQL {version} is too old.", f"Move to version {OLDEST_POSTGRESQL} or a later one."
        )
    if encoding != "UTF8":
        yield Finding(
            f"The database has the encoding {encoding}, so names and words that it cannot store fail.",
            "Make a backup and restore it: the new database has the encoding UTF8.",
        )
    if used > most * MOST_CONNECTIONS:
        yield Finding(
            f"{used} of the {most} connections of PostgreSQL are in use.",
            "Raise max_connections, or let the units have fewer processes and threads.",
        )
    if version >= COLLATIONS_SINCE:
        yield from _order_of_texts()
    off = max((now - timezone.now()).total_seconds(), (before - now).total_seconds())
    if off > CLOCK_TOLERANCE:
        yield Finding(
            f"The clocks of this machine and of the database differ by {off:.0f} seconds.",
            "Switch on time synchronisation on both: timedatectl set-ntp true.",
        )


def _order_of_texts() -> Iterator[Finding]:
    """Yield whether the system has another order of texts than when the database was made."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE datname = current_database()"
            " AND datcollversion <> pg_database_collation_actual_version(oid)"
        )
        for [name] in cursor.fetchall():
            yield Finding(
                "An upgrade of the system has changed the order of texts, so PostgreSQL may miss some rows.",
                f"As postgres, run reindexdb {name} and "
                f"psql -c 'ALTER DATABASE \"{name}\" REFRESH COLLATION VERSION'.",
            )


def redis_server() -> Iterator[Finding]:
    """Yield why Redis cannot be used. Pages work without it; bots, updates and emails are late."""
    if not settings.REDIS_URL:
        return
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as server:
            memory = server.info("memory")
            server.set("doctor", 1, px=1)
    except redis.ResponseError as error:
        yield Finding(
            f"Redis stores nothing: {error}.",
            "Its disk or its memory is full, or it is a replica. What it holds can be lost: empty it with "
            "FLUSHALL, and switch snapshots off with: redis-cli config set save ''.",
        )
        return
    except redis.RedisError as error:
        yield Finding(
            f"Redis does not answer: {error}.",
            "Check that it runs, and REDIS_URL. Until then, bots, live updates and emails are late.",
        )
        return
    most = memory["maxmemory"]
    if most and memory["used_memory"] > most * MOST_MEMORY:
        yield Finding(
            f"Redis has used {memory['used_memory'] * 100 // most} % of the memory that it may use.",
            "Raise maxmemory. What it holds can be lost, so it may also be emptied with FLUSHALL.",
        )


def parts() -> Iterator[Finding]:
    """Yield which units do not work, and what is overdue."""
    for problem in overdue.problems():
        yield Finding(problem, "See the journal of the unit: journalctl -u novaluna-…")


def comparison() -> Iterator[Finding]:
    """Yield whether the latest comparison of games with their logs has found something, or is missing."""
    row = Verification.objects.filter(finished_at__isnull=False).first()
    if row is not None and row.wrong:
        yield Finding(
            f"{row.wrong} of {row.games} games or rows are not as their logs say. First: {row.first_problem}",
            "Read all with deploy/manage verify_games, report them, and correct them with rebuild_games.",
        )
    is_late = row is None or timezone.now() - row.started_at > VERIFIED_EVERY
    if is_late and Game.objects.filter(moved_at__lt=timezone.now() - VERIFIED_EVERY).exists():
        yield Finding(
            "No games were compared with their logs for three days.",
            "Check that novaluna-beat and novaluna-bots run.",
        )


def mail_server() -> Iterator[Finding]:
    """Yield why the mail server does not take the site's emails."""
    connection = get_connection()
    try:
        connection.open()
        connection.close()
    except (OSError, smtplib.SMTPException) as error:
        yield Finding(
            f"The mail server does not accept the site: {type(error).__name__}: {error}.",
            "Check EMAIL_URL: host, port, user and password, in which @ is %40 and / is %2F. Port 465 needs "
            "smtp+ssl://, and port 587 smtp+tls://. Many providers of servers block port 25.",
        )
