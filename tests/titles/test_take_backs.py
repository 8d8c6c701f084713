"""Take-backs in Pairs, where bots choose at the same time and a round is revealed with its last choice."""

import uuid
from collections.abc import Iterator

import pytest

from accounts.models import User
from games.log.replay import secret_log
from games.models import Game
from games.services import bots
from games.services.errors import Conflict
from games.services.projections.games import rebuild
from games.services.take_backs import take_back
from tests.clients import client_of
from tests.play import fresh, person
from tests.titles.pairs.rules import PairsPosition
from tests.titles.play import choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "dealt")]


@pytest.fixture
def dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def ines() -> User:
    return person("Ines")


@pytest.fixture
def game(ines: User) -> Game:
    return pairs_game(ines, bots=("easy",) * 3)


def choices_of(game: Game) -> list[int | None]:
    position = secret_log(fresh(game)).position
    assert isinstance(position, PairsPosition)
    return list(position.chosen)


def test_a_choice_is_taken_back_with_those_of_bots_after_it(game: Game, ines: User) -> None:
    bots.take_turn(game.pk, 1)
    before = choices_of(game)
    own = choose(game, ines, 3).number
    bots.take_turn(game.pk, fresh(game).version + 1)
    assert choices_of(game).count(None) == 1

    take_back(game.key, ines, own, uuid.uuid4())

    assert choices_of(game) == before
    assert before.count(None) == 3
    assert rebuild(fresh(game), check_only=True) == []
    choose(game, ines, 6)
    assert choices_of(game)[game.seats.get(user=ines).number] == 6
    # All bots choose again, and the round is revealed.
    while any(card is not None for card in choices_of(game)):
        bots.take_turn(game.pk, fresh(game).version + 1)
    assert rebuild(fresh(game), check_only=True) == []


def test_a_revealed_choice_stays(game: Game, ines: User) -> None:
    own = choose(game, ines, 3).number
    while any(card is not None for card in choices_of(game)):
        bots.take_turn(game.pk, fresh(game).version + 1)
    with pytest.raises(Conflict):
        take_back(game.key, ines, own, uuid.uuid4())


def test_the_plain_page_says_what_was_taken_back(game: Game, ines: User) -> None:
    own, client = choose(game, ines, 3).number, client_of(ines)
    assert 'id="take-back"' in client.get(game.get_absolute_url()).content.decode()
    fields = {"number": own, "request_id": uuid.uuid4()}
    for path in ("play/back/", "text/back/"):
        page = client.post(f"{game.get_absolute_url()}{path}", fields, follow=True).content.decode()
        assert f"You took back action {own}: “You " in page
        assert 'id="take-back"' not in page
    assert fresh(game).version == own + 1
