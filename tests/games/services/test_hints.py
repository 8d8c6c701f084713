"""Hints: only in games without other people, only for the player to move. They make the game unrated."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Hint
from games.novaluna.bots import face as bots
from games.novaluna.bots.face import TooLarge
from games.novaluna.engine import Place, Resign, action_from_json
from games.queries.people.profiles import profile
from games.queries.standings import leaderboard, leaderboard_of
from games.services import hints
from games.services.bots import take_turn
from games.services.errors import Conflict, NotSeated
from games.services.play import play
from games.tasks import compute_hint
from tests.play import fresh, game_of, person, play_one, play_out, position_of, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_expert")]


def against_a_bot(ines: User) -> Game:
    """Return a game against a bot in which it is the turn of Ines."""
    game = game_of(ines, bots=("easy",))
    while game.to_move != 0:
        take_turn(game.pk, game.version + 1)
        game = fresh(game)
    return game


@pytest.fixture(params=[solo_of, against_a_bot])
def game(request: pytest.FixtureRequest, ines: User) -> Game:
    make_game: Callable[[User], Game] = request.param
    return make_game(ines)


def get_hint(game: Game, user: User) -> Hint:
    """Ask for a hint, compute it, and return it."""
    hint = hints.ask(game.key, user, fresh(game).version + 1)
    hints.compute(hint.pk)
    hint.refresh_from_db()
    return hint


def test_a_hint_has_a_legal_action_and_its_value(game: Game, ines: User) -> None:
    hint = get_hint(game, ines)
    action = action_from_json(hint.payload)
    assert isinstance(action, Place)
    assert position_of(game).is_legal(action)
    assert 50 < hint.value < 250 if game.is_solo else 0 <= hint.value <= 1


def test_the_first_hint_makes_the_game_unrated(game: Game, ines: User) -> None:
    assert game.is_without_hints
    hints.ask(game.key, ines, game.version + 1)
    assert not fresh(game).is_without_hints


@pytest.mark.databases
def test_a_second_request_in_the_same_turn_returns_the_same_hint(game: Game, ines: User) -> None:
    hint = get_hint(game, ines)
    assert get_hint(game, ines) == hint
    assert Hint.objects.get().payload == hint.payload
    if game.is_solo:
        play_one(game)
        assert get_hint(game, ines).number == hint.number + 1


def test_an_outdated_page_gets_no_hint(game: Game, ines: User) -> None:
    play_one(game)
    for number in (game.version + 1, game.version + 3):
        with pytest.raises(Conflict, match="moved on"):
            hints.ask(game.key, ines, number)
    assert fresh(game).is_without_hints
    assert not Hint.objects.exists()


def test_no_hint_in_a_bots_turn(ines: User) -> None:
    game = against_a_bot(ines)
    while fresh(game).to_move == 0:
        play_one(game)
    with pytest.raises(Conflict, match="not your turn"):
        hints.ask(game.key, ines, fresh(game).version + 1)
    assert fresh(game).is_without_hints


@pytest.mark.parametrize("others_bots", [(), ("easy",)])
def test_no_hint_in_a_game_with_other_people(ines: User, others_bots: tuple[str, ...]) -> None:
    game = game_of(ines, person("Tobias"), bots=others_bots)
    with pytest.raises(Conflict, match="other people"):
        hints.ask(game.key, ines, 1)
    assert fresh(game).is_without_hints


def test_no_hint_in_a_game_with_a_person_who_has_deleted_their_account(ines: User) -> None:
    tobias = person("Tobias")
    game = game_of(ines, tobias)
    tobias.delete()
    with pytest.raises(Conflict, match="other people"):
        hints.ask(game.key, ines, 1)


def test_no_hint_after_the_end(ines: User) -> None:
    game = play_out(solo_of(ines))
    with pytest.raises(Conflict, match="over"):
        hints.ask(game.key, ines, game.version + 1)
    assert fresh(game).is_without_hints


def test_no_hint_for_a_spectator(game: Game) -> None:
    with pytest.raises(NotSeated, match="no seat"):
        hints.ask(game.key, person("Mina"), game.version + 1)
    assert fresh(game).is_without_hints


@pytest.mark.databases
def test_a_hint_is_not_computed_after_its_turn(ines: User) -> None:
    game = solo_of(ines)
    hint = hints.ask(game.key, ines, 1)
    play_one(game)
    hints.compute(hint.pk)
    hint.refresh_from_db()
    assert hint.payload is None
    hints.compute(10**9)


def raising(error: Exception) -> Callable[..., object]:
    def fail(*_: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize("error", [TooLarge(), RuntimeError("the search broke")])
def test_a_hint_without_a_search_has_no_value(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(bots, "estimates", raising(error))
    hint = get_hint(game, ines)
    assert position_of(game).is_legal(action_from_json(hint.payload))
    assert hint.value is None


def test_a_person_waits_for_one_hint_at_a_time(ines: User) -> None:
    first, second, of_another = solo_of(ines), solo_of(ines), solo_of(mina := person("Mina"))
    hint = hints.ask(first.key, ines, 1)
    with pytest.raises(Conflict, match="in another game"):
        hints.ask(second.key, ines, 1)
    assert fresh(second).is_without_hints, "nothing was stored"
    assert hints.ask(first.key, ines, 1) == hint, "the same turn"
    hints.ask(of_another.key, mina, 1)
    hints.compute(hint.pk, without_search=True)
    hints.ask(second.key, ines, 1)
    assert Hint.objects.count() == 3


@pytest.mark.databases
def test_the_sweep_finds_overdue_hints(game: Game, ines: User) -> None:
    hint = hints.ask(game.key, ines, game.version + 1)
    assert hints.overdue_ids() == []
    Hint.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    assert hints.overdue_ids() == [hint.pk]
    Hint.objects.update(asked_at=timezone.now() - timedelta(seconds=compute_hint.time_limit))
    assert hints.overdue_ids() == [], "a worker may still be computing it"
    Hint.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    assert hints.overdue_ids() == [hint.pk]
    Hint.objects.update(asked_at=timezone.now() + timedelta(days=1))
    assert hints.overdue_ids() == [hint.pk], "the clock was set back"
    hints.compute(hint.pk)
    assert hints.overdue_ids() == []
    Hint.objects.update(payload=None)
    play(game.key, ines, Resign(0), game.version + 1, uuid.uuid4())
    assert hints.overdue_ids() == []


def test_statistics_do_not_count_a_solo_game_with_a_hint(ines: User) -> None:
    game = solo_of(ines)
    hints.ask(game.key, ines, 1)
    play_out(game, seed=2)
    assert fresh(game).score is not None
    assert leaderboard(ines, leaderboard_of()).leaders == []
    assert profile(ines, ines).solo is None
    rated = play_out(solo_of(ines), seed=3)
    assert [leader.score for leader in leaderboard(ines, leaderboard_of()).leaders] == [rated.score]
    assert profile(ines, ines).solo.played == 1


def test_statistics_do_not_count_a_game_with_a_hint(ines: User) -> None:
    for asks in (True, False):
        game = against_a_bot(ines)
        if asks:
            hints.ask(game.key, ines, game.version + 1)
        play_one(game)
        play(game.key, ines, Resign(0), fresh(game).version + 1, uuid.uuid4())
    assert [tally.played for tally in profile(ines, ines).tallies] == [1]
