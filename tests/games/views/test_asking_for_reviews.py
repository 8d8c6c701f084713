"""Who may ask for a review of which game, and what the page shows until it is finished."""

import re
import uuid
from datetime import timedelta
from html import unescape
from math import ceil

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Review
from games.novaluna.engine import Resign
from games.services import reviews, tables
from games.services.play import play
from games.shown.review_wait import describe_duration
from tests.clients import HTMX, client_of
from tests.games.views.review_pages import finished_game, page_of, players, resigned_game, rows_of
from tests.play import game_of, person, play_one, play_out, quick_judging, review_of, solo_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["Ines", "Noor"])
def test_players_and_others_who_are_logged_in_can_ask_for_a_review(name: str) -> None:
    game = resigned_game()
    client = client_of(User.objects.filter(username=name).first() or person(name))
    page = page_of(game, client)
    assert "Review the game" in page
    assert not Review.objects.exists(), "a GET must not start a review"
    response = client.post(f"/g/{game.key}/review/")
    assert (response.status_code, response.headers["Location"]) == (302, f"/g/{game.key}/review/")
    assert (Review.objects.get().game, Review.objects.get().asked_by.username) == (game, name)
    page = page_of(game, client)
    assert "0 of 7 actions" in page
    assert "Review the game" not in page


def test_visitors_are_sent_to_the_login_page_and_back() -> None:
    game = resigned_game()
    address = f"/g/{game.key}/review/"
    log_in = f"/account/login/?next={address}"
    page = page_of(game)
    assert f'href="{log_in}&amp;why=review"' in page
    assert "Review the game" not in page
    response = Client().post(address)
    assert (response.status_code, response.headers["Location"]) == (302, log_in)
    assert not Review.objects.exists()
    review_of(game, 3)
    assert "3 of 7 actions" in page_of(game), "everybody sees a review that somebody has asked for"


def test_a_second_request_starts_no_second_review() -> None:
    game = resigned_game()
    for name in ("Ines", "Tobias"):
        client = client_of(User.objects.get(username=name))
        assert client.post(f"/g/{game.key}/review/").status_code == 302
    assert Review.objects.count() == 1


def test_a_person_can_ask_for_three_reviews_at_the_same_time() -> None:
    ines = person("Ines")
    games = [solo_of(ines) for _game in range(4)]
    for game in games:
        play(game.key, ines, Resign(0), 1, uuid.uuid4())
    client, other = client_of(ines), client_of(person("Tobias"))
    responses = [client.post(f"/g/{game.key}/review/") for game in games]
    assert [response.status_code for response in responses] == [302] * 3 + [409]
    assert "working on three reviews for you" in responses[-1].text
    assert other.post(f"/g/{games[3].key}/review/").status_code == 302
    assert Review.objects.count() == 4


def test_a_post_without_csrf_token_is_refused() -> None:
    game = resigned_game()
    assert Client(enforce_csrf_checks=True).post(f"/g/{game.key}/review/").status_code == 403
    assert not Review.objects.exists()


def test_the_result_links_to_the_review_and_a_running_game_does_not() -> None:
    game = game_of(*players(2))
    play_one(game)
    assert f"/g/{game.key}/review/" not in Client().get(f"/g/{game.key}/").text
    play(game.key, User.objects.get(username="Tobias"), Resign(0), 2, uuid.uuid4())
    for mode in ("", "text/"):
        assert f'href="/g/{game.key}/review/"' in Client().get(f"/g/{game.key}/{mode}").text
    assert f'href="/g/{game.key}/"' in page_of(game)


def test_a_running_game_has_no_review() -> None:
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    play_one(game)
    for client in (client_of(ines), client_of(person("Noor"))):
        response = client.get(f"/g/{game.key}/review/")
        assert (response.status_code, response.headers["Location"]) == (302, f"/g/{game.key}/")
        response = client.post(f"/g/{game.key}/review/")
        assert response.status_code == 409
        assert "This game is not over yet. You can ask for a review when it is." in response.text
    assert not Review.objects.exists()


def test_neither_an_open_nor_a_closed_table_has_a_review() -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    assert Client().get(f"/g/{table.key}/review/").status_code == 302
    response = client_of(ines).post(f"/g/{table.key}/review/")
    assert response.status_code == 409
    assert "not over yet" in response.text
    tables.close(table.key, ines)
    assert Client().get(f"/g/{table.key}/review/").status_code == 404
    assert Client().post(f"/g/{table.key}/review/").status_code == 404


@pytest.mark.parametrize("key", ["aaaaaaaaaa", "moon", "x" * 300])
def test_an_unknown_game_has_no_review(key: str) -> None:
    assert Client().get(f"/g/{key}/review/").status_code == 404
    assert Client().post(f"/g/{key}/review/").status_code == 404


