"""People take back actions: the log keeps them, and the position is the one from before."""

import random
import re
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django_webtest import DjangoTestApp

from accounts.models import User
from games.log.records import record_of
from games.log.replay import secret_log
from games.models import Action, Game, Kind, Notification, Plan, Vote
from games.services import bots, hints, reviews
from games.services.errors import Conflict
from games.services.play import Played, play
from games.services.projections.games import rebuild
from games.services.take_backs import take_back
from games.titles import records
from games.titles.actions import Resign
from games.titles.registry import title_named
from tests.clients import HTMX, client_of, without_marks
from tests.play import fresh, game_of, match_of, mover, person, play_one, position_of, quick_judging

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ines: User) -> Game:
    """A game of Ines against a bot, in which she is to move first."""
    game = game_of(ines, bots=("easy",))
    return play_bots_until(game, seat_of(game, ines))


def seat_of(game: Game, user: User) -> int:
    return game.seats.get(user=user).number


def play_bots_until(game: Game, seat: int) -> Game:
    while fresh(game).is_running and fresh(game).to_move != seat:
        bots.take_turn(game.pk, fresh(game).version + 1)
    return fresh(game)


def go_back(game: Game, user: User, number: int, request_id: uuid.UUID | None = None) -> Played:
    return take_back(game.key, user, number, request_id or uuid.uuid4())


def play_until_bot(game: Game, user: User) -> int:
    """Play until the bot has answered; return the number of the user's last action before that."""
    own = play_one(game).number
    while fresh(game).to_move == seat_of(game, user):
        own = play_one(game).number
    play_bots_until(game, seat_of(game, user))
    return own


def test_an_action_is_taken_back_with_what_the_bot_did_after_it(game: Game, ines: User) -> None:
    own = play_until_bot(game, ines)
    before, version = secret_log(game).at(own - 1), fresh(game).version
    assert version > own

    assert go_back(game, ines, own).number == version + 1

    assert position_of(game) == before
    assert fresh(game).seats.awaited().get().user == ines
    assert Action.objects.filter(game=game).count() == fresh(game).version == version + 1
    assert rebuild(fresh(game), check_only=True) == []
    # The game goes on: the person acts, and the bot answers.
    assert play_until_bot(game, ines) > version + 1
    assert Action.objects.filter(game=game, made_by=None, number__gt=version + 1).exists()
    assert rebuild(fresh(game), check_only=True) == []


def test_all_is_taken_back_action_by_action(game: Game, ines: User) -> None:
    seat, start = seat_of(game, ines), position_of(game)
    own = []
    for _turn in range(2):
        own.append(play_one(game).number)
        play_bots_until(game, seat)
    for number in reversed(own):
        go_back(game, ines, number)
    assert position_of(game) == start
    with pytest.raises(Conflict):
        go_back(game, ines, own[0])


def test_the_same_request_takes_back_once(game: Game, ines: User) -> None:
    request_id, own = uuid.uuid4(), play_one(game).number
    assert go_back(game, ines, own, request_id) == go_back(game, ines, own, request_id)
    with pytest.raises(Conflict, match="another choice"):
        go_back(game, ines, own - 1, request_id)
    assert fresh(game).version == own + 1
    with pytest.raises(Conflict):
        go_back(game, ines, own)


def test_nothing_is_taken_back_after_a_reveal(ines: User) -> None:
    game = game_of(ines, bots=("easy",))
    seat, rng, reveals = seat_of(game, ines), random.Random(4), 0
    while reveals < 2:
        game = fresh(game)
        if game.to_move == seat:
            play_one(game, rng)
        else:
            bots.take_turn(game.pk, game.version + 1)
        log = secret_log(fresh(game))
        own = max((n for n, step in enumerate(log.steps, 1) if step.seat == seat), default=0)
        if own and log.at(own - 1).known != log.position.known:
            reveals += 1
            with pytest.raises(Conflict):
                go_back(game, ines, own)
    assert not Action.objects.filter(game=game, payload__do="take_back").exists()


def test_only_games_that_are_not_rated_have_take_backs(ines: User) -> None:
    tobias = person("Tobias")
    with_stand_in = game_of(ines, tobias)
    while mover(fresh(with_stand_in)) != ines:
        play_one(with_stand_in)
    with_stand_in.seats.filter(user=tobias).update(caretaker="easy")
    rated = game_of(ines, bots=("easy",))
    play_bots_until(rated, seat_of(rated, ines))
    Game.objects.filter(pk=rated.pk).update(changes_ratings=True)
    for game in (with_stand_in, rated):
        own = play_one(game).number
        with pytest.raises(Conflict, match="rated games, in matches, or while a bot plays"):
            go_back(game, ines, own)
        page = client_of(ines).get(game.get_absolute_url()).content.decode()
        assert "take-back" not in page
    [table, *_others] = match_of(ines, tobias)
    seat = table.seats.filter(user__isnull=False).get()
    play_bots_until(table, seat.number)
    with pytest.raises(Conflict, match="rated games, in matches"):
        go_back(table, seat.user, play_one(table).number)


