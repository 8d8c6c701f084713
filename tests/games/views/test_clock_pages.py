"""Clocks on pages: choosing a pace, hours and vacations, and seeing deadlines."""

import re
from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Action, FollowedGame, Game, HoursChange
from games.services import calendars
from games.shown.clocks import PACE_LABELS
from games.tasks import time_out
from tests.clients import client_of, without_marks
from tests.frozen import FrozenClock
from tests.play import (
    form_of,
    fresh,
    game_of,
    legal_fields,
    let_wait,
    mover,
    person,
    play_some,
)

pytestmark = pytest.mark.django_db

NIGHT = Hours(ZoneInfo("Europe/Berlin"), Sleep(time(22), time(8)))
TABLE = {
    "opponents": "people",
    "seat_count": "2",
    "level": "easy",
    "request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}


def open_table(**fields: str) -> Game:
    """Return the table that Ines opens with the form."""
    response = client_of(person("Ines")).post("/new/", TABLE | fields)
    assert response.status_code == 302, response.text
    return Game.objects.get()


def started_game(**fields: str) -> Game:
    game = open_table(**fields)
    client_of(person("Tobias")).post(f"/g/{game.key}/join/")
    return fresh(game)


def page_of(game: Game, user: User, path: str = "") -> str:
    return without_marks(re.sub(r"\s+", " ", client_of(user).get(f"/g/{game.key}/{path}").text))


def title_of(page: str) -> str:
    return re.search(r"<title>(.*?)</title>", page).group(1)


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ({"pace": "live", "caretaker": "hard", "is_public": "on"}, ("live", "hard")),
        ({"pace": "live3", "caretaker": "out"}, ("live3", "")),
        ({"pace": "day", "caretaker": "out"}, ("day", "")),
        ({"pace": "live3"}, ("live3", "")),
        ({"pace": "live3", "seat_count": "3"}, ("live3", "medium")),
        ({"pace": "none"}, ("", "medium")),
        ({}, ("slow", "medium")),
        ({"opponents": "bots", "pace": "live"}, ("", "medium")),
    ],
)
def test_the_form_stores_the_pace_and_what_happens_when_time_is_up(
    fields: dict[str, str], stored: tuple[str, str]
) -> None:
    game = open_table(**fields)
    assert (game.pace, game.caretaker) == stored


@pytest.mark.parametrize(
    "fields", [{"pace": "none", "is_public": "on"}, {"pace": "fast"}, {"caretaker": "genius"}]
)
def test_a_table_without_a_clock_is_not_listed_and_others_are_refused(fields: dict[str, str]) -> None:
    assert client_of(person("Ines")).post("/new/", TABLE | fields).status_code == 400
    assert not Game.objects.exists()


def test_others_see_the_pace_and_the_sleeping_hours_before_they_join(clock: FrozenClock) -> None:
    game = open_table(pace="day", is_public="on")
    calendars.choose_hours(game.opened_by, NIGHT)
    noor, pauses = person("Noor"), "Sleeps 22:00–08:00 (Europe/Berlin)"
    for page in (Client().get(game.get_absolute_url()).text, page_of(game, noor)):
        assert "1 day, +12 hours a turn" in page
        assert "a bot (medium) plays until they take the seat back" in page
    assert pauses in page_of(game, noor)
    assert pauses not in Client().get(game.get_absolute_url()).text
    assert "1\xa0day, +12\xa0hours a turn" in Client().get("/").text
    client_of(noor).post(f"/g/{game.key}/join/")
    assert pauses in page_of(game, noor)
    assert pauses in page_of(game, noor, "text/")
    spectator = person("Mina")
    for path in ("", "text/"):
        assert pauses not in page_of(game, spectator, path)
        assert pauses not in Client().get(game.get_absolute_url() + path).text


