"""No press on the page of hours and vacations costs a seat soon, or without a word before it."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Game, Vacation
from games.services import calendars, tables
from games.services.seat_changes import due_ids, time_out
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, move_deadline, mover, person, play_one

pytestmark = pytest.mark.django_db

HOURS = "/account/hours/"
FIELDS = {"time_zone": "UTC", "sleep_start": "", "sleep_end": "", "day_off": ""}


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, pace="day"))
    tables.join(table.key, person("Tobias"))
    return fresh(table)


@pytest.fixture
def user(game: Game) -> User:
    return mover(game)


def sweep() -> None:
    for pk in due_ids():
        time_out(pk)


def text_of(user: User) -> str:
    return re.sub(r"\s+", " ", client_of(user).get(HOURS).text)


def begin_automatic_vacation(game: Game, user: User, clock: FrozenClock) -> Vacation:
    """Return the vacation that begins at the deadline, on Tuesday at noon, until midnight."""
    calendars.choose_hours(user, Hours(ZoneInfo("UTC")), automatic_vacation=True)
    clock.move_on(days=1)
    sweep()
    assert fresh(game).deadline == datetime(2026, 6, 3, tzinfo=UTC)
    return Vacation.objects.get()


@pytest.mark.parametrize("switches_off_first", [False, True])
def test_an_automatic_vacation_ends_once_and_not_within_seconds(
    game: Game, user: User, clock: FrozenClock, switches_off_first: bool
) -> None:
    vacation = begin_automatic_vacation(game, user, clock)
    clock.move_on(hours=2)
    client = client_of(user)
    if switches_off_first:
        client.post(HOURS, FIELDS)
    before = text_of(user)
    assert "End it in six hours" in before
    assert "If you end it, the first of your clocks runs out on Tue 2 Jun, 20:00" in before
    assert ("No automatic vacation then starts on that day." in before) is not switches_off_first
    after = client.post(f"{HOURS}vacation/{vacation.pk}/end/", follow=True).text
    assert "Your vacation ends on Tue 2 Jun, 20:00" in after
    for wait in (timedelta(seconds=5), timedelta(hours=5)):
        clock.now += wait
        sweep()
        assert Vacation.objects.count() == 1
        assert fresh(game).is_running, "nobody has lost a seat"
    clock.move_on(hours=1)
    sweep()
    assert Vacation.objects.count() == 1, "it has ended"
    assert fresh(game).is_over, "as the page said"


def test_the_page_offers_no_end_that_would_change_nothing(game: Game, user: User, clock: FrozenClock) -> None:
    vacation = begin_automatic_vacation(game, user, clock)
    clock.move_on(hours=7)
    page = text_of(user)
    assert "End it" not in page
    assert "It can't end earlier" in page
    after = client_of(user).post(f"{HOURS}vacation/{vacation.pk}/end/", follow=True).text
    assert "Your vacation ends on Wed 3 Jun, 00:00" in after
    clock.move_on(seconds=5)
    sweep()
    assert fresh(game).is_running
    assert Vacation.objects.count() == 1


def test_a_vacation_with_time_in_the_bank_ends_now(game: Game, user: User, clock: FrozenClock) -> None:
    calendars.plan_vacation(user, date(2026, 6, 1), date(2026, 6, 4))
    clock.move_on(hours=5)
    assert "End it now" in (page := text_of(user))
    assert "the first of your clocks runs out on Tue 2 Jun, 17:00" in page
    vacation = Vacation.objects.get()
    assert "has ended" in client_of(user).post(f"{HOURS}vacation/{vacation.pk}/end/", follow=True).text
    vacation.refresh_from_db()
    assert vacation.ends_at == clock.now


def test_an_automatic_vacation_starts_again_on_the_next_day(
    game: Game, user: User, clock: FrozenClock
) -> None:
    vacation = begin_automatic_vacation(game, user, clock)
    calendars.end_vacation(user, vacation.pk)
    move_deadline(game, datetime(2026, 6, 3, 5, tzinfo=UTC))
    clock.now = datetime(2026, 6, 3, 5, tzinfo=UTC)
    assert calendars.start_vacation(user, game.pk, clock.now)


SLEEP = Hours(ZoneInfo("UTC"), Sleep(time(13), time(23)))
NIGHT = {"sleep_start": "13:00", "sleep_end": "23:00"}
# The hours before, when the turn began, and the form that the person sends on Tuesday at 14:00. Half an hour
# of the time has counted, and half an hour is left.
PRESSES = {
    "no sleep": (SLEEP, "2026-06-02T12:30", FIELDS),
    "less sleep": (SLEEP, "2026-06-02T12:30", FIELDS | {"sleep_start": "21:00", "sleep_end": "23:00"}),
    "no day off": (Hours(ZoneInfo("UTC"), None, 1), "2026-06-01T23:30", FIELDS),
    "zone": (SLEEP, "2026-06-02T12:30", FIELDS | NIGHT | {"time_zone": "Asia/Tokyo"}),
}


@pytest.mark.parametrize("press", PRESSES)
def test_a_change_of_hours_leaves_six_hours(game: Game, user: User, clock: FrozenClock, press: str) -> None:
    hours, began, fields = PRESSES[press]
    calendars.choose_hours(user, hours)
    # The last change is long ago.
    user.hours_changes.update(starts_at=datetime(2026, 1, 1, tzinfo=UTC))
    game.seats.filter(clock_started_at__isnull=False).update(
        bank=timedelta(hours=1), clock_started_at=datetime.fromisoformat(began).replace(tzinfo=UTC)
    )
    clock.now = datetime(2026, 6, 2, 14, tzinfo=UTC)
    page = client_of(user).post(HOURS, fields, follow=True).text
    assert "These hours apply from Tue 2 Jun, 20:00" in page or "Wed 3 Jun, 05:00" in page
    clock.move_on(seconds=5)
    sweep()
    deadline = fresh(game).deadline
    assert deadline is not None, "nobody has lost a seat"
    assert deadline >= datetime(2026, 6, 2, 20, tzinfo=UTC)


def test_switching_automatic_vacations_off_warns_before_it_costs_a_seat(
    game: Game, user: User, clock: FrozenClock
) -> None:
    calendars.choose_hours(user, Hours(ZoneInfo("UTC")), automatic_vacation=True)
    clock.move_on(hours=23)
    client = client_of(user)
    answer = client.post(HOURS, FIELDS)
    assert answer.status_code == 400
    assert "One of your clocks runs out on Tue 2 Jun, 12:00" in answer.text
    assert re.search(r'name="is_warned" value="on"', answer.text)
    user.refresh_from_db()
    assert user.automatic_vacation
    client.post(HOURS, FIELDS | {"is_warned": "on"})
    user.refresh_from_db()
    assert not user.automatic_vacation


def test_a_move_in_the_last_moment_of_a_live_clock_counts(clock: FrozenClock) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, pace="live"))
    tables.join(table.key, person("Tobias"))
    clock.move_on(minutes=10)
    sweep()
    play_one(table)
    assert fresh(table).version == 1
    clock.move_on(minutes=11)
    sweep()
    assert fresh(table).version == 2, "the other player has lost by time"


@pytest.mark.parametrize(("pace", "says"), [("day", "12 hours left"), ("live", "0:30")])
def test_a_player_knows_how_much_time_they_get_with_their_seat(
    clock: FrozenClock, pace: str, says: str
) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, pace=pace, caretaker="easy"))
    tables.join(table.key, person("Tobias"))
    away = mover(table)
    clock.move_on(days=1)
    time_out(table.pk)
    for path in (table.get_absolute_url(), f"{table.get_absolute_url()}text/"):
        assert f"On your clock: {says}<" in client_of(away).get(path).text
