"""Games of one player that end at the same time all count."""

import random
import uuid
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import Standing
from games.services.play import play
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person, play_all, position_of, random_actions, solo_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def last_action_of(user: User, seed: int) -> Callable[[], int]:
    """Play a solo game up to its last action, and return the call that plays this one."""
    game = solo_of(user)
    *earlier, last = random_actions(position_of(game), random.Random(seed))
    play_all(game, earlier)
    return lambda: play(game.key, user, last, len(earlier) + 1, uuid.uuid4()).number


def test_games_of_two_players_that_end_at_the_same_time_all_count() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    run_simultaneously([last_action_of(user, seed) for seed in (1, 2, 3) for user in (ines, tobias)])
    assert set(Standing.objects.values_list("played", flat=True)) == {3}
    assert Standing.objects.count() == 2 * len(Standing.Period)
    call_command("rebuild_standings", "--check", stdout=StringIO())
