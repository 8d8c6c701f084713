"""A deleted account leaves no seat for which others wait, even if it takes one at the same moment."""

import pytest
from django.db import IntegrityError, OperationalError
from django.utils import timezone

from accounts import deletion
from accounts.models import User
from games.models import Game
from games.services import tables
from games.services.errors import Refused
from games.services.pruning.people import remove_account
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import game_of, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_an_account_is_removed_once_although_it_joins_a_game_at_the_same_time() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    running = game_of(ines, tobias)
    table = tables.open_table(tobias, tables.TableOptions(2, is_public=True, pace="slow"))
    deletion.delete(ines)

    def remove() -> int:
        try:
            remove_account(ines.pk)
        except (IntegrityError, OperationalError):
            return 0  # The sweep queues the task again.
        return 1

    def join() -> int:
        try:
            tables.join(table.key, ines)
        except (IntegrityError, OperationalError, Refused):
            return 0  # The request has come too late.
        return 1

    run_simultaneously([remove, join, remove])
    User.objects.filter(pk=ines.pk).update(removal_due_at=timezone.now())
    remove_account(ines.pk)

    assert not User.objects.filter(pk=ines.pk).exists()
    assert Game.objects.get(pk=running.pk).winner == 1
    joined = Game.objects.get(pk=table.pk)
    assert joined.is_over or joined.seats.free().count() == 1
    assert list(running.actions.values_list("number", flat=True)) == [1]
