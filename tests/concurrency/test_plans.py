"""A plan makes one action, even if its player plays or changes it while the turn begins."""

import uuid
from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Action, Game, Plan
from games.novaluna.engine import Place
from games.services import plans
from games.services.errors import Refused
from games.services.play import play
from games.services.projections.games import rebuild
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import fresh, mover, position_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


@pytest.fixture
def planner(game: Game) -> User:
    return User.objects.exclude(pk=mover(game).pk).get()


def is_done(call: Callable[[], object]) -> int:
    """Return 1 if the service accepts the request, and 0 if it refuses it."""
    try:
        call()
    except Refused:
        return 0
    return 1


def playing(game: Game, user: User, tile: str, number: int) -> Callable[[], int]:
    action = Place(-1, tile, 0, 0)
    return lambda: is_done(lambda: play(game.key, user, action, number, uuid.uuid4()))


def planning(game: Game, user: User, tile: str) -> Callable[[], int]:
    wishes = [Place(-1, tile, 0, 0)]
    return lambda: is_done(lambda: plans.change(game.key, user, wishes, 1, False))


def test_a_plan_and_its_player_make_one_action_together(game: Game, planner: User) -> None:
    tiles = [tile.code for tile in position_of(game).wheel.spaces if tile]
    assert planning(game, planner, tiles[1])()

    first, *others = run_simultaneously(
        [playing(game, mover(game), tiles[0], 1), *[playing(game, planner, tiles[2], 2) for _ in range(7)]]
    )

    assert first, "the action that begins the turn is never refused"
    assert others == [0] * 7
    assert [action.payload["tile"] for action in Action.objects.order_by("number")] == tiles[:2]
    assert not Plan.objects.exists()


def test_a_plan_that_is_stored_while_its_turn_begins_is_played_or_refused(game: Game, planner: User) -> None:
    tiles = [tile.code for tile in position_of(game).wheel.spaces if tile]

    first, *others = run_simultaneously(
        [playing(game, mover(game), tiles[0], 1), *[planning(game, planner, tiles[1]) for _ in range(7)]]
    )

    assert first
    made = list(Action.objects.order_by("number").values_list("payload__tile", flat=True))
    assert made == (tiles[:2] if any(others) else tiles[:1])
    assert not Plan.objects.exists()
    assert rebuild(fresh(game), check_only=True) == []
