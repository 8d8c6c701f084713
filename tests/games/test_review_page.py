"""The page of a review: offered to anyone, asked for once, watched while it is made, then read."""

import re
import uuid
from collections.abc import Sequence
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine import Resign
from games.models import Game, Review
from games.services import tables
from games.services.play import play
from tests.clients import HTMX, client_of
from tests.play import fresh, game_of, person, play_one, play_out, review_of, solo_of

pytestmark = pytest.mark.django_db


def players(count: int) -> Sequence[User]:
    return [person(name) for name in ("Ines", "Tobias", "Mina", "Halley")[:count]]


def a_finished(count: int) -> Game:
    return play_out(solo_of(*players(1)) if count == 1 else game_of(*players(count)))


def resigned() -> Game:
    """Return a game of two that is over after six turns, for one has resigned."""
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    for _turn in range(6):
        play_one(game)
    play(game.key, tobias, Resign(0), 7, uuid.uuid4())
    return fresh(game)


def page_of(game: Game, client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/g/{game.key}/review/")
    assert answer.status_code == 200
    return answer.text


def said(html: str) -> str:
    """Return what a page says, without its markup."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def rows_of(page: str) -> list[str]:
    """Return the rows of the table of all turns."""
    return re.findall("<tr.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)


@pytest.mark.parametrize("who", ["a player", "somebody else", "nobody we know"])
def test_anyone_may_ask_for_the_review_of_a_finished_game(who: str) -> None:
    game = resigned()
    clients = {
        "a player": lambda: client_of(User.objects.get(username="Ines")),
        "somebody else": lambda: client_of(person("Noor")),
        "nobody we know": Client,
    }
    client = clients[who]()
    page = page_of(game, client)
    assert "Review the game" in page
    assert not Review.objects.exists(), "to look is not to ask"
    answer = client.post(f"/g/{game.key}/review/")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/g/{game.key}/review/")
    assert Review.objects.get().game == game
    page = page_of(game, client)
    assert "0 of 7 turns" in page
    assert "Review the game" not in page


def test_who_asks_twice_asks_once() -> None:
    game = resigned()
    for client in (Client(), Client()):
        assert client.post(f"/g/{game.key}/review/").status_code == 302
    assert Review.objects.count() == 1


def short_games(count: int) -> Sequence[Game]:
    """Return games of Ines alone that are over at once."""
    ines = person("Ines")
    games = [solo_of(ines) for _game in range(count)]
    for game in games:
        play(game.key, ines, Resign(0), 1, uuid.uuid4())
    return games


def test_who_asks_for_many_reviews_is_told_to_wait() -> None:
    games = short_games(7)
    answers = [Client().post(f"/g/{game.key}/review/") for game in games[:6]]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert "wait a few minutes" in answers[-1].text
    assert Review.objects.count() == 5
    assert Client(REMOTE_ADDR="192.0.2.7").post(f"/g/{games[6].key}/review/").status_code == 302, "who is new"


def test_what_costs_the_expert_nothing_may_be_asked_for_often() -> None:
    there, new = short_games(2)
    running = solo_of(person("Tobias"))
    for _again in range(6):
        assert Client().post(f"/g/{there.key}/review/").status_code == 302
        assert Client().post(f"/g/{running.key}/review/").status_code == 409
    assert Client().post(f"/g/{new.key}/review/").status_code == 302


def test_a_form_from_elsewhere_asks_for_nothing() -> None:
    game = resigned()
    assert Client(enforce_csrf_checks=True).post(f"/g/{game.key}/review/").status_code == 403
    assert not Review.objects.exists()


def test_the_result_links_to_the_review_and_a_running_game_does_not() -> None:
    game = game_of(*players(2))
    assert f"/g/{game.key}/review/" not in Client().get(f"/g/{game.key}/").text
    play(game.key, User.objects.get(username="Tobias"), Resign(0), 1, uuid.uuid4())
    for mode in ("", "text/"):
        assert f'href="/g/{game.key}/review/"' in Client().get(f"/g/{game.key}/{mode}").text
    assert f'href="/g/{game.key}/"' in page_of(game)


def test_a_running_game_has_no_review() -> None:
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    play_one(game)
    for client in (client_of(ines), Client()):
        answer = client.get(f"/g/{game.key}/review/")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/g/{game.key}/")
        answer = client.post(f"/g/{game.key}/review/")
        assert answer.status_code == 409
        assert "This game is not over yet. You can ask for its review after the end." in answer.text
    assert not Review.objects.exists()


def test_a_table_has_no_review_be_it_open_or_closed() -> None:
    ines = person("Ines")
    table = tables.open_table(ines, 2, (), beginner=False, is_public=True)
    assert Client().get(f"/g/{table.key}/review/").status_code == 302
    answer = Client().post(f"/g/{table.key}/review/")
    assert answer.status_code == 409
    assert "not over yet" in answer.text
    tables.close(table.key, ines)
    assert Client().get(f"/g/{table.key}/review/").status_code == 404
    assert Client().post(f"/g/{table.key}/review/").status_code == 404


@pytest.mark.parametrize("key", ["aaaaaaaaaa", "moon", "x" * 300])
def test_an_unknown_game_has_no_review(key: str) -> None:
    assert Client().get(f"/g/{key}/review/").status_code == 404
    assert Client().post(f"/g/{key}/review/").status_code == 404


def test_a_review_that_is_being_made_tells_how_far_it_is_and_asks_again() -> None:
    game = play_out(game_of(*players(2)))
    review_of(game, 12)
    page = page_of(game)
    assert f"12 of {game.version} turns" in page
    assert f'max="{game.version}" value="12"' in page
    assert f'hx-get="/g/{game.key}/review/"' in page
    assert f'href="/g/{game.key}/review/"' in page, "without a script one asks with a link"
    assert "longer than it should" not in page
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=2))
    assert "longer than it should" in page_of(game)


def test_a_page_that_waits_gets_what_has_changed_alone() -> None:
    game = resigned()
    review_of(game, 3)
    get = Client(headers=HTMX).get
    part = get(f"/g/{game.key}/review/").text
    assert "<html" not in part
    assert "3 of 7 turns" in part
    assert "The review is ready" not in part
    review_of(game)
    part = get(f"/g/{game.key}/review/").text
    assert 'hx-swap-oob="true"' in part
    assert "The review is ready." in part
    assert "hx-get" not in part, "nothing is left to wait for"
    assert len(rows_of(part)) == 7
    assert "The review is ready" not in page_of(game), "who comes later has not waited"


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_finished_review_shows_the_chart_the_turns_that_mattered_and_all_turns(count: int) -> None:
    game = a_finished(count)
    review = review_of(game)
    page = page_of(game)
    judged = [turn for turn in review.turns if turn["value"] is not None]
    assert len(judged) > 20, "a game that is worth the test"
    what = "Score to expect" if count == 1 else "Chance to win"
    assert f'<h2 id="h-chart">{what}</h2>' in page
    lines = re.findall(r'<path class="line[^"]*" d="M([^"]*L[^"]*)"', page)
    assert len(lines) == (4 if count == 4 else 1), "two share a line"
    assert sum(line.count("L") + 1 for line in lines) == len(judged) + len(lines), "and each has an end"
    assert page.count('<article class="panel key"') == 3
    assert page.count('<figure class="shot') == 6
    rows = rows_of(page)
    assert len(rows) == game.version
    lost = {number: turn["lost"] for number, turn in enumerate(review.turns, 1) if turn["lost"]}
    worst = sorted(lost, key=lambda number: -lost[number])[:3]
    assert [number for number, row in enumerate(rows, 1) if "is-key" in row] == sorted(worst)
    for number in worst:
        assert f'href="/g/{game.key}/{f"?at={number}" if number < game.version else ""}"' in rows[number - 1]
    for number, row in enumerate(rows, 1):
        assert ("better: " in row) is (number in lost)


def test_each_turn_that_mattered_tells_what_was_better_and_why() -> None:
    game = play_out(game_of(*players(2)))
    review = review_of(game)
    for article in re.findall("<article.*?</article>", page_of(game), re.DOTALL):
        words = said(article)
        number = int(re.search(r"Turn (\d+), (Ines|Tobias) gave away", words)[1])
        turn = review.turns[number - 1]
        assert f"gave away {round(100 * turn['lost'])}%" in words
        assert f"Chance to win: {round(100 * turn['value'])}% with the better turn" in words
        assert "Better: " in words
        assert len(re.findall("<li>[^<]+</li>", article)) >= 1
        before = f'href="/g/{game.key}/?at={number - 1}"'
        assert before in article, "one thinks about a turn where it was not yet taken"


@pytest.mark.parametrize("count", [1, 2])
def test_the_figures_of_a_turn_add_up_however_they_are_rounded(count: int) -> None:
    game = a_finished(count)
    review = review_of(game)
    one = 1 if count == 1 else 0.01
    review.turns = [
        {**turn, "value": 39.4 * one, "lost": 14.6 * one} if turn["lost"] else turn for turn in review.turns
    ]
    review.save()
    unit, left = ("", 54) if count == 1 else ("%", 24)
    page = page_of(game)
    articles = re.findall("<article.*?</article>", page, re.DOTALL)
    assert len(articles) == 3
    for article in articles:
        assert f"gave away 15{' points' if count == 1 else '%'}" in said(article)
        assert f": 39{unit} with the better turn, {left}{unit} with this one" in said(article)
    figures = re.compile(rf">39{unit}</td>.*?15{unit}</td>", re.DOTALL)
    lost = [bool(turn["lost"]) for turn in review.turns]
    assert [bool(figures.search(row)) for row in rows_of(page)] == lost
    if count == 1:
        assert f"gave away {15 * sum(lost)} points" in said(page)


@pytest.mark.parametrize(("count", "is_told"), [(1, False), (2, True)])
def test_the_table_tells_whose_turn_it_was_where_there_are_several(count: int, is_told: bool) -> None:
    game = a_finished(count)
    review_of(game)
    names = [re.search(r"<b>(.+):</b>", row) for row in rows_of(page_of(game))]
    assert all(bool(name) is is_told for name in names)
    if is_told:
        movers = game.actions.order_by("number").values_list("seat", flat=True)
        assert [name[1] for name in names] == [("Ines", "Tobias")[seat] for seat in movers]


def test_what_is_lost_in_a_solo_game_is_told_in_points() -> None:
    game = a_finished(1)
    review = review_of(game)
    page = said(page_of(game))
    assert "Lower is better" in page
    assert f"gave away {sum(round(turn['lost']) for turn in review.turns)} points" in page
    assert "%" not in page


def test_who_left_the_game_is_told_so_and_others_are_judged() -> None:
    game = resigned()
    review_of(game)
    rows = rows_of(page_of(game))
    assert "Tobias: left the game" in said(rows[-1])
    assert "–" in said(rows[-1])
    assert "%" in said(rows[0])


def test_a_game_without_a_choice_has_nothing_to_tell() -> None:
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    play(game.key, tobias, Resign(0), 1, uuid.uuid4())
    review_of(fresh(game))
    assert "nobody had a choice that the expert could judge" in page_of(game)


def test_turns_that_could_not_be_judged_are_counted() -> None:
    game = resigned()
    review = review_of(game)
    review.turns[1] = {"best": None, "value": None, "lost": None}
    review.save()
    assert "1 turn could not be judged" in page_of(game)


def test_the_review_is_the_same_for_all_but_for_who_is_you() -> None:
    game = resigned()
    review_of(game)
    theirs, yours = page_of(game), page_of(game, client_of(User.objects.get(username="Ines")))
    assert "Game of Ines and Tobias · Ines wins" in said(theirs)
    assert "Game with Tobias · You win" in said(yours)
    assert list(map(said, rows_of(theirs))) == list(map(said, rows_of(yours)))