@pytest.fixture
def of_two(ines: User) -> tuple[Game, User, User, int]:
    """A game of two people, who acted last and who is to move, and the number of that action."""
    game = game_of(ines, person("Tobias"), is_public=False)
    asker = mover(game)
    while mover(fresh(game)) == asker:
        own = play_one(game).number
    return fresh(game), asker, mover(fresh(game)), own


def page_of(game: Game, user: User, mode: str = "") -> str:
    return " ".join(without_marks(client_of(user).get(game.get_absolute_url() + mode).text).split())


def ask(game: Game, user: User, number: int) -> HttpResponse:
    fields = {"do": "start", "purpose": "takeback", "number": number}
    return client_of(user).post(f"/g/{game.key}/vote/", fields, headers=HTMX)


def answer(game: Game, user: User, do: str) -> str:
    fields = {"do": do, "vote": game.votes.latest("pk").pk}
    response = client_of(user).post(f"/g/{game.key}/vote/?at=1", fields, headers=HTMX)
    assert response.status_code == 200
    assert 'data-shown="1"' in response.text, "the board stays where its viewer looks"
    return without_marks(response.text)


@pytest.mark.parametrize("answers_before", [False, True])
def test_people_ask_each_other_to_take_back(
    of_two: tuple[Game, User, User, int], *, answers_before: bool
) -> None:
    game, asker, other, own = of_two
    before = secret_log(game).at(own - 1)
    if answers_before:
        while mover(fresh(game)) == other:
            play_one(game)
    for mode in ("", "text/"):
        assert "Ask to take back" in page_of(game, asker, mode)
    last = fresh(game).version
    what = f"action {own} is" if last == own else rf"actions {own} (and|to) {last} are"
    for mode in ("?back=1", "text/"):
        effect = rf"{other} must agree\. Then {what} taken back\. The game then does not count"
        assert re.search(effect, page_of(game, asker, mode))
    with pytest.raises(Conflict, match="ask them"):
        go_back(game, asker, own)
    assert f"Take back <b>action {own}</b>? Waiting for {other}." in without_marks(ask(game, asker, own).text)
    asked = page_of(game, other)
    assert f"{asker} asks to take back <b>action {own}</b>." in asked
    assert f'<span class="hidden">{asker} took ' in asked.partition('id="vote"')[2].partition("</form>")[0]
    assert f"Take back action {own}?" in page_of(game, other, "text/")
    assert Notification.objects.filter(kind=Kind.VOTE, user=other).exists()

    answer(game, other, "agree")

    assert position_of(game) == before
    assert fresh(game).seats.awaited().get().user == asker
    assert rebuild(fresh(game), check_only=True) == []
    assert f"{asker} took back action {own}: “{asker} took " in page_of(game, other)
    assert not fresh(game).is_without_hints
    turns = Notification.objects.filter(kind=Kind.TURN, user=asker, version=fresh(game).version)
    assert turns.exists() != answers_before, "only a turn that begins is announced"


def test_who_asked_sees_that_it_was_declined_until_they_act(of_two: tuple[Game, User, User, int]) -> None:
    game, asker, other, own = of_two
    ask(game, asker, own)
    answer(game, other, "decline")
    declined = f"{other} declined: “Take back action {own}?”"
    for mode in ("", "text/"):
        assert declined in page_of(game, asker, mode)
        assert 'value="takeback"' not in page_of(game, asker, mode)
        assert declined not in page_of(game, other, mode)
    assert ask(game, asker, own).status_code == 429
    while mover(fresh(game)) == other:
        play_one(game)
    assert declined in page_of(game, asker)
    play_one(game)
    assert declined not in page_of(game, asker)


def test_an_action_ends_the_question_and_so_does_its_asker(of_two: tuple[Game, User, User, int]) -> None:
    game, asker, other, own = of_two
    ask(game, asker, own)
    play_one(game)
    assert game.votes.get().outcome == Vote.Outcome.LAPSED
    answer(game, other, "agree")
    assert not Action.objects.filter(game=game, payload__do="take_back").exists()
    assert "declined" not in page_of(game, asker)
    own = secret_log(fresh(game)).steps.index(secret_log(fresh(game)).steps[-1]) + 1
    assert ask(game, other, own).status_code == 200
    answer(game, other, "decline")
    assert game.votes.latest("pk").outcome == Vote.Outcome.WITHDRAWN
    assert "declined" not in page_of(game, other) + page_of(game, asker)


