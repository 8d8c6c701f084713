"""Four people choose at the same moment: each choice counts, and each once."""

import uuid
from collections.abc import Callable, Iterator

import pytest

from accounts.models import User
from games.models import Action, Game
from games.services.errors import Refused
from games.services.projections.games import rebuild
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import fresh, person
from tests.titles.play import choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pairs", "dealt")]

CARDS = (3, 1, 3, 1)
LATER_CARDS = (6, 2, 5, 2)


@pytest.fixture
def dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]


def choosing(game: Game, user: User, card: int, number: int, request_id: uuid.UUID) -> Callable[[], int]:
    """Return a call that returns the number of the stored action, or 0 if it is refused."""

    def call() -> int:
        try:
            return choose(game, user, card, number, request_id).number
        except Refused:
            return 0

    return call


def test_four_simultaneous_choices_are_four_actions_and_nobody_is_told_to_look_again(
    users: list[User],
) -> None:
    game = pairs_game(*users)
    for start, cards in ((0, CARDS), (4, LATER_CARDS)):
        calls = [
            choosing(game, user, card, start + 1, uuid.uuid4())
            for user, card in zip(users, cards, strict=True)
        ]
        assert sorted(run_simultaneously(calls)) == [start + 1, start + 2, start + 3, start + 4]
    assert fresh(game).version == 8
    assert rebuild(fresh(game), check_only=True) == []


def test_choices_that_are_sent_twice_at_the_same_moment_count_once(users: list[User]) -> None:
    game, calls = pairs_game(*users), []
    for seat, user in enumerate(users):
        request_id = uuid.uuid4()
        calls += [choosing(game, user, CARDS[seat], 1, request_id)] * 2
        # From a second tab.
        calls.append(choosing(game, user, LATER_CARDS[seat], 1, uuid.uuid4()))

    run_simultaneously(calls)

    assert fresh(game).version == 4
    assert sorted(Action.objects.filter(game=game).values_list("seat", flat=True)) == [0, 1, 2, 3]
    assert rebuild(fresh(game), check_only=True) == []
