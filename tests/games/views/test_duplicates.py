"""The pages of duplicate matches: all by forms without scripts, and no tiles before the last game ends."""

import json
import uuid
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from docs.check_deal import problem_of
from games.log import deals as deal_rules
from games.models import Deal, DuplicateEntry, DuplicateMatch, Game
from games.novaluna.engine import Resign
from games.services import deals
from games.services.play import play
from games.services.tables import duplicates
from tests.clients import client_of
from tests.play import fresh, match_of, person, play_bots, play_out, play_some
from tests.site.addresses import ADDRESSES

pytestmark = pytest.mark.django_db

NONCE = "0123456789abcdef" * 2
# The pages about a game that show no tile to anybody who may not see the game.
WITHOUT_TILES = ("/deal/", "/version/", "/stream/")
TABLE_OF_RESULTS = '<table class="ranks insights">'


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]


def form(**changes: object) -> dict[str, object]:
    return {
        "request_id": str(uuid.uuid4()),
        "table_count": 2,
        "seat_count": 2,
        "pace": "day",
        "nonce": NONCE,
        **changes,
    }


def finish(game: Game, seat: int = 0) -> None:
    """End a game: the person on this seat resigns."""
    user = game.seats.get(number=seat).user
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())
    play_bots(game)


def test_people_open_join_and_finish_a_match_without_scripts(users: list[User]) -> None:
    clients = [client_of(user) for user in users]
    assert "duplicates/new/" in clients[0].get("/new/").text
    page = clients[0].get("/duplicates/new/").text
    assert 'name="nonce" data-commitment="' in page
    answer = clients[0].post("/duplicates/new/", form(is_public="on"))
    match = DuplicateMatch.objects.get()
    assert answer.url == match.get_absolute_url()
    assert match.entries.get().nonce == NONCE
    for user, client in zip(users[1:], clients[1:], strict=True):
        assert answer.url in client.get("/").text, "the home page lists it"
        assert client.post(answer.url, {"do": "enter"}).status_code == 302, user
    page = clients[0].get(answer.url)
    assert "0 of 2 over" in page.text
    assert page.text.count('href="/g/') == 1, "only the viewer's own game has a link"
    first, second = Game.objects.order_by("pk")
    finish(first)
    assert "1 of 2 over" in clients[0].get(answer.url).text
    assert "Standings" not in clients[0].get(answer.url).text
    finish(second, seat=1)
    page = Client().get(answer.url).text
    assert "Standings" in page
    assert page.count("100%") == page.count('<td class="num">0%') == 4, "in both lists, for both seats"
    for game in (first, second):
        assert f'href="/g/{game.key}/"' in page
        assert f'href="{answer.url}"' in clients[0].get(f"/g/{game.key}/").text
        assert f'href="{answer.url}"' in clients[0].get(f"/g/{game.key}/text/").text


def test_a_double_press_opens_one_match(users: list[User]) -> None:
    client, data = client_of(users[0]), form()
    assert client.post("/duplicates/new/", data).url == client.post("/duplicates/new/", data).url
    assert DuplicateMatch.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"table_count": 1},
        {"table_count": 17},
        {"table_count": ""},
        {"seat_count": 1},
        {"seat_count": 5},
        {"pace": "none"},
        {"pace": ""},
        {"request_id": "x"},
    ],
)
def test_a_match_needs_several_tables_and_a_clock(users: list[User], wrong: dict[str, object]) -> None:
    assert client_of(users[0]).post("/duplicates/new/", form(**wrong)).status_code == 400
    assert not DuplicateMatch.objects.exists()
    assert not Deal.objects.exists()


def test_too_many_matches_are_refused_with_a_reason(users: list[User]) -> None:
    client = client_of(users[0])
    answers = [client.post("/duplicates/new/", form()) for _match in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 409]
    assert "three duplicate matches" in answers[-1].text


def test_the_opener_starts_or_closes_a_match_and_others_can_only_leave(users: list[User]) -> None:
    opener, other = client_of(users[0]), client_of(users[1])
    path = opener.post("/duplicates/new/", form()).url
    other.post(path, {"do": "enter"})
    for verb in ("start", "close"):
        refused = other.post(path, {"do": verb, "level": "easy"})
        assert (refused.status_code, "Only the person who opened" in refused.text) == (403, True)
    assert "Leave the match" in other.get(path).text
    other.post(path, {"do": "leave"})
    assert opener.post(path, {"do": "start"}).status_code == 400, "without a level"
    assert opener.post(path, {"do": "dance"}).status_code == 400
    assert opener.post(path, {"do": "start", "level": "easy"}).url == path
    assert Game.objects.count() == 2
    late = other.post(path, {"do": "enter"})
    assert (late.status_code, "started without you" in late.text) == (409, True)
    again = opener.post("/duplicates/new/", form()).url
    assert opener.post(again, {"do": "close"}).url == "/"
    assert other.get(again).status_code == other.post(again, {"do": "enter"}).status_code == 404


