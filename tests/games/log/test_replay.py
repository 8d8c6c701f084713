"""The log that pages, emails and bots get holds no undrawn tile, also where a process keeps it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from games.log import replay
from games.log.replay import Log, public_log, secret_log, secret_position
from games.models import Action, Game
from games.novaluna.engine import Refill, Step, TilesRevealed
from tests.play import fresh, game_of, person, play_all, play_one, play_some, position_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def game() -> Game:
    replay._kept.cache_clear()
    return play_some(game_of(person("Ines"), person("Tobias")), 20, random.Random(1))


def replayed(game: Game) -> Log:
    """Return the public log as a process that has kept nothing would."""
    replay._kept.cache_clear()
    return public_log(fresh(game), seat=None)


def test_the_public_log_has_no_undrawn_tiles(game: Game) -> None:
    log = public_log(fresh(game), seat=None)
    for position in [log.start, *(step.position for step in log.steps)]:
        assert len(position.setup.deck) == 68 - position.draw_pile


def test_a_process_keeps_no_undrawn_tile(game: Game) -> None:
    assert len(secret_log(fresh(game)).position.setup.deck) == 68
    assert len(secret_position(fresh(game)).setup.deck) == 68
    kept = replay._kept(game.key).state[1][None].log
    assert len(kept.steps) == 20
    for position in [kept.start, *(step.position for step in kept.steps)]:
        assert len(position.setup.deck) == 68 - position.draw_pile


def test_a_kept_log_goes_on_as_the_whole_replay(game: Game) -> None:
    rng, revealed = random.Random(2), 0
    for _action in range(25):
        play_one(game, rng)
        log = public_log(fresh(game), seat=None)
        revealed += isinstance(log.steps[-1].action, Refill)
        assert log == replayed(game)
    assert revealed, "a refill reveals tiles of the real deck"
    assert any(isinstance(event, TilesRevealed) for step in log.steps for event in step.events)


def test_an_action_that_was_rolled_back_leaves_no_trace(game: Game) -> None:
    *_, first, other = position_of(game).legal_actions
    with transaction.atomic():
        point = transaction.savepoint()
        play_all(game, [first])
        assert public_log(fresh(game), seat=None).steps[-1].action == first
        transaction.savepoint_rollback(point)
    assert len(public_log(fresh(game), seat=None).steps) == 20
    play_all(game, [other])
    assert public_log(fresh(game), seat=None).steps[-1].action == other
    assert public_log(fresh(game), seat=None) == replayed(game)


def test_a_changed_log_is_replayed_from_the_change(game: Game) -> None:
    public_log(fresh(game), seat=None)
    Action.objects.filter(game=game, number__gt=11).delete()
    assert len(public_log(fresh(game), seat=None).steps) == 11
    assert public_log(fresh(game), seat=None) == replayed(game)


def test_a_log_of_another_deal_is_not_used(game: Game) -> None:
    log = public_log(fresh(game), seat=None)
    Action.objects.filter(game=game).delete()
    deal = fresh(game).deal
    assert deal is not None
    deal.dealt["deck"] = deal.dealt["deck"][::-1]
    deal.save()
    assert public_log(fresh(game), seat=None).start != log.start
    assert public_log(fresh(game), seat=None) == replayed(game)


def test_a_slower_replay_does_not_replace_that_of_a_newer_deal(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume = replay._resume

    def resume_slowly(*arguments: Any) -> Iterator[Step]:
        steps = [*resume(*arguments)]
        monkeypatch.setattr(replay, "_resume", resume)
        Action.objects.filter(game=game).delete()
        deal = fresh(game).deal
        assert deal is not None
        deal.dealt["deck"] = deal.dealt["deck"][::-1]
        deal.save()
        public_log(fresh(game), seat=None)  # as another thread would
        return iter(steps)

    replay._kept.cache_clear()
    monkeypatch.setattr(replay, "_resume", resume_slowly)
    older = public_log(fresh(game), seat=None)
    assert len(older.steps) == 20
    newer = public_log(fresh(game), seat=None)
    assert newer.start != older.start
    assert newer == replayed(game)
