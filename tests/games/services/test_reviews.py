"""Reviews of finished games, which are judged turn by turn."""

import random
import uuid
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

import pytest
from django.utils import timezone

from games.models import Action, Game, Hint, Review
from games.novaluna.bots import judging, luck
from games.novaluna.bots.face import Budget, Chance, Estimate, TooLarge
from games.novaluna.engine import TILES, Mode, Place, Position, Refill, RefillRule, Resign, Setup, start
from games.novaluna.title_bots import NovaLunaBots
from games.services import reviews
from games.services.errors import Conflict
from games.services.play import play
from games.tasks import judge
from tests.games.services.test_review_queue import ask
from tests.play import (
    fresh,
    game_of,
    mover,
    person,
    play_one,
    play_out,
    play_some,
    quick_judging,
    review_of,
    solo_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game that is over after a few turns, because Tobias has resigned."""
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    play_some(game, 6, random.Random(3))
    play(game.key, tobias, Resign(0), 7, uuid.uuid4())
    return fresh(game)


@pytest.fixture
def _quickly() -> Iterator[None]:
    with quick_judging():
        yield


def positions_of_games(discs: int, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of random games for two players, one game after another, without end."""
    while True:
        position = start(Setup(Mode.MULTIPLAYER, 2, discs, (0, 1), tuple(rng.sample([*TILES], len(TILES)))))
        while not position.over:
            yield position
            position = position.apply(rng.choice([*position.legal_actions])).position


def test_every_turn_is_judged(game: Game) -> None:
    review = review_of(game)
    assert review.finished_at is not None
    assert len(review.turns) == 7
    for turn in review.turns[:-1]:
        assert 0 <= turn["value"] <= 1
        assert 0 <= turn["lost"] <= turn["value"]
        assert turn["best"]["do"] in ("place", "refill")
    last = review.turns[-1]
    assert last == reviews.BEYOND_JUDGEMENT | {"seconds": last["seconds"]}, "a resignation is not judged"


def test_following_a_hint_is_no_mistake(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        judging,
        "judge",
        lambda _position, action, _rng: judging.Judgement(Refill(action.seat), Chance(0.5), Chance(0.2)),
    )
    payload = Action.objects.get(game=game, number=2).payload
    Hint.objects.create(game=game, number=2, seat=payload["seat"], payload=payload)
    Hint.objects.create(game=game, number=3, seat=payload["seat"], payload=payload)
    turns = review_of(game).turns
    judged = {"best": payload, "value": 0.5, "lost": 0, "line": []}
    assert turns[1] == judged | {"seconds": turns[1]["seconds"]}
    assert [turn["lost"] for turn in turns] == [0.2, 0, *[0.2] * 5]


def numbers_with_luck(review: Review) -> list[tuple[int, str]]:
    return [
        (number, name)
        for number, turn in enumerate(review.turns, 1)
        for name in ("deal", "luck")
        if name in turn
    ]


def test_the_luck_of_the_deal_and_of_each_refill_is_stored_once() -> None:
    game = play_out(game_of(person("Ines"), person("Tobias")))
    refills = Action.objects.filter(game=game, payload__do="refill").order_by("number")
    numbers = list(refills.values_list("number", flat=True))
    assert len(numbers) > 1
    review_of(game, numbers[0] - 1)
    review = ask(game)
    assert numbers_with_luck(review) == [(1, "deal")]
    with (
        quick_judging()
    ):  # As if the worker was killed before it stored the judgement, and another one began.
        for _again in range(2):
            reviews.judge_next(review.pk, numbers[0])
    review.refresh_from_db()
    assert len(review.turns) == numbers[0]
    review = review_of(game)
    assert numbers_with_luck(review) == [(1, "deal"), *[(number, "luck") for number in numbers]]
    for found in (review.turns[0]["deal"], *(review.turns[number - 1]["luck"] for number in numbers)):
        assert found["version"] == NovaLunaBots.luck_version
        assert sum(found["before"]) == pytest.approx(1, abs=0.001)
        assert sum(found["after"]) == pytest.approx(1, abs=0.001)
        assert len(found["errors"]) == 2


@pytest.mark.parametrize(
    ("failure", "is_logged"), [(TooLarge("44 in a row"), False), (RuntimeError("out of luck"), True)]
)
def test_a_turn_whose_luck_cannot_be_counted_is_still_judged(
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
    is_logged: bool,
) -> None:
    def fail(*_args: object) -> None:
        raise failure

    monkeypatch.setattr(luck, "evaluate_shortly", fail)
    review = review_of(game)
    assert review.finished_at is not None
    assert review.turns[0]["value"] is not None
    assert numbers_with_luck(review) == []
    assert ("could not be counted" in caplog.text) is is_logged


def test_after_a_search_that_was_killed_no_luck_is_counted(game: Game) -> None:
    review = ask(game)
    reviews.judge_next(review.pk, 1, without_search=True)
    review.refresh_from_db()
    [turn] = review.turns
    assert turn == reviews.FAILED | {"seconds": turn["seconds"]}


@pytest.mark.slow
def test_a_solo_game_is_judged_in_points() -> None:
    review = review_of(play_out(solo_of(person("Ines"))))
    assert review.finished_at is not None
    assert all(turn["value"] > 40 and turn["lost"] >= 0 for turn in review.turns)
    assert sum(turn["lost"] for turn in review.turns) > 20, "random actions give much away"


def test_a_second_request_returns_the_same_review(game: Game) -> None:
    review = review_of(game)
    again = reviews.ask(game, person("Noor"))
    assert (again.pk, again.turns) == (review.pk, review.turns)


def test_a_running_game_has_no_review() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    with pytest.raises(Conflict, match="not over yet"):
        reviews.ask(fresh(game), mover(game))
    assert not Review.objects.exists()


@pytest.mark.usefixtures("_quickly")
def test_a_task_that_runs_twice_late_or_early_does_nothing(game: Game) -> None:
    review = ask(game)
    reviews.judge_next(review.pk, 2)
    review.refresh_from_db()
    assert review.turns == [], "turn 2 cannot be judged before turn 1"
    reviews.judge_next(review.pk, 1)
    review.refresh_from_db()
    once = review.turns
    reviews.judge_next(review.pk, 1)
    review = review_of(game)
    assert review.turns[:1] == once
    assert len(review.turns) == 7
    reviews.judge_next(review.pk, 8)
    reviews.judge_next(10**9, 1)
    review.refresh_from_db()
    assert len(review.turns) == 7


@pytest.mark.usefixtures("_quickly")
def test_the_sweep_finds_an_overdue_turn(game: Game) -> None:
    review = ask(game)
    Review.objects.update(queued_at=timezone.now() - timedelta(seconds=judge.time_limit))
    assert reviews.overdue_turns() == [], "a worker may still be judging it"
    for wrong in (timedelta(minutes=-1), timedelta(days=1)):  # The clock was set back by a day.
        Review.objects.update(queued_at=timezone.now() + wrong)
        assert reviews.overdue_turns() == [(review.pk, 1)]
    reviews.judge_next(review.pk, 1)
    assert reviews.overdue_turns() == [(review.pk, 2)], "nothing has queued the next turn"
    review_of(game)
    assert reviews.overdue_turns() == []


@pytest.mark.usefixtures("_quickly")
def test_a_turn_is_not_overdue_while_it_is_judged(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    review, found = ask(game), []

    def look(*_args: object) -> judging.Judgement:
        found.append(reviews.overdue_turns())
        return judging.Judgement()

    monkeypatch.setattr(judging, "judge", look)
    assert reviews.overdue_turns() == [(review.pk, 1)]
    reviews.judge_next(review.pk, 1)
    assert found == [[]]


@pytest.mark.parametrize(
    ("failure", "is_logged"), [(TooLarge("44 in a row"), False), (RuntimeError("out of luck"), True)]
)
def test_a_turn_that_cannot_be_judged_is_left_out(
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
    is_logged: bool,
) -> None:
    def fail(*_args: object) -> None:
        raise failure

    monkeypatch.setattr(judging, "estimates", fail)
    review = review_of(game)
    assert review.finished_at is not None
    assert all(turn["value"] is None for turn in review.turns)
    assert ("could not be judged" in caplog.text) is is_logged


def test_a_game_of_deleted_users_can_be_reviewed(game: Game) -> None:
    for seat in game.seats.select_related("user"):
        seat.user.delete()
    assert review_of(fresh(game)).finished_at is not None


def test_missing_a_win_loses_the_whole_chance_if_the_opponent_can_win_next() -> None:
    def winning_actions(position: Position) -> list[Place | Refill]:
        return [action for action in position.legal_actions if position.apply(action).position.over]

    def losing_actions(position: Position) -> list[Place | Refill]:
        """Return the actions after which the other player can win with the next action."""
        after = {action: position.apply(action).position for action in position.legal_actions}
        return [
            a for a, then in after.items() if then.to_move not in (None, a.seat) and winning_actions(then)
        ]

    rng = random.Random(2)
    position = next(one for one in positions_of_games(3, rng) if winning_actions(one) and losing_actions(one))
    right, wrong = winning_actions(position)[0], losing_actions(position)[0]
    assert judging.judge(position.public(), right, rng) == judging.Judgement(right, Chance(1.0), Chance(0.0))
    judgement = judging.judge(position.public(), wrong, rng)
    assert judgement.loss == Chance(1.0)
    assert judgement.best in winning_actions(position)


def test_a_forced_refill_is_no_mistake() -> None:
    position = start(Setup(Mode.MULTIPLAYER, 2, 20, (0, 1), tuple(TILES)))
    rng = random.Random(1)
    while position.refill is not RefillRule.FORCED:
        position = position.apply(
            rng.choice([a for a in position.legal_actions if isinstance(a, Place)])
        ).position
    refill = Refill(position.to_move)
    judgement = judging.judge(position.public(), refill, rng)
    assert (judgement.best, judgement.loss) == (refill, Chance(0.0))
    assert judging.judge(position.public(), Resign(0), rng) == judging.Judgement()


@pytest.mark.usefixtures("_quickly")
def test_a_judgement_does_not_depend_on_undrawn_tiles() -> None:
    codes = list(TILES)
    decks = [(*codes[:11], *rest) for rest in (codes[11:], codes[:10:-1])]
    positions = [start(Setup(Mode.MULTIPLAYER, 2, 20, (0, 1), deck)) for deck in decks]
    rng = random.Random(9)
    while positions[0].refill is not RefillRule.ALLOWED:
        action = rng.choice(list(positions[0].legal_actions))
        positions = [position.apply(action).position for position in positions]
    for action in (
        Refill(positions[0].to_move),
        next(a for a in positions[0].legal_actions if isinstance(a, Place)),
    ):
        one, other = (judging.judge(position.public(), action, random.Random(2)) for position in positions)
        assert one == other


def test_a_place_that_the_search_hardly_visited_beside_a_refill_is_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One lost game of one visit is no reason to say that a whole chance was lost."""
    position = next(
        one for one in positions_of_games(20, random.Random(3)) if one.refill is RefillRule.ALLOWED
    )
    place = next(action for action in position.legal_actions if isinstance(action, Place))
    refill = Refill(place.seat)
    found = [Estimate(refill, Chance(0.6), 2_000), Estimate(place, Chance(0.0), 1)]
    monkeypatch.setattr(judging, "estimates", lambda *_: found)
    monkeypatch.setattr(judging, "evaluate", lambda *_: Chance(0.45))
    judgement = judging.judge(position, place, random.Random(1))
    assert judgement.best == refill
    assert judgement.loss is not None
    assert judgement.loss.value == pytest.approx(0.15)


def test_the_line_after_a_better_action_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = positions_of_games(20, random.Random(5))
    lines = 0
    with quick_judging():
        monkeypatch.setattr(judging, "LINE_LOOK", Budget(rollouts=600))
        for position in islice(positions, 20, 60):
            action = random.Random(1).choice([*position.legal_actions])
            judgement = judging.judge(position.public(), action, random.Random(1))
            assert judgement.is_mistake or not judgement.line
            if judgement.line:
                after = position.apply(judgement.best).position
                for expected in judgement.line:
                    after = after.apply(expected).position
                assert all(isinstance(one, Place) for one in judgement.line[:-1]), "a refill ends a line"
                lines += 1
    assert lines > 3