def test_the_deadline_is_on_the_board_in_the_title_and_in_lists(clock: FrozenClock) -> None:
    game = started_game(pace="day")
    user = mover(game)
    other = game.seats.exclude(user=user).get().user
    User.objects.filter(pk=user.pk).update(time_zone="Europe/Berlin")
    user.refresh_from_db()
    clock.move_on(hours=18, minutes=1)
    for path in ("", "text/"):
        assert "6 hours left" in (page := page_of(game, user, path))
        assert "Tue 2 Jun, 14:00" in page
        assert "6 hours left" in title_of(page)
        assert "6 hours left" in (page := page_of(game, other, path))
        assert "Tue 2 Jun, 12:00" in page
        assert "hours left" not in title_of(page)
    for viewer in (user, other):
        assert "6 hours left" in client_of(viewer).get("/").text
    clock.move_on(hours=6)
    assert "<b data-rest>clock has run out</b>" in page_of(game, user)


def test_the_most_urgent_game_is_first(clock: FrozenClock) -> None:
    games = {}
    ines, tobias = person("Ines"), person("Tobias")
    for number, pace in enumerate(("none", "slow", "day")):
        request = TABLE["request_id"][:-1] + str(number)
        client_of(ines).post("/new/", TABLE | {"pace": pace, "request_id": request})
        game = Game.objects.latest("pk")
        client_of(tobias).post(f"/g/{game.key}/join/")
        let_wait(game, 0)
        games[pace] = fresh(game).key
        clock.move_on(minutes=1)
    for user in (ines, tobias):  # one of them waits for the other
        page = client_of(user).get("/").text
        assert sorted(games, key=lambda pace: page.index(games[pace])) == ["day", "slow", "none"]


HOURS = "/account/hours/"


@pytest.mark.parametrize(
    ("pace", "is_shown"), [("slow", True), ("day", True), ("none", True), ("live", False)]
)
def test_hours_are_shown_where_they_matter(clock: FrozenClock, pace: str, is_shown: bool) -> None:
    game = open_table(pace=pace, is_public="" if pace == "none" else "on")
    calendars.choose_hours(game.opened_by, NIGHT, automatic_vacation=True)
    noor, tobias = person("Noor"), person("Tobias")
    pages = [page_of(game, noor)]
    if game.is_public:
        # A press on the list joins without another page.
        pages.append(client_of(noor).get("/").text)
    client_of(tobias).post(f"/g/{game.key}/join/")
    pages += [page_of(game, tobias), page_of(game, tobias, "text/")]
    for page in pages:
        assert ("Sleeps 22:00–08:00" in page) is is_shown
        assert ("takes vacation days automatically" in page) is (is_shown and pace != "none")


CHOSEN = {"time_zone": "Europe/Berlin", "sleep_start": "22:00", "sleep_end": "08:00", "day_off": "6"}


def test_people_choose_their_hours_and_deadlines_follow(clock: FrozenClock) -> None:
    game = started_game(pace="day")
    user = mover(game)
    client = client_of(user)
    assert "20 vacation days left in 2026" in client.get(HOURS).text
    response = client.post(HOURS, CHOSEN | {"automatic_vacation": "on"}, follow=True)
    assert "Your hours are saved" in response.text
    user.refresh_from_db()
    assert user.automatic_vacation
    # 8 h today, from 14:00 to 22:00 in Berlin, 14 h tomorrow, and 2 h on Wednesday.
    assert "Wed 3 Jun, 10:00" in page_of(game, user)
    other = game.seats.exclude(user=user).get().user
    shown = "Sleeps 22:00–08:00 (Europe/Berlin), Sunday off and takes vacation days automatically (20 left)"
    assert shown in page_of(game, other)
    assert shown in page_of(game, other, "text/")
    page = client.post(HOURS, CHOSEN | {"sleep_start": "23:00"}, follow=True).text
    assert "apply from Mon 8 Jun, 14:00" in page


