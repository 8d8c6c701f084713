"""The finished games of a person: searches, filters, pages and records."""

import json
import uuid
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import ChatLine, Game, RatingChange, Review, Seat
from games.services import tables
from games.services.play import play, resign_for
from games.titles.actions import Resign
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, let_everybody_move, match_of, person, play_one, play_out, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def ines() -> User:
    return person("Ines")


def finished(*users: User, places: tuple[int | None, ...] = (), **columns: object) -> Game:
    """Return a finished game with these places and columns."""
    game = play_one_and_cut(game_of(*users)) if len(users) > 1 else play_one_and_cut(solo_of(users[0]))
    for number, place in enumerate(places):
        game.seats.filter(number=number).update(place=place)
    Game.objects.filter(pk=game.pk).update(**columns)
    return fresh(game)


def play_one_and_cut(game: Game) -> Game:
    """End a game in which everybody has moved, without places, and with at most one action."""
    if not game.seats.exclude(bot="").exists():
        play_one(game)
    let_everybody_move(game)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    Seat.objects.filter(game=game).update(place=None)
    return fresh(game)


def shown(client: Client, query: str = "") -> list[str]:
    return [summary.key for summary in client.get(f"/finished/{query}").context["games"]]


def test_games_are_found_by_a_part_of_a_name_or_a_whole_name_in_quotes(ines: User) -> None:
    tobias, other = person("Tobias"), person("Tobiasson")
    first, second = finished(ines, tobias), finished(ines, other)
    bot = play_one_and_cut(tables.open_table(ines, tables.TableOptions(2), ["easy"]))
    finished(tobias, other)
    client = client_of(ines)
    assert shown(client) == [bot.key, second.key, first.key]
    assert shown(client, "?who=tobias") == [second.key, first.key]
    assert shown(client, "?who=%22tobias%22") == [first.key]
    assert shown(client, "?who=tob") == [second.key, first.key]
    assert shown(client, "?who=tobiass") == [second.key]
    assert shown(client, f"?who={bot.seats.get(number=1).bot_name[:4].lower()}") == [bot.key]
    assert shown(client, "?who=Ines") == []
    assert "No finished game of yours matches." in client.get("/finished/?who=nobody").text
    assert 'value="tob"' in client.get("/finished/?who=tob").text


def test_results_are_those_of_the_viewer(ines: User) -> None:
    tobias = person("Tobias")
    won = finished(ines, tobias, places=(1, 2))
    lost = finished(tobias, ines, places=(1, 2))
    drawn = finished(ines, tobias, places=(1, 1))
    cancelled = finished(ines, tobias)
    client = client_of(ines)
    with_hints = finished(ines, tobias, places=(1, 2), is_without_hints=False)
    finished(ines)  # a solo game
    by_result = {"won": won, "lost": lost, "drawn": drawn, "uncounted": with_hints, "none": cancelled}
    assert {result: shown(client, f"?result={result}") for result in by_result} == {
        result: [game.key] for result, game in by_result.items()
    }
    page = client.get("/finished/?who=")
    expected = ["1 won", "1 tied", "1 lost", "1 not counted", "1 cancelled", "1 solo"]
    assert [text for _result, text in page.context["results"].parts] == expected
    assert 'href="?who=&amp;result=uncounted"' in page.text


def test_games_that_nobody_played_out_do_not_count(ines: User) -> None:
    tobias = person("Tobias")
    won = finished(ines, tobias, places=(1, 2))
    finished_by_bot = finished(ines, tobias, places=(1, 2))
    finished_by_bot.seats.filter(user=ines).update(caretaker="easy")
    without_moves = finished(ines, tobias, places=(1, 2))
    without_moves.actions.filter(made_by=tobias).update(payload={"do": "resign"})
    client = client_of(ines)
    assert shown(client, "?result=won") == [won.key]
    assert shown(client, "?result=uncounted") == [without_moves.key, finished_by_bot.key]
    page = client.get("/finished/").text
    assert page.count('<span class="badge">not counted</span>') == 2
    assert "games that a bot finished for you do not count" in " ".join(page.split())
    assert [row.played for row in client.get("/people/Tobias/").context["profile"].head_to_head] == [1]
    assert [row.won for row in client.get("/people/Ines/").context["profile"].tallies] == [1]
    assert client.get("/finished/statistics/").context["insights"].total.played == 1
    # The bot played for Ines only.
    assert shown(client_of(tobias), "?result=lost") == [finished_by_bot.key, won.key]