def test_a_team_changes_nothing_in_a_match_without_teams(users: list[User]) -> None:
    opener = client_of(users[0])
    path = opener.post("/duplicates/new/", form()).url
    before = list(DuplicateEntry.objects.values()), list(DuplicateMatch.objects.values())
    assert opener.post(path, {"do": "enter", "team": 0}).url == path
    assert (list(DuplicateEntry.objects.values()), list(DuplicateMatch.objects.values())) == before


def test_a_visitor_joins_as_a_guest_or_logs_in_for_a_rated_match(users: list[User]) -> None:
    path = client_of(users[0]).post("/duplicates/new/", form()).url
    visitor, enter = Client(), {"do": "enter", "request_id": str(uuid.uuid4())}
    assert visitor.post(path, {**enter, "log_in": "1"}).url.startswith("/account/login/")
    for verb in ("leave", "start", "close"):
        assert "login" in visitor.post(path, {"do": verb, "level": "easy"}).url
    assert not User.objects.filter(is_guest=True).exists()
    assert visitor.post(path, enter).url == path
    guest = User.objects.get(is_guest=True)
    assert DuplicateMatch.objects.get().entries.filter(user=guest).exists()
    rated = client_of(users[1]).post("/duplicates/new/", form(changes_ratings="on")).url
    assert "login" in Client().post(rated, enter).url
    assert visitor.post(rated, {"do": "enter"}).status_code == 409


def test_lists_show_only_public_matches_and_those_of_the_viewer(users: list[User]) -> None:
    hidden = duplicates.open_match(users[0], 2, 2, pace="day", is_public=False)
    shown = duplicates.open_match(users[0], 2, 2, pace="day", is_public=True)
    paths = [match.get_absolute_url() for match in (hidden, shown)]
    for client, expected in ((Client(), [shown]), (client_of(users[1]), [shown])):
        assert [path for path in paths if path in client.get("/").text] == [expected[0].get_absolute_url()]
    assert all(path in client_of(users[0]).get("/").text for path in paths)
    duplicates.start(shown.key, users[0], "easy")
    assert shown.get_absolute_url() not in Client().get("/").text


@pytest.mark.slow
@pytest.mark.parametrize(("who", "is_over"), [("nobody", False), ("player of another table", True)])
def test_nobody_else_sees_a_table_while_another_runs(
    users: list[User], monkeypatch: pytest.MonkeyPatch, who: str, *, is_over: bool
) -> None:
    """No page replays the log of a game for people at other tables, which every page with tiles does."""
    other, game = match_of(*users)
    play_some(game, 4)
    if is_over:
        finish(game)
    client = Client() if who == "nobody" else client_of(other.seats.first().user)
    own = client_of(game.seats.first().user)
    replayed: list[str] = []

    def note_replay(replayed_game: Game) -> object:
        replayed.append(replayed_game.key)
        return deal_rules.setup_of(replayed_game)

    monkeypatch.setattr("games.log.replay.setup_of", note_replay)
    monkeypatch.setattr("games.log.records.setup_of", note_replay)
    tile, match_path = game.deal.dealt["deck"][0], game.duplicate.get_absolute_url()
    listed = [path.partition("?")[0] for paths in ADDRESSES.values() for path in paths if "/g/KEY/" in path]
    for path in dict.fromkeys([*listed, match_path, "/", "/finished/", "/people/Tobias/", "/people/Noor/"]):
        path = path.replace("KEY", game.key).replace("TILE", tile)
        for answer in (client.get(path), client.post(path, {"do": "place", "number": 5, "tile": tile})):
            shows_no_tiles = not path.startswith("/g/") or path.endswith(WITHOUT_TILES)
            assert shows_no_tiles or answer.status_code != 200, path
            assert game.deal.salt.encode() not in getattr(answer, "content", b""), path
    assert game.key not in replayed
    assert "when the last table is over" in client.get(f"/g/{game.key}/").text
    answer = own.get(f"/g/{game.key}/")
    assert (answer.status_code, game.key in replayed) == (200, True), "the walk notices a replay"
    assert own.get(f"/g/{game.key}/record.json").status_code == 409
    assert "private" in own.get(f"/g/{game.key}/preview.jpg").headers["Cache-Control"]


