"""The trainer: costly turns of reviewed games return to their player until they are learned."""

import random
import uuid
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.log.replay import public_log
from games.models import Action, Game, Review, TrainingPosition, today
from games.novaluna.bots import judging
from games.novaluna.bots import training as searches
from games.novaluna.bots.face import Budget, Chance
from games.novaluna.bots.training import Comparison
from games.novaluna.engine import Place, Position, action_from_json, action_to_json
from games.queries.training import count_due
from games.services import training
from games.services.errors import Conflict, NotSeated
from tests.clients import HTMX, client_of
from tests.frozen import frozen_clock
from tests.play import fields_of, fresh, game_of, person, play_out, play_some, review_of, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ines: User) -> Game:
    """A finished game of Ines and Tobias."""
    return play_out(game_of(ines, person("Tobias")))


def store_review(game: Game, losses: dict[int, float]) -> Review:
    """Store a finished review in which these actions lost something."""
    turns = [
        {"best": action.payload, "value": 0.6, "lost": losses.get(action.number, 0.0), "line": []}
        for action in Action.objects.filter(game=game).order_by("number")
    ]
    return Review.objects.create(game=game, turns=turns, finished_at=timezone.now())


def places_of(user: User, game: Game) -> list[int]:
    """Return the numbers of the place actions that a user made when they could choose, after the first."""
    made = Action.objects.filter(game=game, made_by=user, number__gt=4).order_by("number")
    return [action.number for action in made if action.payload["do"] == "place"]


def trained(game: Game, user: User, count: int = 1) -> list[TrainingPosition]:
    """Return positions of a user whose judgement knows the action played and one that is much better."""
    numbers = places_of(user, game)[:count]
    store_review(game, dict.fromkeys(numbers, 0.2))
    training.train(game, user)
    for stored in TrainingPosition.objects.filter(user=user):
        best, played = better_action(stored), played_action(stored)
        stored.judgement = {
            "answers": [[action_to_json(best), 0.6], [action_to_json(played), 0.4]],
            "line": [],
        }
        stored.save()
    return list(TrainingPosition.objects.filter(user=user).order_by("number"))


def played_action(stored: TrainingPosition) -> Place:
    action = action_from_json(Action.objects.get(game=stored.game, number=stored.number).payload)
    assert isinstance(action, Place)
    return action


def other_actions(stored: TrainingPosition) -> list[Place]:
    legal = training.turn_of(stored)[0].legal_actions
    return [one for one in legal if isinstance(one, Place) and one != played_action(stored)]


def better_action(stored: TrainingPosition) -> Place:
    return other_actions(stored)[0]


def fields(action: Place, number: int, **changes: object) -> dict[str, object]:
    return {**fields_of(action), "number": number, "request_id": str(uuid.uuid4()), **changes}


def answer(stored: TrainingPosition, action: Place, client: Client | None = None, **changes: object) -> int:
    """Post an answer, and return the status."""
    client = client or client_of(stored.user)
    return client.post(f"/trainer/{stored.pk}/", fields(action, stored.number, **changes)).status_code


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.text


