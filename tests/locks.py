"""Who waits for whom in the database, for tests that need somebody to."""

from django.db import connection


def somebody_waits_for_a_lock() -> bool:
    """Whether a session waits for another one's lock; on SQLite, where nobody can tell, assume so."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        # Within a transaction PostgreSQL would go on telling what it told at first.
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        return cursor.fetchone() is not None
