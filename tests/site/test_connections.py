"""Connections to the database, of which PostgreSQL has a limited number."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.waiting import wait_until

REQUESTS = 120
# Those that draw boards and answer streams keep their connections.
OTHER_THREADS = 10


def _connections() -> int:
    """Return how many connections the test database has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_the_connection_of_a_request_ends_with_its_thread(server: str) -> None:
    before = _connections()

    def visit(_number: int) -> None:
        with urllib.request.urlopen(f"{server}/watch/") as response:
            assert response.status == 200

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(visit, range(REQUESTS)))
    wait_until(lambda: _connections() < before + OTHER_THREADS, "the end of the requests' connections")
