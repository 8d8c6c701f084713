"""What the home page, a table's page and the solo page show to each viewer."""

import re
import uuid
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup, Tag
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_webtest import DjangoTestApp

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Resign
from games.queries.browsing.archive import GAMES_ON_PAGE
from games.services import invitations, tables
from games.services.play import play
from tests.clients import HTMX
from tests.play import fresh, game_of, let_wait, mover, play_one, play_out, solo_of

pytestmark = pytest.mark.django_db


def sections(client: Client, path: str = "/") -> dict[str, str]:
    """Return the text of each section of a page by its heading."""
    page = BeautifulSoup(client.get(path).text, "html.parser")
    texts: dict[str, str] = {}
    for section in page.select("[aria-labelledby]"):
        heading = page.find(id=section["aria-labelledby"])
        assert isinstance(heading, Tag)
        texts[" ".join(heading.get_text().split())] = " ".join(section.get_text(" ").split())
    return texts


def test_a_visitor_can_play_now_and_sees_the_open_tables(client: Client, tobias: User) -> None:
    assert "No table is open" in sections(client)["Open tables"]
    game = tables.open_table(
        tobias, tables.TableOptions(3, options={"discs": 17}, is_public=True, pace="slow"), ["easy"]
    )
    tables.open_table(tobias, tables.TableOptions(4))
    page = client.get("/").text
    assert 'action="/play/"' in page
    shown = sections(client)["Open tables"]
    assert f"Tobias and {game.seats.get(number=1).name} bot · easy" in shown
    assert "3 players · 17 discs (beginner's length)" in shown
    assert "4 players" not in shown
    assert "New game" not in sections(client)


def test_only_people_who_can_be_on_a_leaderboard_are_promised_a_place(client: Client, ines: User) -> None:
    assert "for a place on the leaderboard" not in client.get("/").text
    for viewer, is_promised in ((ines, True), (User.objects.create_user("Amber", is_guest=True), False)):
        game_of(viewer, bots=("easy",))
        client.force_login(viewer)
        assert ("for a place on the leaderboard" in sections(client)["Solo"]) is is_promised


def test_a_first_visit_offers_the_deal_of_the_day_and_games_of_others(
    client: Client, ines: User, tobias: User
) -> None:
    play_one(game_of(tobias, User.objects.create_user("Mina")))
    client.force_login(ines)
    shown = sections(client)
    assert "Play now" in shown["Your first game"]
    assert "Today's deal" in shown["Solo"]
    assert "Tobias" in shown["Games to watch"]
    game_of(ines, bots=("easy",))
    assert "Games to watch" not in sections(client)


def test_an_invitation_is_announced_instead_of_no_game(client: Client, ines: User, tobias: User) -> None:
    client.force_login(tobias)
    for count, words in enumerate(("You have an invitation.", "You have 2 invitations."), 1):
        table = tables.open_table(ines, tables.TableOptions(2))
        invitations.invite(table.key, ines, tobias)
        page = client.get("/").text
        assert words in page
        assert "No game is waiting" not in page
        assert f"Invitations {count}" in sections(client)


@pytest.mark.databases
def test_each_game_is_in_the_right_section(client: Client, ines: User, tobias: User) -> None:
    game = game_of(ines, tobias)
    play_one(game)
    to_move = mover(game)
    client.force_login(to_move)
    other = tobias if to_move == ines else ines
    assert other.username in sections(client)["Your turn 1"]
    assert "Waiting for others" not in sections(client)
    assert "One game is waiting for your move" in client.get("/").text

    client.force_login(other)
    assert "Your turn 1" not in sections(client)
    assert f"Waits for {to_move.username}" in sections(client)["Waiting for others"]
    assert "No game is waiting for your move" in client.get("/").text

    winner = play_out(game).seats.get(rank=1).user
    client.force_login(winner)
    assert " Won" in sections(client)["Finished"]
    client.force_login(ines if winner == tobias else tobias)
    assert " Lost" in sections(client)["Finished"]
    assert "Play now" in sections(client)["A game right now"]