def test_nobody_returns_who_has_resigned_since(ines: User) -> None:
    game = game_of(ines, person("Tobias"), person("Noor"), is_public=False)
    asker = mover(game)
    own = play_one(game).number
    leaver = game.seats.exclude(user=asker).exclude(number=fresh(game).to_move).get()
    assert f'value="{own}"' in page_of(game, asker)
    play(game.key, leaver.user, Resign(leaver.number), own + 1, uuid.uuid4())
    assert ask(game, asker, own).status_code == 409
    assert "take-back" not in page_of(game, asker)


def test_others_take_nothing_back(game: Game) -> None:
    own = play_one(game).number
    response = client_of(person("Tobias")).post(
        f"/g/{game.key}/play/back/", {"number": own, "request_id": uuid.uuid4()}
    )
    assert response.status_code in (403, 404)
    assert fresh(game).version == own


def test_a_plan_goes_with_what_is_taken_back(game: Game, ines: User) -> None:
    own = play_one(game).number
    Plan.objects.create(game=game, user=ines, wishes=[], known=0)
    go_back(game, ines, own)
    assert not Plan.objects.exists()


def test_the_game_does_not_count_for_the_results(game: Game, ines: User) -> None:
    go_back(game, ines, play_one(game).number)
    assert not fresh(game).is_without_hints
    page = client_of(ines).get(game.get_absolute_url()).content.decode()
    assert "this game doesn't count for the results" in page


def test_a_record_shows_the_game_without_what_was_taken_back(game: Game, ines: User) -> None:
    seat = seat_of(game, ines)
    own = play_one(game).number
    play_bots_until(game, seat)
    go_back(game, ines, own)
    play_one(game, random.Random(5))
    record: dict[str, Any] = record_of(fresh(game))
    rules = title_named(game.title).rules
    assert [action["do"] for action in record["actions"]].count("take_back") == 0
    [*_, last] = records.positions(rules, record)
    assert last == position_of(game)


def test_bots_and_hints_go_on_from_the_position(game: Game, ines: User) -> None:
    go_back(game, ines, play_one(game).number)
    hint = hints.ask(game.key, ines, fresh(game).version + 1)
    hints.compute(hint.pk, without_search=True)
    hint.refresh_from_db()
    assert hint.payload


@pytest.mark.parametrize("mode", ["play", "text"])
def test_a_press_takes_back_without_scripts(
    django_app: DjangoTestApp, game: Game, ines: User, mode: str
) -> None:
    path = game.get_absolute_url() + ("" if mode == "play" else "text/")
    assert "Take back" not in django_app.get(path, user=ines)
    own = play_one(game).number
    play_bots_until(game, seat_of(game, ines))
    page = django_app.get(path, user=ines)
    [form] = {form for form in page.forms.values() if form.action.endswith(f"/{mode}/back/")}
    page = form.submit().follow()
    assert f"You took back action {own}" in page
    assert "(taken back)" in page
    assert "Your turn" in page
    refused = form.submit(status=302).follow()  # The same request: nothing more is taken back.
    assert f"You took back action {own}" in refused
    assert fresh(game).version == Action.objects.filter(game=game).count()


def test_a_review_skips_what_was_taken_back(game: Game, ines: User) -> None:
    own = play_one(game).number
    play_bots_until(game, seat_of(game, ines))
    go_back(game, ines, own)
    with quick_judging():
        while not fresh(game).is_over:
            game = fresh(game)
            if game.seats.get(number=game.to_move).user:
                play_one(game)
            else:
                bots.take_turn(game.pk, game.version + 1, without_search=True)
        review = reviews.ask(fresh(game), ines)
        for number in range(1, fresh(game).version + 1):
            reviews.judge_next(review.pk, number)
    review.refresh_from_db()
    assert review.finished_at
    judged = [turn["value"] is not None for turn in review.turns]
    back = Action.objects.get(game=game, payload__do="take_back").number
    assert not any(judged[own - 1 : back])
    assert judged[back]
    page = client_of(ines).get(f"/g/{game.key}/review/").content.decode()
    assert f"took back action {own}" in page
    assert page.partition("<tbody>")[2].count("(taken back)") == back - own
    assert "could not judge" not in page