def test_an_unfinished_review_shows_its_progress_and_polls() -> None:
    game = play_out(game_of(*players(2)))
    review_of(game, 12)
    page = page_of(game)
    assert f"12 of {game.version} actions" in page
    assert f'max="{game.version}" value="12"' in page
    assert f'hx-get="/g/{game.key}/review/?seen=' in page
    assert f'href="/g/{game.key}/review/"' in page, "the link works without JavaScript"
    assert "longer than usual" not in page
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=2))
    assert "longer than usual" in page_of(game)


def poll(page: str) -> HttpResponse:
    """Return the answer to the next request of a page, or part of a page, that waits for a review."""
    found = re.search(r'hx-get="([^"]*)"', page)
    assert found
    return Client(headers=HTMX).get(unescape(found[1]))


def test_a_waiting_page_gets_nothing_while_nothing_changes(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    game = resigned_game()
    review_of(game, 3)
    page = page_of(game)
    with django_assert_max_num_queries(3):
        assert poll(page).status_code == 204
    review_of(game, 4)
    later = poll(page)
    assert "4 of 7 actions" in later.text
    assert poll(later.text).status_code == 204, "the part polls for what comes after it"
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=2))
    late = poll(later.text)
    assert "longer than usual" in late.text
    assert poll(late.text).status_code == 204


def test_a_waiting_page_gets_only_the_changed_part() -> None:
    game = resigned_game()
    review_of(game, 3)
    client = Client()
    part = client.get(f"/g/{game.key}/review/", headers=HTMX).text
    assert "<html" not in part
    assert "3 of 7 actions" in part
    assert 'hx-swap-oob="morph"' in part
    assert len(rows_of(part)) == 3, "what is judged is there already"
    assert "Actions judged so far" in part
    [line] = re.findall(r'<path class="line" d="([^"]*)"', part)
    assert line.count("L") == 2, "it ends where the expert is, not at the result"
    assert "hx-get" in part
    review_of(game)
    answer = client.get(f"/g/{game.key}/review/", headers=HTMX)
    assert answer.headers["HX-Refresh"] == "true", "it loads the finished review"
    page = page_of(game, client)
    assert "The review is ready." in page
    assert "The review is ready." not in page_of(game), "others have not waited"
    assert "every 2s" not in page, "the finished review must not poll"
    assert len(rows_of(page)) == 7


@pytest.mark.parametrize(
    ("count", "duration"), [(1, "a few seconds"), (11, "about 1 minute"), (61, "about 3 minutes")]
)
def test_the_offer_says_how_long_the_review_takes(count: int, duration: str) -> None:
    assert describe_duration(count) == f"The review usually takes {duration}."


def test_a_late_start_does_not_count_for_the_rest() -> None:
    """The first judgement also waits for other reviews and the compiled search."""
    game = finished_game(2)
    review = reviews.ask(game, person("Noor"))
    Review.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    with quick_judging():
        for number in range(1, 5):
            assert not re.search(r"About \d+ minutes? left", page_of(game)), "nothing to estimate it by"
            reviews.judge_next(review.pk, number)
    found = re.search(r"About (\d+) minutes? left", page_of(game))
    assert found
    assert int(found[1]) <= 2, "as the offer says"


def test_a_review_promises_nothing_before_a_few_judgements() -> None:
    game = finished_game(2)
    assert "The review usually takes about" in page_of(game), "the offer"
    review_of(game, 1)
    page = page_of(game)
    assert "The review usually takes" not in page
    assert f"1 of {game.version} actions <" in " ".join(page.split())


def test_the_rest_is_never_less_than_the_latest_judgements_promise() -> None:
    game = finished_game(2)
    review = review_of(game, 11)
    for number, turn in enumerate(review.turns):
        turn["seconds"] = number if number < 6 else 5 + 20 * (number - 5)
    review.save()
    Review.objects.update(judged_at=review.asked_at + timedelta(seconds=105))
    found = re.search(r"About (\d+) minutes left", page_of(game))
    assert found
    assert int(found[1]) >= (game.version - 11) * 20 // 60


def test_the_rest_follows_from_the_judgements_since_the_first() -> None:
    game = finished_game(2)
    review = review_of(game, 11)
    started_at = review.asked_at + timedelta(minutes=5)
    for number, turn in enumerate(review.turns):
        turn["seconds"] = 300 + 12 * number
    review.save()
    Review.objects.update(judged_at=started_at + 10 * timedelta(seconds=12))
    minutes = ceil((game.version - 11) * 12 / 60)
    found = re.search(r"About (\d+) minutes left", page_of(game))
    assert found
    assert minutes * 0.8 <= int(found[1]) <= minutes
