"""Rated games of the same players that end at the same time all count, one after the other."""

import uuid
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import PlayerRating, RatingChange
from games.novaluna.engine import Resign
from games.services import tables
from games.services.play import play
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def last_action_of(loser: User, *users: User) -> Callable[[], int]:
    """Start a rated game of these users, and return the call that ends it."""
    opener, *others = users
    table = tables.open_table(
        opener, tables.TableOptions(len(users), is_public=True, pace="day", changes_ratings=True)
    )
    for user in others:
        tables.join(table.key, user)
    return lambda: play(table.key, loser, Resign(0), 1, uuid.uuid4()).number


def test_rated_games_that_end_at_the_same_time_all_count() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    pairs = [(ines, tobias), (tobias, ines), (tobias, mina), (mina, ines), (ines, mina), (mina, tobias)]
    run_simultaneously([last_action_of(pair[0], *pair) for pair in pairs])
    assert set(PlayerRating.objects.values_list("games", flat=True)) == {4}
    assert RatingChange.objects.count() == 12
    call_command("rebuild_ratings", "--check", stdout=StringIO())
