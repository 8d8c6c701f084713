"""Tables: how people open, join, leave and close them, and how their games start."""

import uuid

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts.models import User
from games.models import Game
from games.novaluna.bots import face as bots
from games.novaluna.engine import Resign
from games.queries.access import access_version
from games.services import tables
from games.services.errors import Conflict
from games.services.play import play
from games.services.tables import limits
from tests.clients import client_of
from tests.play import fresh, game_of, person

pytestmark = pytest.mark.django_db

TWO_SEATS = {"seat_count": 2, "is_public": "on"}
AGAINST_BOTS = {"opponents": "bots", "seat_count": 2}


def form_fields(**fields: object) -> dict[str, object]:
    """Return what the form of a new game posts, for a game with people if the fields do not differ."""
    return {"request_id": str(uuid.uuid4()), "opponents": "people", "level": "easy", **fields}


@pytest.fixture
def table(ines: User) -> Game:
    return tables.open_table(
        ines, tables.TableOptions(3, options={"discs": 17}, is_public=True, pace="slow"), ("easy",)
    )


def test_the_home_page_lists_only_public_tables_to_strangers(ines: User) -> None:
    client = client_of(ines)
    listed = client.post("/new/", form_fields(**TWO_SEATS))["Location"]
    by_link = client.post("/new/", form_fields(**TWO_SEATS | {"is_public": ""}))["Location"]
    stranger = client_of(person("Noor"))
    home = stranger.get("/").text

    assert listed in home
    assert by_link not in home
    assert stranger.get(by_link).status_code == 200


@pytest.mark.parametrize(
    ("is_public", "pace", "bots", "is_possible"),
    [
        (True, "", ("easy",), False),
        (True, "slow", ("easy",), True),
        (False, "", ("easy",), True),
        (True, "", ("easy", "easy"), True),
    ],
)
def test_only_private_tables_and_games_with_bots_alone_have_no_clock(
    ines: User, is_public: bool, pace: str, bots: tuple[str, ...], is_possible: bool
) -> None:
    def open_table() -> Game:
        return tables.open_table(ines, tables.TableOptions(3, is_public=is_public, pace=pace), bots)

    if is_possible:
        assert open_table().is_public is is_public
    else:
        with pytest.raises(Conflict, match="needs a clock"):
            open_table()
        assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("seats", "beginner", "discs"),
    [(2, "", 20), (2, "on", 20), (3, "", 20), (3, "on", 17), (4, "", 20), (4, "on", 15)],
)
def test_the_length_of_the_game(ines: User, seats: int, beginner: str, discs: int) -> None:
    client_of(ines).post("/new/", form_fields(seat_count=seats, beginner=beginner))
    assert Game.objects.get().goal_discs == discs


def test_a_table_full_of_bots_starts_immediately(ines: User) -> None:
    response = client_of(ines).post(
        "/new/", form_fields(opponents="bots", seat_count=4, level="medium"), follow=True
    )
    game = Game.objects.get()

    assert game.is_running
    assert [seat.bot for seat in game.seats.all()] == ["", "medium", "medium", "medium"]
    assert game.is_public
    assert 'id="game"' in response.text


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_bot_level_can_be_chosen(ines: User, level: str) -> None:
    client = client_of(ines)
    # For each of three opponents, and for the seats of people whose time is up.
    assert client.get("/new/").text.count(f'<option value="{level}"') == 4
    client.post("/new/", form_fields(**AGAINST_BOTS, level=level))
    assert [seat.bot for seat in Game.objects.get().seats.all()] == ["", level]


@pytest.mark.parametrize("level", ["random", "uct1024", "cmd:true", "Hard"])
def test_an_unknown_bot_level_is_refused(ines: User, level: str) -> None:
    response = client_of(ines).post("/new/", form_fields(**AGAINST_BOTS, level=level))
    assert response.status_code == 400
    assert "is not one of the available choices" in response.text
    assert not Game.objects.exists()