def test_people_plan_and_end_vacations(clock: FrozenClock) -> None:
    game = started_game(pace="day")
    user = mover(game)
    client = client_of(user)
    page = client.post(f"{HOURS}vacation/", {"first": "2026-06-01", "last": "2026-06-03"}, follow=True).text
    assert "On vacation until 3 June" in page
    assert "17 vacation days left" in page
    assert fresh(game).deadline.isoformat() == "2026-06-05T00:00:00+00:00"
    [address] = re.findall(rf"{HOURS}vacation/\d+/end/", page)
    assert client_of(person("Noor")).post(address).status_code == 302
    assert fresh(game).deadline.isoformat() == "2026-06-05T00:00:00+00:00"
    clock.move_on(hours=1)
    client.post(address)
    assert fresh(game).deadline.isoformat() == "2026-06-02T13:00:00+00:00"


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        (HOURS, CHOSEN | {"sleep_start": "07:00", "sleep_end": "23:00"}),
        (HOURS, CHOSEN | {"sleep_end": ""}),
        (HOURS, CHOSEN | {"time_zone": "Europe/Atlantis"}),
        (HOURS, CHOSEN | {"day_off": "7"}),
        (f"{HOURS}vacation/", {"first": "2026-06-01", "last": "2026-06-30"}),
        (f"{HOURS}vacation/", {"first": "2026-05-01", "last": "2026-05-02"}),
        (f"{HOURS}vacation/", {"first": "tomorrow", "last": ""}),
        (f"{HOURS}vacation/", {"first": "2026-06-01", "last": "9999-12-31"}),
        (f"{HOURS}vacation/", {"first": "9999-12-31", "last": "9999-12-31"}),
    ],
)
def test_hours_that_are_not_allowed_are_refused_with_a_reason(
    clock: FrozenClock, address: str, fields: dict[str, str]
) -> None:
    client = client_of(person("Ines"))
    response = client.post(address, fields)
    assert response.status_code == 400
    assert 'class="errorlist' in response.text
    assert "20 vacation days left" in client.get(HOURS).text


def time_left(page: str) -> str:
    return re.search(r"<b data-rest>(.*?)</b>", page).group(1)


def test_each_turn_adds_the_increment_and_no_bank_exceeds_twice_its_start(clock: FrozenClock) -> None:
    game = started_game(pace="day")
    user, shown = mover(game), []
    while len(shown) < 4:
        now = mover(game)
        if now == user:
            shown.append(time_left(page_of(game, user)))
        while fresh(game).is_running and mover(game) == now:
            fields = form_of(game, legal_fields(game))
            assert client_of(now).post(f"/g/{game.key}/play/", fields).status_code == 302
    assert shown == ["24 hours left", "36 hours left", "2 days left", "2 days left"]
    assert game.seats.get(user=user).bank == timedelta(hours=48)


def test_a_day_off_does_not_count(clock: FrozenClock) -> None:
    game = started_game(pace="day")
    client_of(mover(game)).post(HOURS, {"time_zone": "UTC", "day_off": "1"})
    assert "Wed 3 Jun, 12:00" in page_of(game, mover(game))


@pytest.mark.parametrize(
    ("pace", "each", "minutes"),
    [
        ("live3", "3 minutes, +5 seconds a turn", "About 9 minutes"),
        ("live5", "5 minutes, +10 seconds a turn", "About 15 minutes"),
        ("live", "10 minutes, +30 seconds a turn", "About 30 minutes"),
        ("day", "1 day, +12 hours a turn", "About 30 minutes if everybody is online"),
    ],
)
def test_each_pace_is_named_from_the_table_to_the_list_of_watched_games(
    clock: FrozenClock, pace: str, each: str, minutes: str
) -> None:
    game = open_table(pace=pace, is_public="on")
    tobias, mina = person("Tobias"), person("Mina")
    invitation = page_of(game, tobias)
    assert f"Each player has {each}." in invitation
    assert minutes in invitation
    guest = Client().get(f"/g/{game.key}/").text
    assert ("all players are online at the same time" in guest) is pace.startswith("live")
    assert each in client_of(mina).get("/").text.replace("\xa0", " ")
    assert str(PACE_LABELS[pace]) in Client().get("/help/").text
    client_of(tobias).post(f"/g/{game.key}/join/")
    play_some(fresh(game), 1)
    watched = client_of(mina).get("/watch/").text
    assert each in watched
    is_live = pace.startswith("live")
    assert [sign in watched for sign in ('badge--live">live<', 'role="timer"')] == [is_live, is_live]
    assert ("data-deadline" in watched) is not is_live


