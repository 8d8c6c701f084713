"""A person takes back an action while the bots' turns are under way."""

import uuid
from collections.abc import Callable

import pytest

from accounts.models import User
from games.log.replay import secret_log
from games.models import Action, Game
from games.services import bots
from games.services.errors import Refused
from games.services.projections.games import rebuild
from games.services.take_backs import take_back
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import fresh, game_of, play_one

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


@pytest.fixture
def game(ines: User) -> Game:
    """A game of Ines against a bot, whose turn it is after an action of hers."""
    game = game_of(ines, bots=("easy",))
    seat = game.seats.get(user=ines).number
    while fresh(game).to_move != seat:
        bots.take_turn(game.pk, fresh(game).version + 1)
    while fresh(game).to_move == seat:
        play_one(game)
    return fresh(game)


def taking_back(game: Game, user: User, number: int, request_id: uuid.UUID) -> Callable[[], int]:
    """Return a call that returns the number of the stored take-back, or 0 if it is refused."""

    def call() -> int:
        try:
            return take_back(game.key, user, number, request_id).number
        except Refused:
            return 0

    return call


def turn_of_bot(game: Game, number: int) -> Callable[[], int]:
    def call() -> int:
        bots.take_turn(game.pk, number)
        return 0

    return call


@pytest.mark.parametrize("attempt", range(4))
def test_an_action_and_the_answer_to_it_are_taken_back_whichever_is_first(
    game: Game, ines: User, attempt: int
) -> None:
    own, before = game.version, secret_log(game).at(game.version - 1)

    [back, _bot] = run_simultaneously(
        [taking_back(game, ines, own, uuid.uuid4()), turn_of_bot(game, own + 1)]
    )

    game = fresh(game)
    assert back == game.version in (own + 1, own + 2)
    assert secret_log(game).position == before
    assert game.seats.awaited().get().user == ines
    assert rebuild(game, check_only=True) == []
    play_one(game)
    while (turn := fresh(game)).seats.awaited().get().bot:
        bots.take_turn(game.pk, turn.version + 1)
    assert rebuild(fresh(game), check_only=True) == []


def test_a_bot_that_chose_before_does_not_act_after(game: Game, ines: User) -> None:
    own = game.version
    chosen = secret_log(game).position.legal(game.to_move)
    payload = {"do": "place", **next(iter(chosen))._asdict()}
    take_back(game.key, ines, own, uuid.uuid4())
    bots.play_chosen(game.pk, own + 1, payload)
    assert fresh(game).version == own + 1
    play_one(game)
    version = fresh(game).version
    bots.play_chosen(game.pk, own + 1, payload)
    assert fresh(game).version == version


def test_twenty_presses_take_back_one_action(game: Game, ines: User) -> None:
    own, request_id = game.version, uuid.uuid4()
    calls = [taking_back(game, ines, own, request_id) for _ in range(10)]
    others = [taking_back(game, ines, own, uuid.uuid4()) for _ in range(10)]
    numbers = run_simultaneously([*calls, *others])
    assert set(numbers) <= {0, own + 1}
    assert Action.objects.filter(game=game, payload__do="take_back").count() == 1