def test_a_table_for_people_has_no_bot(ines: User) -> None:
    client_of(ines).post("/new/", form_fields(seat_count=3, level="medium"))
    assert [seat.bot for seat in Game.objects.get().seats.all()] == ["", "", ""]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat_count": 5},
        {"seat_count": "two"},
        {},
        AGAINST_BOTS | {"level": "genius"},
        AGAINST_BOTS | {"level": ""},
        {"seat_count": 2, "opponents": "cats"},
        {"seat_count": 2, "opponents": ""},
    ],
)
def test_a_wrong_form_is_refused_and_shown_again(ines: User, wrong: dict[str, object]) -> None:
    response = client_of(ines).post("/new/", form_fields(**wrong))

    assert response.status_code == 400
    assert "<form" in response.text
    assert not Game.objects.exists()


def test_the_last_player_who_joins_starts_the_game(table: Game) -> None:
    joiner = client_of(person("Tobias"))
    response = joiner.post(f"/g/{table.key}/join/", follow=True)

    assert response.status_code == 200
    game = fresh(table)
    assert game.is_running
    assert sorted(game.deal.dealt["start_order"]) == [0, 1, 2]
    assert game.deal.commitment in response.text


def test_joining_twice_keeps_one_seat(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    joiner = client_of(person("Tobias"))
    for _time in range(2):
        assert joiner.post(f"/g/{table.key}/join/").status_code == 302
    assert fresh(table).is_open
    assert table.seats.free().count() == 1


def test_a_full_table_refuses_and_shows_the_game() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    response = client_of(person("Noor")).post(f"/g/{game.key}/join/")

    assert response.status_code == 409
    assert "Every seat at this table is taken" in response.text
    assert 'id="game"' in response.text


def test_a_visitor_must_log_in_before_joining(table: Game) -> None:
    response = Client().post(f"/g/{table.key}/join/")
    assert response["Location"] == f"/account/login/?next=/g/{table.key}/"
    assert fresh(table).seats.free().count() == 1


def levels(table: Game) -> list[str]:
    return [seat.bot for seat in table.seats.order_by("number")]


def test_the_opener_fills_a_table_with_bots_at_any_time(ines: User) -> None:
    table = tables.open_table(
        ines, tables.TableOptions(4, options={"discs": 15}, is_public=True, pace="slow")
    )
    tables.join(table.key, person("Tobias"))
    response = client_of(ines).post(f"/g/{table.key}/bots/", {"level": "medium"}, follow=True)
    assert 'id="game"' in response.text
    game = fresh(table)
    assert game.is_running
    assert game.goal_discs == 15
    assert levels(game) == ["", "", "medium", "medium"]
    assert len({seat.name for seat in game.seats.all()}) == 4
    again = client_of(ines).post(f"/g/{table.key}/bots/", {"level": "easy"})
    assert (again.status_code, again.url) == (302, table.get_absolute_url())
    assert levels(game) == ["", "", "medium", "medium"]


def test_the_opener_adds_one_bot_after_the_other(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(4, is_public=True, pace="slow"))
    client, versions = client_of(ines), [access_version(AnonymousUser(), table.key)]
    for fields in ({"seat": 2, "level": "hard"}, {"seat": 2, "level": "easy"}, {"seat": 1, "level": "hard"}):
        assert client.post(f"/g/{table.key}/bots/", fields).status_code == 302
        versions.append(access_version(AnonymousUser(), table.key))
    assert levels(table) == ["", "hard", "hard", ""], "the second press has changed nothing"
    assert versions == [-1, -2, -2, -3], "open pages of the table show each change"
    assert len({seat.name for seat in table.seats.all()}) == 4
    tables.join(table.key, person("Tobias"))
    assert fresh(table).is_running


def test_only_the_opener_adds_bots_and_only_to_free_seats(ines: User, table: Game) -> None:
    address, tobias = f"/g/{table.key}/bots/", person("Tobias")
    assert client_of(tobias).post(address, {"level": "easy"}).status_code == 403
    assert Client().post(address, {"level": "easy"}).url.startswith("/account/login/")
    client = client_of(ines)
    for wrong in ({}, {"level": "genius"}, {"level": "easy", "seat": 4}, {"level": "easy", "seat": "x"}):
        assert client.post(address, wrong).status_code == 400
    assert client.get(address).url == table.get_absolute_url()
    assert levels(table) == ["", "easy", ""]

    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    tables.join(table.key, tobias)
    taken = client.post(f"/g/{table.key}/bots/", {"level": "easy", "seat": 1})
    assert taken.status_code == 409
    assert "Somebody has taken this seat" in taken.text
    assert levels(table) == ["", "", ""]
    tables.close(table.key, ines)
    assert client.post(f"/g/{table.key}/bots/", {"level": "easy"}).status_code == 404


def test_bots_at_a_table_count_as_a_game_with_bots(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_GAMES_WITH_BOTS", 2)
    game_of(ines, bots=("easy",))
    mixed, late = (
        tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow")) for _table in range(2)
    )
    client = client_of(ines)
    assert client.post(f"/g/{mixed.key}/bots/", {"level": "easy", "seat": 1}).status_code == 302
    refused = client.post(f"/g/{late.key}/bots/", {"level": "easy"})
    assert refused.status_code == 409
    assert "twenty games with bots" in refused.text
    assert levels(late) == ["", "", ""]
    assert client.post(f"/g/{mixed.key}/bots/", {"level": "easy"}).status_code == 302
    assert fresh(mixed).is_running


def test_the_shorter_length_is_suggested_for_the_first_game_with_three(ines: User) -> None:
    client = client_of(ines)
    game_of(ines, bots=("easy",))
    tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    for path in ("/", "/new/"):
        page = client.get(path)
        assert page.context["form"]["beginner"].value() is True
        assert "Recommended for your first game" in page.text
    game_of(ines, bots=("easy", "easy"))
    for path in ("/", "/new/"):
        page = client.get(path)
        assert page.context["form"]["beginner"].value() is False
        assert "Recommended for your first game" not in page.text


def test_a_player_can_leave_before_the_start_but_not_after(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    tobias = person("Tobias")
    tables.join(table.key, tobias)
    assert client_of(tobias).post(f"/g/{table.key}/leave/").status_code == 302
    assert table.seats.free().count() == 2
    assert client_of(tobias).post(f"/g/{table.key}/leave/").status_code == 403
    started = game_of(ines, tobias)
    refused = client_of(tobias).post(f"/g/{started.key}/leave/")
    assert refused.status_code == 409
    assert "resign" in refused.text
    assert started.seats.filter(user=tobias).exists()


def test_only_the_opener_closes_a_table_and_only_before_the_start(ines: User, table: Game) -> None:
    assert client_of(person("Noor")).post(f"/g/{table.key}/close/").status_code == 403
    assert Client().post(f"/g/{table.key}/close/").status_code == 302
    assert Game.objects.filter(pk=table.pk).exists()
    assert client_of(ines).post(f"/g/{table.key}/close/").status_code == 302
    assert not Game.objects.filter(pk=table.pk).exists()
    started = game_of(ines, person("Tobias"))
    assert client_of(ines).post(f"/g/{started.key}/close/").status_code == 409


@pytest.mark.databases
def test_a_form_sent_twice_opens_one_table(ines: User) -> None:
    client, form = client_of(ines), form_fields(**TWO_SEATS)
    first, again = (client.post("/new/", form)["Location"] for _time in range(2))
    assert first == again
    other = client.post("/new/", form_fields(**TWO_SEATS))["Location"]
    assert other != first
    solo = form_fields()
    assert client.post("/solo/start/", solo)["Location"] == client.post("/solo/start/", solo)["Location"]
    assert Game.objects.count() == 3


def test_a_form_without_a_request_id_opens_nothing(ines: User) -> None:
    assert client_of(ines).post("/new/", TWO_SEATS).status_code == 400
    assert client_of(ines).post("/solo/start/").status_code == 302
    assert not Game.objects.exists()


def test_the_number_of_open_tables_of_one_player_is_limited(ines: User) -> None:
    client = client_of(ines)
    for _table in range(tables.MOST_OPEN_TABLES):
        assert client.post("/new/", form_fields(**TWO_SEATS)).status_code == 302
    refused = client.post("/new/", form_fields(**TWO_SEATS))
    assert refused.status_code == 409
    assert "close one of them" in refused.text
    assert Game.objects.count() == tables.MOST_OPEN_TABLES
    against_a_bot = client.post("/new/", form_fields(**AGAINST_BOTS))
    assert against_a_bot.status_code == 302, "a game without free seats is no open table"


@pytest.mark.databases
def test_the_last_allowed_table_posted_twice_is_the_same_table(ines: User) -> None:
    client, forms = client_of(ines), [form_fields(**TWO_SEATS) for _table in range(tables.MOST_OPEN_TABLES)]
    for form in forms:
        last = client.post("/new/", form)
    again = client.post("/new/", forms[-1])
    assert (again.status_code, again["Location"]) == (302, last["Location"])


def test_the_number_of_games_with_bots_of_one_player_is_limited(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_GAMES_WITH_BOTS", 3)
    client, with_bot = client_of(ines), AGAINST_BOTS | {"seat_count": 3}
    forms = [form_fields(**with_bot) for _game in range(limits.MOST_GAMES_WITH_BOTS)]
    games = [client.post("/new/", form)["Location"] for form in forms]
    refused = client.post("/new/", form_fields(**with_bot))
    assert refused.status_code == 409
    assert "wait until the bots have finished those that you left" in refused.text
    assert client.post("/new/", forms[-1])["Location"] == games[-1], "the same request gets its game again"
    assert client.post("/new/", form_fields(**TWO_SEATS)).status_code == 302, "a table without bots"
    assert client_of(person("Noor")).post("/new/", form_fields(**with_bot)).status_code == 302
    Game.objects.filter(key=games[0].split("/")[2]).update(status=Game.Status.OVER)
    assert client.post("/new/", form_fields(**with_bot)).status_code == 302


@pytest.mark.databases
def test_a_game_that_its_opener_has_left_to_others_does_not_count(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_GAMES_WITH_BOTS", 2)
    alone, shared = game_of(ines, bots=("easy", "easy")), game_of(ines, person("Tobias"), bots=("easy",))
    client, with_bot = client_of(ines), AGAINST_BOTS
    play(alone.key, ines, Resign(0), 1, uuid.uuid4())
    assert client.post("/new/", form_fields(**with_bot)).status_code == 409, "the bots play on for nobody"
    play(shared.key, ines, Resign(0), 1, uuid.uuid4())
    assert client.post("/new/", form_fields(**with_bot)).status_code == 302
    assert client.post("/new/", form_fields(**with_bot)).status_code == 409


def test_the_number_of_solo_games_of_one_player_is_limited(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_SOLO_GAMES", 3)
    client, forms = client_of(ines), [form_fields() for _game in range(3)]
    games = [client.post("/solo/start/", form)["Location"] for form in forms]
    refused = client.post("/solo/start/", form_fields())
    assert refused.status_code == 409
    assert "finish or resign one of them" in refused.text
    assert games[0] in refused.text, "the page lists the games"
    assert client.post("/solo/start/", forms[-1])["Location"] == games[-1]
    game = Game.objects.get(key=games[0].split("/")[2])
    play(game.key, ines, Resign(0), 1, uuid.uuid4())
    assert client.post("/solo/start/", form_fields()).status_code == 302


def test_the_version_of_a_table_changes_when_players_change(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    tobias, noor = person("Tobias"), person("Noor")
    tables.join(table.key, tobias)
    before = access_version(AnonymousUser(), table.key)
    tables.leave(table.key, tobias)
    tables.join(table.key, noor)
    assert access_version(AnonymousUser(), table.key) != before


def test_reloading_the_page_of_a_refusal_shows_the_game(ines: User, table: Game) -> None:
    assert client_of(ines).get("/solo/start/")["Location"] == "/solo/"
    for what in ("join", "leave", "close", "play"):
        response = client_of(ines).get(f"/g/{table.key}/{what}/")
        assert (response.status_code, response["Location"]) == (302, table.get_absolute_url())
    assert fresh(table).seats.free().count() == 1