def test_a_live_game_comes_first_with_the_clock_that_runs(client: Client, ines: User, tobias: User) -> None:
    play_one(game_of(ines, tobias))
    table = tables.open_table(ines, tables.TableOptions(2, pace="live"))
    tables.join(table.key, tobias)
    live = fresh(table)
    waits = live.seats.exclude(user=mover(live)).get().user
    client.force_login(waits)
    shown = sections(client)
    assert next(iter(shown)) == "Live now 1"
    assert re.search(rf"{mover(live)}: \d+:\d\d$", shown["Live now 1"])
    assert "Play a person" not in client.get("/").text
    client.force_login(mover(live))
    assert "Live now 1" not in sections(client)


def test_games_say_who_is_ahead_and_how_long_they_have_waited(
    client: Client, ines: User, tobias: User
) -> None:
    mine, bots, old = game_of(ines, tobias), game_of(ines, bots=("hard", "easy")), game_of(ines, tobias)
    now = timezone.now()
    waits = {mine: timedelta(minutes=5), bots: timedelta(hours=3), old: timedelta(days=30)}
    for game, wait in waits.items():
        Game.objects.filter(pk=game.pk).update(moved_at=now - wait)
        let_wait(game, 0)
        game.seats.filter(number__gt=0).update(figures={"discs": 8, "time": 0})
    client.force_login(ines)
    page = BeautifulSoup(client.get("/").text, "html.parser")
    cards = [" ".join(card.get_text(" ").split()) for card in page.select(".card")]
    assert ["for 30 days" in cards[0], "for 3 hours" in cards[1], "for 5 minutes" in cards[2]] == [True] * 3
    assert "You have 20 discs left · Tobias has 8 Has been waiting for 30 days" in cards[0]
    assert "bot · hard" in cards[1]
    assert "bot · easy" in cards[1]
    assert "You have 20 discs left · your best opponent has 8" in cards[1]

    for game in waits:
        let_wait(game, 1)
    shown = sections(client)["Waiting for others"]
    assert shown.index("for 30 days") < shown.index("for 3 hours") < shown.index("for 5 minutes")
    assert "Waits for Tobias for 30 days" in shown


@pytest.mark.databases
def test_finished_games_have_pages(client: Client, ines: User, tobias: User) -> None:
    for _game in range(GAMES_ON_PAGE + 1):
        tables.open_table(ines, tables.TableOptions(2, is_public=True), ["easy"])
        Game.objects.update(status=Game.Status.OVER)
    oldest, newest = Game.objects.earliest("pk"), Game.objects.latest("pk")
    client.force_login(ines)
    home = client.get("/").text
    assert "All finished games and statistics" in home
    assert newest.key in home
    assert oldest.key not in home
    first, second = client.get("/finished/").text, client.get("/finished/?page=2").text
    assert [newest.key in first, oldest.key in first, "?page=2" in first] == [True, False, True]
    assert [newest.key in second, oldest.key in second, "?page=1" in second] == [False, True, True]
    assert client.get("/finished/?page=nonsense").status_code == 200
    client.force_login(tobias)
    assert newest.key not in client.get("/finished/").text
    assert "All finished games and statistics" not in client.get("/").text
    assert Client().get("/finished/").headers["Location"] == "/account/login/?next=/finished/"


@pytest.mark.databases
def test_more_games_need_no_more_queries(client: Client, ines: User, tobias: User) -> None:
    client.force_login(ines)
    counts = []
    for _round in range(3):
        for _game in range(2):
            play_one(game_of(ines, tobias))
            game_of(ines, bots=("easy", "hard"))
            tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
            tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
            play(solo_of(ines).key, ines, Resign(0), 1, uuid.uuid4())
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/").status_code == 200
        counts.append(len(captured))
    # The first games do not fill every list.
    assert counts[1] == counts[2] <= 37


