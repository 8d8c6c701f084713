"""The log that pages, emails and bots get holds no undrawn tile."""

import pytest

from games.log.replay import public_log
from tests.play import fresh, game_of, person, play_one

pytestmark = pytest.mark.django_db


def test_the_public_log_has_no_undrawn_tiles() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    for _action in range(5):
        play_one(game)
    log = public_log(fresh(game))
    for position in [log.start, *(step.position for step in log.steps)]:
        assert len(position.setup.deck) == 68 - position.draw_pile
