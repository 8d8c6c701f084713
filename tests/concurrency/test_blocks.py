"""Two people of whom one blocks the other do not meet, even if one gets a seat at the same moment."""

import pytest

from games.models import Block, Game
from games.services import tables
from games.services.errors import Refused
from games.services.private import blocks
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_a_block_and_a_join_at_the_same_time_leave_nobody_together() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))

    def block() -> int:
        blocks.block(ines, tobias)
        return 1

    def join() -> int:
        try:
            tables.join(table.key, tobias)
        except Refused:
            return 0
        return 1

    for _try in range(8):
        run_simultaneously([block, join])
        assert not Game.objects.with_seat_of(ines).with_seat_of(tobias).exists()
        Block.objects.all().delete()
