"""Database locks, for tests that need a session to wait for one."""

from django.db import connection

from games.models import Action


def is_lock_awaited() -> bool:
    """Return whether a session waits for another session's lock; always True on SQLite, which cannot say."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        # Without this, PostgreSQL returns the same statistics until the transaction ends.
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        return cursor.fetchone() is not None


def lock_actions() -> None:
    """Let no other session store an action until the transaction ends; on SQLite, none can anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"lock table {Action._meta.db_table} in exclusive mode")