def test_a_finished_review_trains_each_player_in_their_most_costly_turns(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = places_of(ines, game)
    tobias = User.objects.get(username="Tobias")
    losses = dict(zip(own, (0.12, 0.09, 0.3, 0.2, 0.11), strict=False)) | {places_of(tobias, game)[0]: 0.5}
    numbers = iter(range(1, game.version + 1))

    def judge(_position: Position, action: Place, _rng: random.Random) -> judging.Judgement:
        return judging.Judgement(action, Chance(0.6), Chance(losses.get(next(numbers), 0.0)))

    monkeypatch.setattr(judging, "judge", judge)
    review_of(game)
    found = TrainingPosition.objects.order_by("-cost")
    assert [one.number for one in found.filter(user=ines)] == [own[2], own[3], own[0]]
    assert [one.lost for one in found.filter(user=tobias)] == [0.5]
    training.train(game, ines)
    assert TrainingPosition.objects.filter(user=ines).count() == 3, "nothing is added twice"


def test_only_players_train_and_only_reviewed_games(game: Game, ines: User) -> None:
    with pytest.raises(Conflict, match="no finished review"):
        training.train(game, ines)
    store_review(game, {places_of(ines, game)[0]: 0.2})
    noor = person("Noor")
    with pytest.raises(NotSeated):
        training.train(game, noor)
    assert "Train these turns" not in page(client_of(noor), f"/g/{game.key}/review/")
    client = client_of(ines)
    assert "Train these turns" in page(client, f"/g/{game.key}/review/")
    assert client.post(f"/g/{game.key}/train/").headers["Location"] == "/trainer/"
    assert TrainingPosition.objects.get().user == ines
    assert client_of(noor).post(f"/g/{game.key}/train/").headers["Location"] == f"/g/{game.key}/review/"
    assert client.get(f"/g/{game.key}/train/").status_code == 405


def test_a_player_has_few_positions_at_a_time(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "MOST_POSITIONS", 2)
    assert len(trained(game, ines, 3)) == 2


def test_a_turn_is_shown_without_what_was_played(game: Game, ines: User) -> None:
    (stored,) = trained(game, ines)
    client = client_of(ines)
    assert f"/trainer/{stored.pk}/" in page(client, "/trainer/")
    response = client.get(f"/trainer/{stored.pk}/")
    assert "Your turn. What now?" in response.text
    assert response.context["board"].version == stored.number - 1
    assert "/g/" not in response.text.split('id="game"')[1].split("</main>")[0], "no link leads to the game"
    best = fields_of(better_action(stored))
    chosen = page(client, f"/trainer/{stored.pk}/?tile={best['tile']}&x={best['x']}&y={best['y']}")
    assert f'name="tile" value="{best["tile"]}"' in chosen, "choosing works without scripts"


def test_a_solved_turn_returns_later_each_time_until_it_is_learned(game: Game, ines: User) -> None:
    with frozen_clock() as clock:
        (stored,) = trained(game, ines)
        for days in (1, 3, 7, 21):
            assert answer(stored, better_action(stored)) == 302
            stored.refresh_from_db()
            assert stored.is_solved
            assert stored.days_left == days
            assert not count_due(ines)
            clock.move_on(days=days)
            assert count_due(ines) == 1
        assert answer(stored, better_action(stored)) == 302
        stored.refresh_from_db()
        assert stored.is_learned
        client = client_of(ines)
        assert "You have learned this turn" in page(client, f"/trainer/{stored.pk}/")
        clock.move_on(days=400)
        assert not count_due(ines)
        assert answer(stored, better_action(stored)) == 302


def test_a_wrong_answer_starts_again_tomorrow(game: Game, ines: User) -> None:
    with frozen_clock() as clock:
        (stored,) = trained(game, ines)
        for days in (1, 3):
            answer(stored, better_action(stored))
            clock.move_on(days=days)
        answer(stored, played_action(stored))
        stored.refresh_from_db()
        assert stored.is_solved is False
        assert (stored.distance, stored.days_left) == (1, 1)
        text = page(client_of(ines), f"/trainer/{stored.pk}/?better=1")
        assert "Not solved yet" in text
        assert "Lost 20 points of winning chance" in text
        assert "In the game you played the same" in text
        assert f"/g/{game.key}/review/#action-{stored.number}" in text
        clock.move_on(days=1)
        answer(stored, better_action(stored))
        stored.refresh_from_db()
        assert stored.days_left == 3, "it was solved after one day, so three days are next"


def test_after_a_wrong_answer_the_player_can_look_again_before_they_see_the_better_one(
    game: Game, ines: User
) -> None:
    (stored,) = trained(game, ines)
    client, address = client_of(ines), f"/trainer/{stored.pk}/"
    answer(stored, played_action(stored), client)
    first = page(client, address)
    assert "Lost 20 points of winning chance" in first
    assert "Better: " not in first
    assert "is-better" not in first
    assert "Better: " in page(client, f"{address}?better=1")
    assert "Your turn. What now?" in page(client, f"{address}?again=1")
    assert answer(stored, better_action(stored), client) == 302
    stored.refresh_from_db()
    assert stored.is_solved
    assert (stored.distance, stored.days_left) == (1, 1), "it returns tomorrow, as after the wrong answer"
    assert answer(stored, better_action(stored), client) == 302
    assert "You have answered this turn already" in page(client, "/trainer/")


def test_a_solved_answer_is_compared_with_the_game(game: Game, ines: User) -> None:
    (stored,) = trained(game, ines)
    text = (
        client_of(ines)
        .post(f"/trainer/{stored.pk}/", fields(better_action(stored), stored.number), follow=True)
        .text
    )
    assert "Solved: the expert plays this too" in text
    assert "20 points of winning chance more than in the game" in text
    assert "This turn returns tomorrow." in text


def test_one_answer_counts_once(game: Game, ines: User) -> None:
    (stored,) = trained(game, ines)
    request_id = str(uuid.uuid4())
    for _press in range(2):
        assert answer(stored, better_action(stored), request_id=request_id) == 302
    stored.refresh_from_db()
    assert (stored.is_solved, stored.distance) == (True, 1)
    client = client_of(ines)
    for other_id in (request_id, str(uuid.uuid4())):
        assert answer(stored, played_action(stored), client, request_id=other_id) == 302
        assert "You have answered this turn already" in page(client, "/trainer/")
    stored.refresh_from_db()
    assert stored.is_solved


def test_wrong_requests_change_nothing(game: Game, ines: User) -> None:
    (stored,) = trained(game, ines)
    client = client_of(ines)
    best = better_action(stored)
    assert answer(stored, best._replace(x=90), client) == 422
    assert answer(stored, best, client, do="resign") == 400
    assert answer(stored, best, client, request_id="moon") == 400
    tobias = client_of(User.objects.get(username="Tobias"))
    assert tobias.get(f"/trainer/{stored.pk}/").status_code == 404
    assert answer(stored, best, tobias) == 404
    assert Client().get("/trainer/").status_code == 302
    stored.refresh_from_db()
    assert stored.answer is None


def test_a_day_has_ten_turns_the_most_costly_first(
    ines: User, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "MOST_OF_A_GAME", 12)
    positions = trained(game, ines, 12)
    TrainingPosition.objects.filter(pk=positions[-1].pk).update(cost=9.0)
    client = client_of(ines)
    turns = client.get("/trainer/").context["trainer"].turns
    assert len(turns) == 10
    assert turns[0].pk == positions[-1].pk
    assert "play 10 of your turns better" in page(client, "/")
    assert "10 turns from your own games" in page(client, "/solo/")
    others = TrainingPosition.objects.filter(pk__in=[stored.pk for stored in positions[:9]])
    others.update(answered_on=today(), due_on=today() + timedelta(days=1))
    assert "play one of your turns better" in page(client, "/")
    assert answer(positions[10], better_action(positions[10]), client) == 302
    assert answer(positions[11], better_action(positions[11]), client) == 409
    assert "enough for today" in page(client, "/trainer/")
    assert "of your turns better" not in page(client, "/")


def test_an_answer_that_the_expert_has_not_looked_at_waits_for_it(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stored,) = trained(game, ines)
    client, other = client_of(ines), other_actions(stored)[1]
    assert answer(stored, other, client) == 302
    assert "The expert is looking at your answer" in page(client, f"/trainer/{stored.pk}/")
    assert client.get(f"/trainer/{stored.pk}/", headers=HTMX).status_code == 204
    assert training.overdue_ids() == [stored.pk]
    monkeypatch.setattr(searches, "worth_beside", lambda *_args: Chance(0.57))
    training.judge(stored.pk)
    assert "Solved: as good as the expert" in page(client, f"/trainer/{stored.pk}/")
    assert client.get(f"/trainer/{stored.pk}/", headers=HTMX).headers["HX-Refresh"] == "true"
    assert training.overdue_ids() == []


@pytest.mark.parametrize("is_killed", [True, False])
def test_an_answer_that_can_not_be_judged_can_be_changed(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch, is_killed: bool
) -> None:
    (stored,) = trained(game, ines)
    client = client_of(ines)
    answer(stored, other_actions(stored)[1], client)

    def fail(*_args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(searches, "worth_beside", fail)
    training.judge(stored.pk, without_search=is_killed)
    assert "could not judge your answer" in page(client, f"/trainer/{stored.pk}/")
    assert answer(stored, better_action(stored), client) == 302
    stored.refresh_from_db()
    assert stored.is_solved


def test_a_position_is_shown_when_the_deeper_search_agrees(
    game: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = places_of(ines, game)[:3]
    store_review(game, dict.fromkeys((first, second, third), 0.2))
    training.train(game, ines)
    client = client_of(ines)
    assert "The expert is looking at your turns" in page(client, "/trainer/")
    agreed, denied, killed = TrainingPosition.objects.order_by("number")
    assert client.get(f"/trainer/{agreed.pk}/").status_code == 302, "it is not judged yet"

    def compare(position: Position, played: Place, _rng: random.Random) -> Comparison:
        best = next(one for one in position.legal_actions if isinstance(one, Place) and one != played)
        found = {best: 0.6, played: 0.56 if played == played_action(denied) else 0.4}
        return Comparison([(one, Chance(worth)) for one, worth in found.items()], [])

    monkeypatch.setattr(searches, "compare", compare)
    assert training.overdue_ids() == [agreed.pk]
    training.judge(agreed.pk)
    training.judge(agreed.pk)
    training.judge(denied.pk)
    training.judge(killed.pk, without_search=True)
    assert TrainingPosition.objects.get() == agreed
    assert training.overdue_ids() == []
    assert "Your turn. What now?" in page(client, f"/trainer/{agreed.pk}/")


def test_the_expert_judges_turns_of_all_kinds(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real search, with a small budget, of a turn with others, a solo turn and an answer beside it."""
    deep = searches.DEEP.with_budget(Budget(rollouts=600))
    small = deep._replace(solo=deep.solo._replace(phase_1_width=12, ends=8, phase_2_width=20))
    monkeypatch.setattr(searches, "DEEP", small)
    monkeypatch.setattr(searches, "HALF", Budget(rollouts=100))
    monkeypatch.setattr(judging, "LINE_LOOK", Budget(rollouts=24))
    with_others = play_some(game_of(ines, person("Tobias")), 21, random.Random(3))
    solo = play_some(solo_of(ines), 6, random.Random(3))
    for game in (with_others, solo):
        position, rng = public_log(fresh(game), seat=None).position, random.Random(1)
        *_rest, played = position.legal_actions
        found = searches.compare(position, played, rng)
        worths = dict(found.worths)
        assert played in worths
        best, highest = found.worths[0]
        assert not worths[played].is_clearly_better_than(highest)
        for action in list(position.legal_actions)[:2]:
            worth = searches.worth_beside(position, best, highest, action, rng)
            assert worth.lead_over(highest) <= 0


def test_the_trainer_needs_the_same_queries_for_many_turns(
    ines: User, game: Game, django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(ines)
    monkeypatch.setattr(training, "MOST_OF_A_GAME", 9)
    positions: Sequence[TrainingPosition] = trained(game, ines, 9)
    TrainingPosition.objects.exclude(pk=positions[0].pk).update(due_on=None)
    client.get("/trainer/")
    with django_assert_num_queries(7) as one:
        client.get("/trainer/")
    TrainingPosition.objects.update(due_on=timezone.now().date())
    with django_assert_num_queries(len(one)):
        assert len(client.get("/trainer/").context["trainer"].turns) == 9
