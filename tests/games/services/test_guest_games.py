"""Who logs in after playing as a guest can move those games to the account; nobody else can."""

import uuid
from datetime import time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Action, Block, Game, Measure, Mute, Report, SoloResult, today
from games.queries.lists import lobby
from games.services import invitations, tables
from games.services.calendars import choose_hours
from games.services.errors import Conflict
from games.services.private import blocks
from games.services.private.guest_games import move_games
from games.services.solo import daily
from games.services.talk import chat
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of, without_marks
from tests.frozen import FrozenClock
from tests.games.moderation.cases import moderator
from tests.play import fresh, game_of, hand_over, mover, person, play_one, play_out, play_some, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

PASSWORD = "moon-and-stars-17"
TABLE = tables.TableOptions(3, is_public=True, pace=Game.Pace.SLOW)


@pytest.fixture
def ines() -> User:
    return person("Ines")


@pytest.fixture
def guest() -> User:
    return User.objects.create(username="Amber-Comet", is_guest=True)


def players(game: Game) -> list[str]:
    return sorted(game.seats.filter(user__isnull=False).values_list("user__username", flat=True))


def log_in(guest: User) -> Client:
    """Return the browser of the guest after Ines has logged in there."""
    client = client_of(guest)
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    return client


def assert_projections_are_right() -> None:
    for command, words in (("rebuild_games", " 0 differ "), ("rebuild_standings", " 0 ")):
        out = StringIO()
        call_command(command, "--check", stdout=out)
        assert words in out.getvalue(), out.getvalue()


def test_the_clock_of_a_moved_game_follows_the_hours_of_the_account(
    ines: User, guest: User, clock: FrozenClock
) -> None:
    choose_hours(ines, Hours(ZoneInfo("UTC"), Sleep(time(22), time(7))))
    table = tables.open_table(guest, tables.TableOptions(2, is_public=True, pace="day"))
    tables.join(table.key, person("Tobias"))
    while mover(table) != guest:
        play_one(table)
    deadline = fresh(table).deadline
    assert move_games(guest, ines) == 1
    assert fresh(table).deadline == deadline + timedelta(hours=9)
    assert_projections_are_right()


def test_games_become_those_of_the_account_with_all_that_belongs_to_them(ines: User, guest: User) -> None:
    tobias = person("Tobias")
    solo = play_out(solo_of(guest))
    over, running = play_out(game_of(guest, tobias)), play_some(game_of(tobias, guest), 5)
    table = tables.open_table(guest, tables.TableOptions(2))
    assert move_games(guest, ines) == 4
    for game, names in ((solo, ["Ines"]), (over, ["Ines", "Tobias"]), (running, ["Ines", "Tobias"])):
        assert players(game) == names
    assert players(table) == ["Ines"]
    assert {fresh(game).opened_by for game in (solo, over, table)} == {ines}
    assert SoloResult.objects.get().user == ines
    assert not Action.objects.filter(made_by=guest).exists()
    assert "place 1 on the leaderboard" in Client().get("/people/Ines/").text
    play_one(running)
    assert_projections_are_right()
    assert move_games(guest, ines) == 0


def test_one_person_keeps_one_seat_and_one_attempt(ines: User, guest: User) -> None:
    tobias, mina = person("Tobias"), person("Mina")
    shared = play_some(game_of(ines, guest), 3)
    given = play_some(game_of(ines, tobias, mina), 3)
    hand_over(given, ines, guest)
    invited = tables.open_table(guest, tables.TableOptions(3))
    invited.seats.filter(number=1).update(invited=ines)
    attempt = daily.begin(guest, today())
    games = (shared, given, invited, attempt)
    before = [players(game) for game in games]
    assert move_games(guest, ines) == 0
    assert [players(game) for game in games] == before


def decide_about(guest: User, kind: str) -> None:
    """Take a measure about a guest, of whom another report waits."""
    tobias, vera = person("Tobias"), moderator()
    report = reports.report(tobias, guest, Report.About.PLAYER)
    decisions.take(report.pk, vera, kind, Measure.Rule.CHAT, "Be kind.", days=7)
    for about in (Report.About.PLAYER, Report.About.NAME):
        reports.report(person(f"Mina-{about}"), guest, about)
    guest.refresh_from_db()


def test_the_games_of_a_suspended_guest_stay_with_the_guest(ines: User, guest: User) -> None:
    game = game_of(guest, bots=("easy",))
    decide_about(guest, Measure.Kind.SUSPEND)
    assert move_games(guest, ines) == 0
    assert players(game) == ["Amber-Comet"]
    assert "Amber-Comet" not in log_in(guest).get("/").text, "it asks nothing that is not possible"


