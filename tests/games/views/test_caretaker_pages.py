"""Pages of a game in which a bot has played for a person: taking the seat back, and who made which action."""

import re

import pytest

from games.services import bots
from games.tasks import time_out
from tests.browser.states.making import resign
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.games.views.test_clock_pages import page_of, started_game
from tests.play import form_of, fresh, legal_fields, mover, person, play_out, review_of

pytestmark = pytest.mark.django_db


def test_a_player_takes_the_seat_back_by_one_press(clock: FrozenClock) -> None:
    game = started_game(pace="live", caretaker="easy")
    user = mover(game)
    other = game.seats.exclude(user=user).get().user
    take_back = f"/g/{game.key}/take-back/"
    clock.move_on(minutes=10)
    time_out(game.pk)

    page = page_of(game, user)
    assert "A bot moves for you" in page
    assert take_back in page
    assert 'data-turn="other"' in page
    assert "bot plays · easy" in (page := page_of(game, other))
    assert take_back not in page
    assert "take-back" in page_of(game, user, "text/")
    client = client_of(user)
    assert client.post(f"/g/{game.key}/play/", form_of(game, legal_fields(game))).status_code == 409
    assert client_of(person("Noor")).post(take_back).status_code == 403

    assert client.get(take_back).status_code == 302
    assert fresh(game).seats.exclude(caretaker="").exists()
    assert [client.post(take_back)["Location"] for _press in range(2)] == [f"/g/{game.key}/"] * 2
    assert "Your turn" in page_of(game, user)
    assert client.post(f"/g/{game.key}/play/", form_of(game, legal_fields(game))).status_code == 302


def test_pages_say_which_actions_a_bot_made(clock: FrozenClock) -> None:
    game = started_game(pace="live", caretaker="easy")
    user = mover(game)
    clock.move_on(minutes=10)
    time_out(game.pk)
    bots.take_turn(game.pk, 1)
    client_of(user).post(f"/g/{game.key}/take-back/")
    other = game.seats.exclude(user=user).get().user
    for path in ("", "text/"):
        assert "Your clock ran out, so a bot (easy) plays for you" in page_of(game, user, path)
        assert "You took your seat back" in page_of(game, user, path)
        assert f"{user}&#x27;s clock ran out, so a bot (easy) plays for them" in page_of(game, other, path)
        assert f"{user} took the seat back" in page_of(game, other, path)
    assert page_of(game, user).count("(by a bot · easy)") == 1
    # In the history and among the latest actions.
    assert page_of(game, user, "text/").count("(by a bot · easy)") == 2


def test_history_review_and_record_name_the_actions_of_a_caretaker(clock: FrozenClock) -> None:
    game = started_game(pace="live", caretaker="easy")
    user, seat = mover(game), fresh(game).to_move
    clock.move_on(minutes=10)
    time_out(game.pk)
    bots.take_turn(game.pk, 1)
    client_of(user).post(f"/g/{game.key}/take-back/")
    play_out(game)
    review_of(fresh(game), samples=2)

    history = re.sub(r"<[^>]+>", "", page_of(game, user, "?older=1"))
    assert history.count("(by a bot · easy)") == 1
    review = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page_of(game, person("Noor"), "review/")))
    rows = dict(re.findall(rf"\b(\d+) {user}( \(by a bot · easy\))?:", review))
    own = [number for number, made in enumerate(game.actions.order_by("number"), 1) if made.seat == seat]
    assert rows == {str(number): " (by a bot · easy)" if number == 1 else "" for number in own}
    assert len(own) > 1
    judged = re.sub("<[^>]+>", "", page_of(game, user, "?at=1&review=key").partition('id="log"')[2])
    ran_out, back = "Your clock ran out, so a bot (easy) plays for you", "You took your seat back"
    places = [judged.index(words) for words in (ran_out, "(by a bot · easy)", back)]
    assert places == sorted(places), "before the first action and after it"
    changes = client_of(user).get(f"/g/{game.key}/record.json").json()["seat_changes"]
    facts = [(one["seat"], one["from"], one["bot"], one["player"], one["reason"]) for one in changes]
    assert facts == [(seat, 1, "easy", None, "time"), (seat, 2, None, user.username, "back")]


def test_the_result_says_for_whom_a_bot_played_at_the_end(clock: FrozenClock) -> None:
    game = started_game(pace="live", caretaker="easy")
    user = mover(game)
    clock.move_on(minutes=10)
    time_out(game.pk)
    play_out(game)
    other = game.seats.exclude(user=user).get().user
    assert "A bot (easy) finished for you." in page_of(game, user)
    page = page_of(game, other)
    assert f"A bot (easy) finished for {user}." in page
    assert "finished for you" not in page


def test_a_person_who_left_after_the_bot_took_the_seat_has_no_bot_in_the_result(clock: FrozenClock) -> None:
    game = started_game(pace="live", caretaker="easy")
    user = mover(game)
    clock.move_on(minutes=10)
    time_out(game.pk)
    resign(game, user)
    page = page_of(game, user)
    assert "resigned" in page
    assert "finished for you" not in page
