"""When it is probably a player's turn, from the latest answers of the others."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Action, Game
from games.queries.clocks import estimated_turn
from tests.play import fresh, game_of, person

pytestmark = pytest.mark.django_db

ANSWERS = 40
HOUR = timedelta(hours=1)


@pytest.fixture
def tobias() -> User:
    return person("Tobias")


@pytest.fixture
def past(ines: User, tobias: User) -> Game:
    """A game in which Tobias has answered each action of Ines after ten minutes."""
    game = game_of(ines, tobias)
    start = timezone.now() - 2 * ANSWERS * HOUR
    Action.objects.bulk_create(
        Action(
            game=game,
            number=number,
            seat=number % 2,
            payload={"do": "refill"},
            made_by=(tobias, ines)[number % 2],
            request_id=uuid.uuid4(),
        )
        for number in range(1, 2 * ANSWERS + 1)
    )
    rows = list(game.actions.order_by("number"))
    for row in rows:
        row.at = start + row.number * HOUR - (HOUR * 5 / 6 if row.number % 2 == 0 else timedelta())
    Action.objects.bulk_update(rows, ["at"])
    return game


@pytest.fixture
def waiting(past: Game, ines: User, tobias: User) -> Game:
    """A game in which Ines waits for Tobias, on seat 1."""
    return game_of(ines, tobias)


@pytest.mark.databases
def test_a_turn_is_estimated_from_answers_that_were_not_live(waiting: Game, past: Game) -> None:
    found = estimated_turn(waiting, [1])
    assert found is not None
    assert found.middle - timezone.now() < HOUR / 2
    Game.objects.filter(pk=past.pk).update(pace="live")
    assert estimated_turn(fresh(waiting), [1]) is None