def test_filters_add_up_and_wrong_values_restrict_nothing(ines: User) -> None:
    tobias = person("Tobias")
    march = datetime(2026, 3, 31, 23, 59, tzinfo=UTC)
    old = finished(ines, tobias, moved_at=march, version=31, changes_ratings=True)
    new = finished(ines, person("Mina"), tobias, version=61)
    solo = finished(ines, version=30)
    ChatLine.objects.create(game=new, author=tobias, text="Well played")
    ChatLine.objects.create(watched=old, author=person("Noor"), text="What a move")
    Review.objects.create(game=old, finished_at=timezone.now())
    Review.objects.create(game=new)
    client = client_of(ines)
    expected = {
        "?players=3": [new],
        "?players=1": [solo],
        "?length=short": [solo],
        "?length=medium": [old],
        "?length=long": [new],
        "?rated=yes": [old],
        "?rated=no": [solo, new],
        "?since=2026-03-31&until=2026-03-31": [old],
        "?until=2026-03-30": [],
        "?since=2026-04-01": [solo, new],
        "?chat=on": [new, old],
        "?review=yes": [old],
        "?review=no": [solo, new],
        "?who=Tobias&rated=no": [new],
        "?players=many&length=x&since=tomorrow&result=?": [solo, new, old],
    }
    assert {query: shown(client, query) for query in expected} == {
        query: [game.key for game in games] for query, games in expected.items()
    }
    assert "errorlist" in client.get("/finished/?since=tomorrow").text


def test_rows_say_how_long_a_game_was_what_it_did_to_the_rating_and_whether_it_has_a_review(
    ines: User,
) -> None:
    game = finished(ines, person("Tobias"), places=(1, 2), version=31, changes_ratings=True)
    plain = finished(ines, person("Mina"), version=1, pace="slow")
    RatingChange.objects.create(
        game=game,
        user=ines,
        seat=0,
        place=1,
        has_left=False,
        ended_at=timezone.now(),
        games=1,
        mean_before=1500,
        deviation_before=300,
        mean=1514,
        deviation=280,
        model="test",
    )
    Review.objects.create(game=game, finished_at=timezone.now())
    for number, discs in enumerate((0, 5)):
        game.seats.filter(number=number).update(figures={"discs": discs, "time": 9})
    page = client_of(ines).get("/finished/").text
    listed = BeautifulSoup(page, "html.parser")
    rows = {
        key: " ".join(listed.find(id=f"row-{key}").get_text(" ").split()) for key in (game.key, plain.key)
    }
    for words in ("31 actions · Rating 1514, up 14", "reviewed", " Won ", "Discs left 0 : 5"):
        assert words in rows[game.key]
    assert "1 action · slow" in rows[plain.key]
    assert "Discs left" not in rows[plain.key], "nobody has a place"
    others = client_of(User.objects.get(username="Tobias")).get("/people/Ines/").text
    assert "Discs left 0\u00a0:\u00a05" in others, "in the order of the names"
    assert "reviewed" not in rows[plain.key]
    assert listed.find(id=f"row-{plain.key}").find(class_="thumb")


@pytest.mark.parametrize(
    ("reason", "won", "lost", "seen"),
    [
        (None, "Won: Tobias resigned", "Lost: you resigned", "Ines won: Tobias resigned"),
        ("time", "Won on time", "Lost on time", "Ines won on time"),
        ("absent", "Won: Tobias was absent", "Lost: you were absent", "Ines won: Tobias was absent"),
    ],
)
def test_rows_say_how_a_game_ended_for_whom(
    ines: User, reason: str | None, won: str, lost: str, seen: str
) -> None:
    tobias = person("Tobias")
    game = game_of(ines, tobias)
    play_one(game)
    seat = game.seats.get(user=tobias)
    if reason:
        with transaction.atomic():
            resign_for(fresh(game), seat, reason)
    else:
        play(game.key, tobias, Resign(seat.number), 2, uuid.uuid4())
    for client, path, words in (
        (client_of(ines), "/finished/", won),
        (client_of(tobias), "/finished/", lost),
        (client_of(tobias), "/people/Ines/", seen),
        (client_of(person("Noor")), "/people/Ines/", seen),
    ):
        page = without_marks(client.get(path).text)
        row = " ".join(page.partition('row--finished">')[2].partition("</li>")[0].split())
        assert f">{words}<" in row
        assert "1 action<" in row or "1 action " in row, "to leave is no action of the game"