@pytest.mark.parametrize(("pace", "sign"), [("live", "data-ticks"), ("day", "data-deadline")])
def test_running_games_on_a_profile_and_followed_ones_show_their_clock(
    clock: FrozenClock, pace: str, sign: str
) -> None:
    game, mina = started_game(pace=pace, is_public="on"), person("Mina")
    FollowedGame.objects.create(user=mina, game=game)
    for path, updates in (("/people/Ines/", pace == "live"), ("/", False)):
        page = client_of(mina).get(path).text
        [row] = [row for row in re.findall(r'<li class="row">.*?</li>', page, re.DOTALL) if game.key in row]
        assert sign in row
        assert ('badge--live">live<' in row) is (pace == "live")
        assert ("data-rests" in page) is updates
    [row] = re.findall(r'<li class="row">.*?</li>', client_of(mina).get("/people/Ines/").text, re.DOTALL)
    assert row in client_of(mina).get("/people/Ines/", headers={"HX-Request": "true"}).text


def test_in_live_games_nights_and_vacations_count(clock: FrozenClock) -> None:
    game = started_game(pace="live")
    client = client_of(mover(game))
    client.post(HOURS, {"time_zone": "UTC", "sleep_start": "11:00", "sleep_end": "20:00"})
    client.post(f"{HOURS}vacation/", {"first": "2026-06-01", "last": "2026-06-03"})
    assert re.search(r'<b role="timer".*?>(.*?)</b>', page_of(game, mover(game))).group(1) == "10:00"


def test_a_vacation_day_starts_by_itself_instead_of_losing_on_time(clock: FrozenClock) -> None:
    game = started_game(pace="day", caretaker="out")
    user = mover(game)
    client_of(user).post(HOURS, {"time_zone": "UTC", "automatic_vacation": "on"})
    clock.move_on(days=1, seconds=30)
    time_out(game.pk)
    other = game.seats.exclude(user=user).get().user
    for viewer in (user, other):
        page = page_of(game, viewer)
        assert "Wed 3 Jun, 00:00" in page, "the end of the day"
        assert "On vacation until 2 June and takes vacation days automatically (19 left)" in page
    assert fresh(game).is_running


def test_pages_estimate_the_next_turn_from_the_opponents_habits(clock: FrozenClock) -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    game = game_of(ines, tobias)
    user = mover(game)
    other = tobias if user == ines else ines
    for path in ("", "text/"):
        assert "Probably your turn" not in page_of(game, other, path)

    # As if both had answered an hour after each other, from morning to evening.
    past = play_some(game_of(ines, tobias), 58)
    rows = list(Action.objects.filter(game=past).order_by("number"))
    days_ago = timedelta(days=len(rows) // 10 + 1)
    for place, row in enumerate(rows):
        row.at = clock.now - days_ago + timedelta(days=place // 10, hours=place % 10 - 3)
    Action.objects.bulk_update(rows, ["at"])
    for path in ("", "text/"):
        assert "Probably your turn today, 1" in page_of(game, other, path)
        assert "Probably your turn" not in page_of(game, user, path)
        assert "Probably your turn" not in page_of(game, noor, path)

    Game.objects.filter(pk=game.pk).update(pace=Game.Pace.LIVE_5)
    assert "Probably your turn" not in page_of(game, other), "a live game is played now"
    Game.objects.filter(pk=game.pk).update(pace=game.pace)

    # The habits of the player to move do not show when they are away.
    def has_estimate() -> bool:
        return "Probably your turn" in page_of(game, other)

    today = clock.now.date()
    calendars.choose_hours(user, NIGHT)
    assert has_estimate()
    calendars.plan_vacation(user, today + timedelta(days=3), today + timedelta(days=3))
    assert has_estimate()
    calendars.plan_vacation(user, today, today)
    assert not has_estimate()
    calendars.end_vacation(user, user.vacations.latest("pk").pk)
    assert has_estimate()
    HoursChange.objects.filter(user=user).update(day_off=today.weekday())
    assert not has_estimate()
