"""Duplicate matches of teams, with Pairs: who sits where, what is compared, and who is told."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.log.replay import secret_position
from games.models import Deal, DuplicateMatch, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.queries.access import is_closed_to_others
from games.queries.deals.duplicates import MatchView, access_match, view_match
from games.services import bots
from games.services.errors import Conflict
from games.services.play import play
from games.services.projections.games import rebuild
from games.services.tables import duplicates
from games.titles import registry
from games.titles.actions import Resign
from games.titles.talents import Talent
from tests.clients import client_of, without_marks
from tests.play import fresh, person
from tests.titles.play import dealt_pairs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "_dealt")]

NAMES = ("Ines", "Tobias", "Mina", "Noor", "Cato", "Dora", "Emil", "Fee")


@pytest.fixture
def _dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def open_match(user: User, **options: object) -> DuplicateMatch:
    return duplicates.open_match(
        user, 2, 4, **{"title": "pairs", "pace": "day", "is_public": True, **options}
    )


def full_match(users: list[User], **options: object) -> tuple[DuplicateMatch, list[Game]]:
    """Return a match that these eight people play, who have joined the teams in turn, and its games."""
    match = open_match(users[0], **options)
    for user in users[1:]:
        duplicates.enter(match.key, user)
    return match, list(Game.objects.filter(deal=match.deal).order_by("pk"))


def test_everybody_sees_before_the_start_who_would_sit_where(users: list[User]) -> None:
    match = open_match(users[0])
    for user, team in ((users[1], 1), (users[2], 0), (users[3], 0)):
        duplicates.enter(match.key, user, team=team)
    view = view_match(access_match(match.key), users[3])
    assert [str(table.players) for table in view.tables] == [
        "Team A: Ines and Mina · Team B: 2 free seats",
        "Team A: Noor and 1 free seat · Team B: Tobias and 1 free seat",
    ]
    assert [table.is_yours for table in view.tables] == [False, True]
    page = without_marks(client_of(users[3]).get(match.get_absolute_url()).text)
    assert "Team A: Noor and 1 free seat · Team B: Tobias and 1 free seat" in page
    assert "Play at table" not in page
    for user, team in zip(users[4:], (0, 1, 1, 1), strict=True):
        duplicates.enter(match.key, user, team=team)
    started = view_match(access_match(match.key), users[3])
    assert [str(table.players) for table in started.tables] == [
        "Team A: Ines and Mina · Team B: Emil and Fee",
        "Team A: Noor and Cato · Team B: Tobias and Dora",
    ]


def names_of(game: Game) -> list[str]:
    return [seat.name for seat in game.seats.select_related("user").order_by("number")]


def seen_by(match: DuplicateMatch, viewer: User) -> MatchView:
    return view_match(access_match(match.key), viewer)


def play_out(game: Game) -> None:
    """Play the lowest cards of everybody, to the end."""
    while not (position := secret_position(fresh(game))).ending:
        seat = game.seats.select_related("user").get(number=min(position.awaited))
        if seat.bot:
            bots.take_turn(game.pk, fresh(game).version + 1, without_search=True)
        else:
            action = next(iter(position.legal(seat.number)))
            play(game.key, seat.user, action, fresh(game).version + 1, uuid.uuid4())


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def words_of(page: str) -> str:
    main = without_marks(page).partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", f"<main{main}").split())


def test_two_teams_exchange_the_sides_of_two_tables_without_scripts(users: list[User]) -> None:
    clients = [client_of(user) for user in users]
    assert "duplicates/new/?title=pairs" in clients[0].get("/new/?title=pairs").text
    page = clients[0].get("/duplicates/new/?title=pairs").text
    assert "table_count" not in page
    assert 'value="3"' not in page, "Pairs has tables of four only"
    form = {"request_id": str(uuid.uuid4()), "title": "pairs", "seat_count": 4, "pace": "day"}
    path = clients[0].post("/duplicates/new/", {**form, "is_public": "on"}).url
    assert "Pairs · two teams of 4" in words_of(clients[1].get(path).text)
    for number, client in enumerate(clients[1:], 1):
        assert not Game.objects.exists()
        assert path in client.get("/").text, "the home page lists it"
        assert client.post(path, {"do": "enter", "team": 0 if number < 4 else 1}).status_code == 302
    first, second = Game.objects.order_by("pk")
    assert names_of(first) == ["Ines", "Emil", "Tobias", "Fee"]
    assert names_of(second) == ["Cato", "Mina", "Dora", "Noor"]
    assert first.deal == second.deal == Deal.objects.get()
    page = clients[2].get(path).text
    assert "Table 2 Team A: Mina and Noor · Team B: Cato and Dora" in words_of(page)
    assert page.count('href="/g/') == 1, "only the viewer's own game has a link"


def test_a_team_has_half_of_the_places_and_people_change_it_before_the_start(users: list[User]) -> None:
    match = open_match(users[0])
    clients = [client_of(user) for user in users]
    for client in clients[1:4]:
        client.post(match.get_absolute_url(), {"do": "enter", "team": 0})
    refused = clients[4].post(match.get_absolute_url(), {"do": "enter", "team": 0})
    assert (refused.status_code, "This team is full" in refused.text) == (409, True)
    page = words_of(clients[4].get(match.get_absolute_url()).text)
    assert "Join Team B" in page
    assert "Join Team A" not in page
    assert "Change to Team B" in words_of(clients[0].get(match.get_absolute_url()).text)
    clients[0].post(match.get_absolute_url(), {"do": "enter", "team": 1})
    clients[4].post(match.get_absolute_url(), {"do": "enter"})
    teams = [[user.username for user in team.people] for team in seen_by(match, users[0]).teams]
    assert teams == [["Tobias", "Mina", "Noor"], ["Ines", "Cato"]], "without a choice, the smaller one"


def test_missing_people_leave_bots_and_the_same_cards_to_both_teams(users: list[User]) -> None:
    match = open_match(users[0])
    for user in users[1:3]:
        duplicates.enter(match.key, user)
    duplicates.start(match.key, users[0], "easy")
    first, second = Game.objects.order_by("pk")
    assert [seat.user.username if seat.user else "" for seat in first.seats.all()] == ["Ines", "", "Mina", ""]
    assert [seat.user.username if seat.user else "" for seat in second.seats.all()] == ["Tobias", "", "", ""]


def test_the_points_of_both_tables_are_added_and_everybody_is_told(users: list[User]) -> None:
    match, (first, second) = full_match(users, changes_ratings=True)
    play_out(first)
    assert seen_by(match, users[0]).outcome == ""
    assert not Notification.objects.filter(kind=Kind.MATCH).exists()
    play_out(second)
    # The lowest cards win each bonus for seats 0 and 2, and each team has them at one table.
    view = seen_by(match, users[0])
    assert [list(team.points) for team in view.teams] == [[12, 0], [0, 12]]
    assert view.outcome == "The duplicate match ended in a tie, 12 points each"
    page = words_of(client_of(users[0]).get(match.get_absolute_url()).text)
    assert "Team A your team 12 0 12 Team B 0 12 12" in page
    owed = Notification.objects.filter(kind=Kind.MATCH).select_related("user")
    assert {one.user.username for one in owed} == {*names_of(first)}
    assert all(rebuild(fresh(game), check_only=True) == [] for game in (first, second))
    Seat.objects.update(seen_at=None)
    Notification.objects.filter(kind=Kind.OVER, game=first).delete()
    mail.outbox.clear()
    for notification in Notification.objects.filter(kind__in=(Kind.MATCH, Kind.OVER)):
        delivery.deliver(notification.pk)
    assert len(mail.outbox) == len(users) - 1, "all but the player who has ended the last game"
    for text in (part for sent in mail.outbox for part in (sent.body, sent.alternatives[0].content)):
        assert "The duplicate match ended in a tie, 12 points each" in text


def test_more_points_win_and_the_page_says_so_to_each_viewer(users: list[User]) -> None:
    match, games = full_match(users)
    for game, points in zip(games, ([9, 3], [4, 6]), strict=True):
        Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
        for seat in game.seats.all():
            game.seats.filter(pk=seat.pk).update(figures={"points": points[seat.number % 2]})
    outcomes = {seen_by(match, user).outcome for user in users[::2]}
    assert outcomes == {"Your team won the duplicate match, 15 to 7"}
    assert seen_by(match, users[1]).outcome == "Your team lost the duplicate match, 7 to 15"
    assert "Team A won the duplicate match, 15 to 7" in words_of(Client().get(match.get_absolute_url()).text)
    [loser] = games[0].seats.filter(user=users[0])
    Seat.objects.filter(pk=loser.pk).update(has_left=True)
    assert seen_by(match, users[0]).outcome == "Your team lost the duplicate match, because it left a table"
    spectator = words_of(Client().get(match.get_absolute_url()).text)
    assert "Team B won the duplicate match, because Team A left a table" in spectator


def test_a_match_ends_with_the_last_table_of_bots(users: list[User]) -> None:
    match = open_match(users[0])
    duplicates.start(match.key, users[0], "easy")
    first, second = Game.objects.order_by("pk")
    resign(first, users[0])
    assert seen_by(match, users[0]).outcome == ""
    play_out(second)
    assert seen_by(match, users[0]).outcome == "Your team lost the duplicate match, because it left a table"


def test_nobody_of_a_team_sees_the_other_table_before_both_are_over(users: list[User]) -> None:
    match, (first, second) = full_match(users)
    partner = User.objects.get(username=names_of(second)[1])
    assert next(team for team in seen_by(match, partner).teams if team.is_yours).number == 0
    for is_over in (False, True):
        if is_over:
            play_out(second)
        for part in ("", "text/", "?at=0", "record.json", "preview.jpg"):
            assert client_of(partner).get(f"/g/{first.key}/{part}").status_code in (403, 404), part
        assert is_closed_to_others(fresh(first))
        assert first.deal.salt not in client_of(partner).get(f"/g/{second.key}/deal/").text
        assert client_of(partner).get(f"/g/{second.key}/record.json").status_code == 409
    play_out(first)
    assert client_of(partner).get(f"/g/{first.key}/").status_code == 200
    assert first.deal.salt in Client().get(f"/g/{second.key}/deal/").text


def test_only_titles_with_the_talent_have_matches(users: list[User]) -> None:
    client = client_of(users[0])
    assert client.get("/duplicates/new/?title=chess").status_code == 404
    registry.register(replace(registry.TITLES["pairs"], talents=frozenset()))
    assert client.get("/duplicates/new/?title=pairs").status_code == 404
    assert "duplicates/new/" not in client.get("/new/?title=pairs").text


def test_teams_need_two_sides_that_are_equal() -> None:
    novaluna = registry.TITLES["novaluna"]
    with pytest.raises(ValueError, match="two sides with equally many seats"):
        registry.register(replace(novaluna, talents=frozenset({Talent.DUPLICATE, Talent.TEAMS})))


def test_a_match_that_runs_is_left_only_at_its_tables(users: list[User]) -> None:
    match, _games = full_match(users)
    assert duplicates.enter(match.key, users[0], team=1) == match, "nobody changes the team after the start"
    with pytest.raises(Conflict):
        duplicates.leave(match.key, users[1])