def test_pages_keep_the_filters(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.queries.browsing.archive.GAMES_ON_PAGE", 1)
    tobias = person("Tobias")
    first, second = finished(ines, tobias), finished(ines, tobias)
    finished(ines, person("Mina"))
    client = client_of(ines)
    assert 'href="?who=Tobias&amp;page=2"' in client.get("/finished/?who=Tobias").text
    assert [shown(client, f"?who=Tobias&page={page}") for page in (1, 2)] == [[second.key], [first.key]]


def test_more_games_need_no_more_queries(
    ines: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tobias, client = person("Tobias"), client_of(ines)
    query = "/finished/?who=tob&result=won&players=2&rated=no&length=short&since=2020-01-01&chat=on"
    for count in (1, 6):
        for _game in range(count):
            game = finished(ines, tobias, places=(1, 2))
            ChatLine.objects.create(game=game, author=tobias, text="Hello")
        with django_assert_max_num_queries(18):  # one is for the names of blocked people
            client.get(query)


def test_records_are_lines_of_json_for_finished_games_of_the_viewer_only(ines: User) -> None:
    tobias, mina = person("Tobias"), person("Mina")
    first, second = play_out(game_of(ines, tobias)), play_out(game_of(ines, mina, is_public=False))
    game_of(ines, tobias)
    play_out(game_of(tobias, mina))
    match = match_of(ines, tobias)
    Game.objects.filter(pk=match[0].pk).update(status=Game.Status.OVER)
    client = client_of(ines)

    def records(query: str = "") -> list[str]:
        response = client.post(f"/finished/records.jsonl{query}")
        assert response["Content-Type"] == "application/jsonl"
        today = timezone.localdate().isoformat()
        assert response["Content-Disposition"] == f'attachment; filename="nova-luna-ines-{today}.jsonl"'
        text = b"".join(response.streaming_content).decode()
        return [json.loads(line)["game"] for line in text.splitlines()]

    assert records() == [second.key, first.key]
    assert records("?who=Mina") == [second.key]
    assert Client().post("/finished/records.jsonl").status_code == 302
    assert client.get("/finished/records.jsonl").status_code == 405
    empty = client.post("/finished/records.jsonl?who=Mona", follow=True)
    assert empty.redirect_chain == [("/finished/?who=Mona", 302)]
    assert "there is no file" in empty.text
    for query, error in (
        ("?since=bad", "Enter a valid date."),
        ("?since=2026-05-02&until=2026-05-01", "This day is before the first day."),
    ):
        unread = client.post(f"/finished/records.jsonl{query}", follow=True)
        assert unread.redirect_chain == [(f"/finished/{query}", 302)]
        assert error in unread.text
    lines = b"".join(client.post("/finished/records.jsonl?who=Mina").streaming_content)
    assert json.loads(lines) == client.get(f"/g/{second.key}/record.json").json()


def test_the_own_profile_and_the_menu_lead_to_finished_games(ines: User) -> None:
    page, others = (client_of(user).get("/people/Ines/").text for user in (ines, person("Tobias")))
    assert (page.count('href="/finished/"'), others.count('href="/finished/"')) == (2, 1)
    assert 'href="/finished/statistics/"' in page


def test_too_many_files_of_records_are_refused(ines: User) -> None:
    client = client_of(ines)
    play_out(game_of(ines, person("Tobias")))
    *files, refused = [client.post("/finished/records.jsonl") for _file in range(11)]
    assert [file.status_code for file in files] == [200] * 10
    assert refused.status_code == 429
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert "downloaded your games too often" in refused.text


@pytest.mark.parametrize(
    "query", ["since=0001-01-01", "until=9999-12-31", "since=9999-12-31", "until=0001-01-01"]
)
def test_the_first_and_the_last_day_of_all_are_searched(ines: User, query: str) -> None:
    game = finished(ines, person("Tobias"))
    User.objects.filter(pk=ines.pk).update(time_zone="Pacific/Auckland")
    is_found = query in ("since=0001-01-01", "until=9999-12-31")
    assert shown(client_of(ines), f"?{query}") == [game.key] * is_found
    User.objects.filter(pk=ines.pk).update(time_zone="America/Los_Angeles")
    assert shown(client_of(ines), f"?{query}") == [game.key] * is_found


def test_the_search_is_open_and_counts_its_filters_only_while_one_is_set(ines: User) -> None:
    finished(ines, person("Tobias"))
    client = client_of(ines)
    counts = {"": "", "?who=tob": "1 filter", "?who=tob&result=won&rated=no&page=1": "3 filters"}
    for query, count in counts.items():
        [fold] = BeautifulSoup(client.get(f"/finished/{query}").text, "html.parser").select(".archive__fold")
        assert fold.has_attr("open") == bool(count)
        assert fold.summary.text.split() == ["Search", "your", "games", *count.split()]
