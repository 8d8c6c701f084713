"""The board of a reviewed action: what it lost, the better action drawn, and the way back to the review."""

import re
import uuid
from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from games.log.replay import public_log
from games.models import Action, Game, Review
from games.novaluna.engine import Resign
from games.services.play import play
from tests.clients import HTMX, client_of
from tests.games.views.review_pages import page_of, players, text_of
from tests.play import fresh, game_of, person, play_out, play_some, review_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A finished game of Ines and Tobias with a review in which one place action lost 20 points."""
    game = play_out(game_of(*players(2)))
    review = review_of(game)
    review.turns = [turn | {"lost": 0.0} for turn in review.turns]
    number = mistaken(game)
    # The other tile of the same turn, as if it were better, at the same cell.
    review.turns[number - 1] |= {"best": better(game, number), "value": 0.6, "lost": 0.2}
    review.save()
    return game


def mistaken(game: Game) -> int:
    """Return the number of a place action after which the first tile in reach stayed on the wheel."""
    places = Action.objects.filter(game=game, payload__do="place", number__gt=6).order_by("number")
    first: Action = places[0]
    return first.number


def better(game: Game, number: int) -> dict[str, object]:
    log = public_log(game, seat=None)
    before, played = log.at(number - 1), Action.objects.get(game=game, number=number).payload
    tile = next(tile.code for tile in before.in_reach if tile.code != played["tile"])
    return {**played, "tile": tile}


def board(game: Game, query: str, path: str = "") -> str:
    response = Client().get(f"/g/{game.key}/{path}{query}")
    assert response.status_code == 200
    return response.text


def test_a_point_of_the_chart_opens_the_board_with_the_loss_and_the_better_tile(game: Game) -> None:
    number = mistaken(game)
    tile = better(game, number)["tile"]
    link = re.search(rf'<a id="point-{number}".*?href="([^"]*)"', page_of(game), re.DOTALL)
    assert link
    page = Client().get(unescape(link[1])).text
    assert f"Action {number} of {game.version}" in text_of(page)
    assert f"Action {number} lost 20 points of winning chance" in text_of(page)
    assert "Better: " in text_of(page)
    shown = re.search(r'<li class="better.*?</li>', page, re.DOTALL)
    assert shown
    assert f"#tile-{tile}" in shown[0]
    assert "is-covered" in shown[0], "the tile that was played is on that cell"
    assert "wheel__space is-plain is-hinted" in page
    assert f'href="/g/{game.key}/review/?at={number}#point-{number}"' in page
    assert re.search(rf'class="named".{{,90}}#tile-{tile}"', page), "its picture is beside the words"
    strip = re.search(r'<nav class="strip".*?</nav>', page, re.DOTALL)
    assert strip
    assert re.search(rf'href="/g/{game.key}/\?at={number}&amp;review=point" aria-current="true"', strip[0])


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_past_action_of_a_reviewed_game_leads_to_its_review(game: Game, mode: str) -> None:
    number = mistaken(game)
    link = rf'href="/g/{game.key}/{mode}\?at={number}&amp;review=point">\s*Review of action {number}</a>'
    assert re.search(link, board(game, f"?at={number}", mode))
    assert "Review of action" not in board(game, f"?at={number}&review=point", mode)
    assert "Review of action" not in board(game, "?at=0", mode) + board(game, "", mode)
    Review.objects.update(finished_at=None)
    assert "Review of action" not in board(game, f"?at={number}", mode)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_readers_display_stays_the_large_one_and_the_better_tile_is_where_the_player_acted(
    game: Game, seat: int
) -> None:
    reader, number = game.seats.get(number=seat).user, mistaken(game)
    actor = Action.objects.get(game=game, number=number).seat
    for shown in (number, number + 1):
        page = client_of(reader).get(f"/g/{game.key}/?at={shown}&review=key").text
        assert re.search(rf'id="display"\s+data-seat="{seat}"', page)
        large, _mini, others = page.partition('class="panel mini"')
        assert ('class="better' in large) == (shown == number and actor == seat)
        assert ('class="better' in others) == (shown == number and actor != seat)


def test_the_history_of_a_reviewed_game_has_all_actions_with_their_losses(game: Game) -> None:
    number = mistaken(game)
    page = board(game, f"?at={number}&review=key")
    rows = re.findall(r'<a class="log__entry judged.*?</a>', page, re.DOTALL)
    assert len(rows) == game.version
    assert [at for at, row in enumerate(rows, 1) if "Lost" in row] == [number]
    assert [at for at, row in enumerate(rows, 1) if 'aria-current="true"' in row] == [number]
    side_change = "60% → 40%" if "Ines:" in text_of(rows[number - 1]) else "40% → 60%"
    assert f"−20 Chance to win for Ines {side_change}" in text_of(rows[number - 1]), (
        "a visitor sees the first player's"
    )
    assert "better: " in text_of(rows[number - 1])
    assert "judged" not in board(game, f"?at={number}")


def test_the_page_of_a_review_has_the_board_of_an_action(game: Game) -> None:
    number, path = mistaken(game), f"/g/{game.key}/review/"
    assert f"Action {number} lost 20 points of winning chance" in text_of(page_of(game)), "the key action"
    page = board(game, "review/?at=5")
    assert "Action 5: as good as the expert's" in text_of(page)
    assert f'href="{path}?at=6&amp;review=action"' in page, "steps stay on the page, also without scripts"
    assert f'data-link="/g/{game.key}/?at=5&amp;review=action"' in page, "the copied link suits every window"
    steps = board(game, f"review/?at={game.version - 1}").partition('class="bar__steps"')[2]
    last = f'href="{path}?at={game.version}&amp;review=action"'
    assert last in steps.partition("</div>")[0], "also to the last action"
    part = Client(headers=HTMX | {"HX-Target": "game"}).get(f"{path}?at={game.version}").text
    assert "<html" not in part
    assert "<title" not in part.partition("<svg")[0], "the tab still says that this is a review"
    elsewhere = Client(headers=HTMX | {"HX-Target": "game"}).get(f"/g/{game.key}/?at=5").text
    assert "<title" in elsewhere.partition("<svg")[0]
    assert f"Action {game.version}: as good as the expert's" in text_of(part)
    Review.objects.update(finished_at=None)
    assert 'id="game"' not in board(game, "review/?at=5")


def test_steps_and_entries_stay_in_the_review(game: Game) -> None:
    page = board(game, "?at=5&review=action")
    links = re.findall(rf'href="/g/{game.key}/(\?at=[^"]*)"', page)
    assert {"?at=4&amp;review=action", "?at=6&amp;review=action"} <= set(links)
    assert all("review=action" in link for link in links)
    assert f"?at={game.version}&amp;review=action" in links, "the last action has a judgement too"


def test_the_last_action_shows_its_judgement_and_not_the_result(game: Game) -> None:
    page = text_of(board(game, f"?at={game.version}&review=point"))
    assert f"Action {game.version}: as good as the expert's" in page
    assert "Back to the review" in page
    assert "Back to the review" not in text_of(board(game, ""))


def test_text_mode_says_the_same(game: Game) -> None:
    number = mistaken(game)
    page = text_of(board(game, f"?at={number}&review=point", "text/"))
    assert f"Action {number} lost 20 points of winning chance" in page
    assert "Better: " in page
    assert "Back to the review" in page


@pytest.mark.parametrize("query", ["?at=5&review=elsewhere", "?at=5"])
def test_other_pages_show_no_judgement(game: Game, query: str) -> None:
    assert "Back to the review" not in text_of(board(game, query))
    assert "After action 5" in text_of(board(game, query))


def test_an_unfinished_review_shows_what_is_judged(game: Game) -> None:
    number = mistaken(game)
    review = Review.objects.get()
    review.turns, review.finished_at = review.turns[:number], None
    review.save()
    judged = text_of(board(game, f"?at={number}&review=point"))
    assert f"Action {number} lost 20 points of winning chance" in judged
    waiting = text_of(board(game, f"?at={number + 1}&review=point"))
    assert f"After action {number + 1}" in waiting
    assert "Back to the review" in judged
    assert "Back to the review" in waiting
    assert "Review of action" not in judged + waiting
    Review.objects.update(turns=[])
    assert "Back to the review" not in text_of(board(game, f"?at={number}&review=point"))


def test_a_running_game_shows_no_judgement() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    running = game_of(ines, tobias)
    play_some(running, 6)
    Review.objects.create(game=running, turns=[{"best": None, "value": None, "lost": 0.4}] * 6)
    page = text_of(board(running, "?at=5&review=point"))
    assert "After action 5" in page
    assert "lost" not in page.split("After action 5")[1].split("History")[0]


def test_one_press_leads_from_the_result_to_the_review() -> None:
    game = game_of(*players(2))
    play_some(game, 2)
    play(game.key, User.objects.get(username="Tobias"), Resign(0), 3, uuid.uuid4())
    client = Client()
    client.force_login(User.objects.get(username="Ines"))
    for path in ("", "text/"):
        page = client.get(f"/g/{game.key}/{path}").text
        assert re.search(rf'<form[^>]*method="post"[^>]*action="/g/{game.key}/review/"', page)
    assert client.post(f"/g/{game.key}/review/").status_code == 302
    page = client.get(f"/g/{game.key}/").text
    assert f'href="/g/{game.key}/review/"' in page, "the review exists, so a link is enough"
    assert not re.search(rf'<form[^>]*action="/g/{game.key}/review/"', page)
    review_of(fresh(game))
