"""What clocks showed at earlier actions, while several players pass cards at the same time."""

import uuid

import pytest

from games.services import tables
from games.services.play import play
from tests.frozen import FrozenClock
from tests.games.views.test_past_clocks import clocks_after, stored_clocks
from tests.lunar.games import NAMES, position_of, user_of
from tests.play import fresh, person

pytestmark = pytest.mark.django_db


def test_clocks_of_all_who_pass_run_until_each_has_passed(clock: FrozenClock) -> None:
    ines, *others = (person(name) for name in NAMES)
    options = tables.TableOptions(4, is_public=True, pace="live", title="lunar")
    game = tables.open_table(ines, options)
    for user in others:
        game = tables.join(game.key, user)
    shown, awaited = {}, set()
    for number in range(12):
        position, version = position_of(game), fresh(game).version
        awaited.add(len(position.awaited))
        clock.move_on(seconds=7 + 3 * number)
        seat = max(position.awaited)
        play(game.key, user_of(game, seat), next(iter(position.legal(seat))), version + 1, uuid.uuid4())
        shown[fresh(game).version] = stored_clocks(fresh(game), clock)
    assert {1, 4} <= awaited, "all pass at the same time, and then one after the other plays"
    past = clocks_after(game)
    assert {version: past[version] for version in shown} == shown
