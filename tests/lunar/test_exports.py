"""The export of a player has no card of a running game that this player may not know."""

from random import Random

import pytest

from games.models import Game
from games.queries.people.own_archive import own_archive
from tests.games.services.test_exports import unpacked
from tests.lunar.games import user_of
from tests.lunar.test_secrets_on_pages import MOMENTS, different, game_at, redeal
from tests.play import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt", "stopped_clock")]


def export_of(game: Game, seat: int) -> dict[str, object]:
    return {**unpacked(own_archive(user_of(fresh(game), seat)))}


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_export_does_not_depend_on_hidden_cards(moment: str) -> None:
    game = game_at(MOMENTS[moment])
    seat = 0
    before = export_of(game, seat)
    redeal(game, seat, Random(1))
    assert different(before, export_of(game, seat)) == []


def test_an_export_has_the_cards_that_its_person_has_passed_and_plans() -> None:
    """So the comparison reaches what depends on cards."""
    game = game_at(MOMENTS["trick"])
    before = export_of(game, 0)
    redeal(game, 1, Random(1))
    assert different(before, export_of(game, 0)) == ["games.json", "notes.json"]
