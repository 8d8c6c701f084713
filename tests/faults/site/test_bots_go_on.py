"""Bots in games left to them go on after a flush of Redis or a break of the database.

It takes them 15 s; a busy machine that runs tests gets more.
"""

import time
import uuid

import psycopg
import pytest
import redis
from django.db import connection, transaction

from games.models import Action, Game
from games.novaluna.engine import Resign
from games.services.play import play
from tests.faults.site.running import RunningSite
from tests.play import fresh, game_of, person
from tests.plugins import processes
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 6
BREAK = 6.0  # seconds
GO_ON_WITHIN = 60.0  # seconds


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


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no server that could be away")
def test_all_games_go_on_after_a_flush_and_after_six_seconds_without_the_database(site: RunningSite) -> None:
    first = games_of_bots("First")
    wait_until(lambda: Action.objects.filter(game=first[1]).count() > 3, "the units", processes.LONGEST_START)

    games = games_of_bots("Flush")
    client = redis.Redis.from_url(site.redis.url(0))
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
