"""Bots in games left to them go on within 15 s after a flush of Redis or a break of the database."""

import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import connection, transaction

from games.models import Action, Game
from games.novaluna.engine import Resign
from games.services.play import play
from tests.play import fresh, game_of, person
from tests.plugins import processes
from tests.plugins.redis import Redis
from tests.units import UNITS, command_of, queues_of
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 6
BREAK = 6.0  # seconds
GO_ON_WITHIN = 15.0  # seconds


@pytest.fixture
def _units(own_redis: Redis, tmp_path: Path, django_db_setup: None) -> Iterator[None]:
    """The units that play bots' turns and find lost ones, with the Redis of this test."""
    with ExitStack() as stack:
        for unit in UNITS:
            if {"quick", "bots", "sweep"} & set(queues_of(unit)) or unit.stem == "novaluna-beat":
                command = command_of(unit, tmp_path, {"INFO": "ERROR"})
                environ = {"REDIS_URL": own_redis.url(0), "LOG_LEVEL": "CRITICAL"}
                stack.enter_context(processes.running(command, **environ))
        yield


def games_of_bots(name: str) -> list[Game]:
    """Make games of as many people, who have left them to bots of both queues."""
    games = []
    for number in range(GAMES):
        user = person(f"{name}{number}")
        with transaction.atomic():
            game = game_of(user, bots=(("easy", "hard")[number % 2],) * 3)
            play(game.key, user, Resign(0), 1, uuid.uuid4())
        games.append(game)
    return games


def stand_still_since(games: list[Game], versions: dict[int, int]) -> list[Game]:
    """Return the games that have the same version as then and are not over."""
    return [game for game in map(fresh, games) if game.version == versions[game.pk] and not game.is_over]


def check_that_all_go_on(games: list[Game], versions: dict[int, int]) -> None:
    wait_until(
        lambda: not stand_still_since(games, versions), "an action in each game", GO_ON_WITHIN, pause=0.2
    )


@pytest.mark.usefixtures("_units")
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no server that could be away")
def test_all_games_go_on_after_a_flush_and_after_six_seconds_without_the_database(own_redis: Redis) -> None:
    first = games_of_bots("First")
    wait_until(lambda: Action.objects.filter(game=first[1]).count() > 3, "the units", processes.LONGEST_START)

    games = games_of_bots("Flush")
    client = redis.Redis.from_url(own_redis.url(0))
    for _moment in range(20):  # So that the turns of all games are lost, whatever the workers do.
        client.flushall()
        time.sleep(0.05)
    check_that_all_go_on(games, {game.pk: fresh(game).version for game in games})

    games = games_of_bots("Break")
    name = connection.settings_dict["NAME"]
    connection.close()
    server = {**connection.get_connection_params(), "dbname": "postgres"}
    server = {key: server[key] for key in ("host", "port", "user", "dbname")}
    with psycopg.connect(**server, autocommit=True) as admin:
        admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        time.sleep(BREAK)
        admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    check_that_all_go_on(games, {game.pk: fresh(game).version for game in games})