def test_what_moderators_have_decided_about_a_guest_holds_for_the_account(ines: User, guest: User) -> None:
    game_of(guest, bots=("easy",))
    decide_about(guest, Measure.Kind.MUTE)
    assert move_games(guest, ines) == 1
    ines.refresh_from_db()
    assert ines.is_muted
    assert ines.has_unread_decision
    assert Measure.objects.get().user == ines
    subjects = set(Report.objects.values_list("about", "subject__username"))
    assert subjects == {("player", "Ines"), ("name", "Amber-Comet")}


def test_the_account_reads_the_lines_of_the_same_people_as_the_guest(ines: User, guest: User) -> None:
    tobias = person("Tobias")
    game_of(guest, tobias)
    pairs = [(guest, tobias), (tobias, guest), (guest, ines)]
    Mute.objects.bulk_create(Mute(user=user, muted=muted) for user, muted in pairs)
    Mute.objects.create(user=ines, muted=tobias)
    assert move_games(guest, ines) == 1
    muted = set(Mute.objects.values_list("user__username", "muted__username"))
    assert muted - {(user.username, other.username) for user, other in pairs} == {
        ("Ines", "Tobias"),
        ("Tobias", "Ines"),
    }


def test_only_a_guest_has_games_to_move(ines: User, guest: User) -> None:
    tobias = person("Tobias")
    game = game_of(tobias, bots=("easy",))
    assert move_games(tobias, ines) == 0
    own = game_of(ines, bots=("easy",))
    assert move_games(ines, guest) == 0
    assert players(game) == ["Tobias"]
    assert players(own) == ["Ines"]


def test_the_home_page_asks_once_after_the_log_in(ines: User, guest: User) -> None:
    game = game_of(guest, bots=("easy",))
    assert "asks whether to move the games" in " ".join(client_of(guest).get("/account/login/").text.split())
    client = log_in(guest)
    assert players(game) == ["Amber-Comet"]
    page = without_marks(client.get("/").text)
    assert "1 game was played in this browser as the guest Amber-Comet" in " ".join(page.split())
    page = client.post("/guest-games/", {"moves": "on"}, follow=True).text
    assert "1 game is now yours." in page
    assert "guest-games" not in page
    assert players(game) == ["Ines"]


def test_who_leaves_the_games_with_the_guest_is_not_asked_again(ines: User, guest: User) -> None:
    game = game_of(guest, bots=("easy",))
    client = log_in(guest)
    assert "stay with the guest Amber-Comet" in client.post("/guest-games/", follow=True).text
    assert "guest-games" not in client.get("/").text
    client.post("/guest-games/", {"moves": "on"})
    assert players(game) == ["Amber-Comet"]


def test_another_browser_cannot_take_the_games(ines: User, guest: User) -> None:
    game = game_of(guest, bots=("easy",))
    client = client_of(ines)
    assert "guest-games" not in client.get("/").text
    client.post("/guest-games/", {"moves": "on", "guest": guest.pk})
    assert players(game) == ["Amber-Comet"]


@pytest.mark.parametrize("is_guest_first", [True, False])
def test_a_block_follows_a_guest_into_an_account(is_guest_first: bool) -> None:
    guest = User.objects.create(username="Misty-Nova", is_guest=True)
    dora, ines = person("Dora"), person("Ines")
    game = game_of(guest, ines)
    blocks.block(*((guest, ines) if is_guest_first else (ines, guest)))
    table = tables.open_table(ines, TABLE)
    table.seats.filter(number=1).update(invited=dora)
    assert move_games(guest, dora) == 1
    assert set(Game.objects.with_seat_of(dora)) == {game}, "a running game goes on"
    assert lobby(dora).invitations == []
    chat.write(game.key, dora, "A line of Dora", uuid.uuid4())
    assert "A line of Dora" not in client_of(ines).get(f"/g/{game.key}/").text
    with pytest.raises(Conflict, match="You can't invite Ines"):
        invitations.invite(tables.open_table(dora, TABLE).key, dora, ines)
    pair = {dora, ines}
    [block] = Block.objects.filter(user__in=pair, blocked__in=pair)
    assert block.user == (dora if is_guest_first else ines)


def test_a_block_moves_once_and_blocks_nobody_from_themselves() -> None:
    pair = ines, tobias = person("Ines"), person("Tobias")
    blocks.block(ines, tobias)
    guest = User.objects.create(username="Misty-Nova", is_guest=True)
    play_out(game_of(guest, tobias))
    for other in pair:
        blocks.block(guest, other)
        blocks.block(other, guest)
    assert move_games(guest, ines) == 1
    assert Block.objects.filter(user__in=pair, blocked__in=pair).count() == 2