def test_profiles_show_the_result_of_a_table_when_the_match_is_over(users: list[User]) -> None:
    other, game = match_of(*users)
    play_out(game)
    player = game.seats.exclude(user=None).first().user
    path = f"/people/{player.username}/"
    outsiders = (Client(), client_of(other.seats.exclude(user=None).first().user))
    for client in outsiders:
        assert game.key not in client.get(path).text
        assert TABLE_OF_RESULTS not in client.get(path).text
    assert game.key in client_of(player).get(path).text
    play_out(other)
    for client in outsiders:
        assert game.key in client.get(path).text
        assert TABLE_OF_RESULTS in client.get(path).text


def test_administrators_see_no_actions_of_a_running_match(users: list[User], admin_client: Client) -> None:
    games = match_of(*users)
    for game in games:
        play_some(game, 2)
    tile = games[0].actions.first().payload["tile"]
    quoted = [f"{quote}{tile}{quote}" for quote in ("&quot;", "&#x27;")]

    def shows_tile(path: str) -> bool:
        page = admin_client.get(f"/admin/games/{path}")
        return page.status_code == 200 and any(code in page.text for code in quoted)

    paths = ["action/", f"action/{games[0].actions.first().pk}/change/", f"game/{games[0].pk}/change/"]
    assert [shows_tile(path) for path in paths] == [False] * 3
    for game in games:
        finish(game)
    assert [shows_tile(path) for path in paths] == [True] * 3


def test_everybody_sees_and_checks_everything_after_the_last_game(
    users: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "mixed_deal", deal_rules.mixed_deal)
    games = match_of(*users)
    page = client_of(users[0]).get(f"/g/{games[0].key}/deal/").text
    assert games[0].deal.salt not in page
    for game in games:
        finish(game)
    for game in games:
        assert Client().get(f"/g/{game.key}/").status_code == 200
        assert games[0].deal.salt in Client().get(f"/g/{game.key}/deal/").text
        record = json.loads(Client().get(f"/g/{game.key}/record.json").content)
        assert problem_of(record) is None
        out = StringIO()
        call_command("verify_deal", game.key, stdout=out)
        assert game.deal.commitment in out.getvalue()


def test_the_page_of_a_match_leads_its_players_to_their_own_table(users: list[User]) -> None:
    first, second = match_of(*users[:2])
    page = first.deal.duplicate.get_absolute_url()
    for number, (user, game) in enumerate(zip(users, (first, second), strict=False), 1):
        text = client_of(user).get(page).text
        assert f'href="{game.get_absolute_url()}">Play at table {number}<' in text
        assert text.count("Play at table") == 1
    assert "Play at table" not in Client().get(page).text
    finish(first, first.seats.get(user=users[0]).number)
    assert "Play at table" not in client_of(users[0]).get(page).text
    assert "You finished" not in client_of(users[0]).get(page).text
    finish(second, second.seats.get(user=users[1]).number)
    assert "You finished 3rd of 4" in client_of(users[0]).get(page).text  # Both who have left share it.
    assert "You finished" not in Client().get(page).text


def test_a_game_of_a_match_offers_no_votes_and_no_hand_over(users: list[User]) -> None:
    first, _second = match_of(*users)
    client, path = client_of(users[0]), f"/g/{first.key}/"
    for page in (path, f"{path}text/"):
        text = client.get(page).text
        assert "vote/" not in text
        assert "hand-over/" not in text
    assert client.get(f"{path}vote/").url == client.get(f"{path}hand-over/").url == path


def test_a_bigger_match_needs_no_more_queries(
    users: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small, big = match_of(*users, tables=2, seats=2), match_of(*users, tables=6, seats=3)
    client = client_of(users[0])
    for games in (small, big):
        path = games[0].duplicate.get_absolute_url()
        with django_assert_num_queries(6):
            client.get(path)
        Game.objects.filter(deal=games[0].deal).update(status=Game.Status.OVER)
        for game in games:
            for seat in game.seats.all():
                game.seats.filter(pk=seat.pk).update(discs=seat.number, rank=seat.number + 1)
        with django_assert_num_queries(7):
            assert "Standings" in client.get(path).text