def test_own_and_others_tables_are_in_separate_sections(client: Client, ines: User, tobias: User) -> None:
    tables.open_table(ines, tables.TableOptions(3))
    tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"), ["hard"])
    client.force_login(ines)
    shown = sections(client)
    assert "Your table 2 seats free" in shown["Waiting for others"]
    assert "not listed" in shown["Waiting for others"]
    assert "bot" not in shown["Waiting for others"]
    assert "bot · hard" in shown["Open tables"]
    assert "Tobias" in shown["Open tables"]
    assert "Your table" not in shown["Open tables"]


@pytest.mark.parametrize(
    ("opponents", "bots", "is_public"),
    [("bots", ["", "easy", "easy"], True), ("people", ["", "", ""], False)],
)
def test_parts_of_the_form_that_do_not_matter_are_ignored(
    django_app: DjangoTestApp, ines: User, opponents: str, bots: list[str], is_public: bool
) -> None:
    """Without style sheets, the form shows the parts for bots and for people."""
    [form] = [form for form in django_app.get("/", user=ines).forms.values() if form.action == "/new/"]
    form["opponents"], form["seat_count"], form["is_public"] = opponents, "3", False
    form.submit().follow()
    game = Game.objects.get()
    assert [seat.bot for seat in game.seats.all()] == bots
    assert game.is_public is is_public


def buttons(client: Client, game: Game) -> list[str]:
    page = BeautifulSoup(client.get(game.get_absolute_url()).text, "html.parser")
    return [button.get_text(strip=True) for button in page.select("#game form button")]


def test_a_table_shows_each_viewer_what_they_can_do(client: Client, ines: User, tobias: User) -> None:
    game = tables.open_table(ines, tables.TableOptions(3))
    assert buttons(client, game) == [
        "Join as a guest",
        "Log in and join",
        "Sign up and join",
    ]
    client.force_login(tobias)
    assert buttons(client, game) == ["Join the table"]
    client.post(f"/g/{game.key}/join/")
    assert buttons(client, game) == ["Leave the table"]
    client.force_login(ines)
    assert buttons(client, game) == ["Invite", "Fill the free seat with a bot", "Close the table"]

    page = client.get(game.get_absolute_url()).text
    assert f'value="http://testserver/g/{game.key}/"' in page
    assert "1 seat is free" in page
    assert "only people with the link can find it" in page


def test_a_refused_request_is_explained_on_the_table(client: Client, ines: User, tobias: User) -> None:
    game = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    client.force_login(tobias)
    response = client.post(f"/g/{game.key}/close/")
    assert response.status_code == 403
    assert 'role="alert">Only the person who opened this table can close it.' in response.text
    assert Game.objects.get().is_open


def test_htmx_gets_only_the_part_that_changes(client: Client, ines: User) -> None:
    game = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    part = client.get(game.get_absolute_url(), headers=HTMX).text
    assert "<html" not in part
    assert BeautifulSoup(part, "html.parser").select_one("#game[data-version='-1']")


def test_the_solo_page_for_a_visitor_and_for_a_player(client: Client, ines: User) -> None:
    assert "first place is free" in sections(client, "/solo/")["Leaderboard"]
    assert "Your games" not in sections(client, "/solo/")

    score = play_out(solo_of(ines), 3).score
    client.force_login(ines)
    assert client.post("/solo/start/", {"request_id": str(uuid.uuid4())}).url.startswith("/g/")
    shown = sections(client, "/solo/")
    assert shown["Your best score"] == f"Your best score {score} place 1 on the leaderboard 1 game"
    assert f"Score {score}" in shown["Your latest results"]
    assert "21 discs left" in shown["Your games"]
    assert "Ines you" in shown["Leaderboard"]


def test_a_person_to_play_with_is_always_one_press_away(client: Client, ines: User, tobias: User) -> None:
    client.force_login(ines)
    assert "Play a person" in client.get("/").text
    game_of(ines, tobias)
    assert "Play a person, 5 min each" in client.get("/").text
