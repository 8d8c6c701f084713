"""Times as people read them: no two instants read the same, and what stays on a screen is not relative."""

import re
from datetime import UTC, date, datetime, timedelta
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import User
from games.clocks import Estimate
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.services import calendars, tables
from games.services.notifications import remind
from games.shown.clocks import describe_estimate, format_deadline, format_with_zone
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, move_deadline, mover, person, turn_mail

pytestmark = pytest.mark.django_db

# Two instants at which the clocks of a zone show the same.
SAME = [
    ("America/New_York", "2027-11-07T05:30", "2027-11-07T06:30"),
    ("Australia/Lord_Howe", "2027-04-03T14:45", "2027-04-03T15:15"),
    ("America/St_Johns", "2027-11-07T03:45", "2027-11-07T04:45"),
    ("Europe/Dublin", "2027-10-31T00:10", "2027-10-31T01:10"),
]
RELATIVE = re.compile(
    r"\b(in|for) (an?|\d+|less than a)[\s\xa0](minute|hour|day|week)|\bago\b|\bleft for\b"
    r"|\d[\s\xa0](minutes?|hours?|days?) left|\b(tomorrow|yesterday|today)\b"
)
EVERYTHING_BY_PUSH = {kind: {Channel.PUSH.value} for kind in Kind.values}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    """A game with a day a turn."""
    table = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="day"))
    tables.join(table.key, person("Tobias"))
    return fresh(table)


@pytest.mark.parametrize(("zone", "first", "second"), SAME)
def test_two_instants_never_read_the_same(
    game: Game, clock: FrozenClock, zone: str, first: str, second: str
) -> None:
    user, place = mover(game), ZoneInfo(zone)
    User.objects.update(time_zone=zone)
    user.refresh_from_db()
    shown, sent = [], []
    for deadline in (at(first), at(second)):
        clock.now = deadline - timedelta(hours=5)
        move_deadline(game, deadline)
        for path in (game.get_absolute_url(), f"{game.get_absolute_url()}text/", "/"):
            page = client_of(user).get(path).text
            shown += re.findall(r"data-when>(.*?)<", page)[:1]
            assert f"Times are in {zone.replace('_', ' ')}, UTC" in page
        sent += re.findall(r"Move by (.*?)\.\n", turn_mail(fresh(game), user).body)
    assert len(shown) == 6
    assert len({*shown}) == len({*sent}) == 2
    night = timedelta(hours=9)
    estimates = {
        describe_estimate(Estimate(at(one), at(one), at(one) + night), place, at(one) - night)
        for one in (first, second)
    }
    assert len(estimates) == 2


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("America/New_York", "Sun 7 Nov, 01:30 (UTC−4)"),
        ("Asia/Kathmandu", "Sun 7 Nov, 11:15"),
        ("Asia/Tehran", "Sun 7 Nov, 09:00"),
        ("Europe/Atlantis", "Sun 7 Nov, 05:30"),
    ],
)
def test_only_times_that_are_shown_twice_have_an_offset(zone: str, shown: str) -> None:
    assert format_deadline(at("2027-11-07T05:30"), zone_of(zone)) == shown
    assert "(" in format_with_zone(at("2027-11-07T05:30"), zone_of(zone))


def test_a_visitor_reads_times_in_the_zone_of_their_device(game: Game) -> None:
    visitor = Client()
    page = visitor.get(game.get_absolute_url()).text
    assert "Tue 2 Jun, 12:00 (UTC)" in page
    assert "Times are in UTC" in page
    visitor.cookies["zone"] = "Asia/Kathmandu"
    page = visitor.get(game.get_absolute_url()).text
    assert "Tue 2 Jun, 17:45" in page
    assert "Times are in Asia/Kathmandu, UTC+5:45" in page
    for forged in ("../../etc/passwd", "Mars/Base", "UTC" * 99):
        visitor.cookies["zone"] = forged
        assert "Times are in UTC" in visitor.get(game.get_absolute_url()).text


def test_a_new_account_gets_the_zone_of_its_device_and_keeps_it() -> None:
    ines = person("Ines")
    for device in ("Asia/Kathmandu", "Europe/Berlin"):
        client = Client()
        client.cookies["zone"] = device
        client.post("/account/login/", {"login": ines.email, "password": "moon-and-stars-17"})
        ines.refresh_from_db()
        assert ines.time_zone == "Asia/Kathmandu"
        assert "Times are in Asia/Kathmandu" in client.get("/").text
    guest = Client()
    guest.cookies["zone"] = "Asia/Tokyo"
    request = {
        "day": timezone.now().date(),
        "request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "minutes": 0,
    }
    guest.post("/daily/start/", request | {"is_warned": "on"})
    assert User.objects.get(is_guest=True).time_zone == "Asia/Tokyo"


def test_no_notification_of_a_game_says_how_long_something_is(game: Game, clock: FrozenClock) -> None:
    user = mover(game)
    clock.move_on(hours=19)
    game = fresh(game)
    kinds = (Kind.TURN, Kind.REMINDER, Kind.STARTED)
    rows = [
        Notification(pk=pk, game=game, user=user, kind=kind, channel=channel, created_at=clock.now)
        for channel in (Channel.MAIL, Channel.PUSH)
        for pk, kind in enumerate(kinds, 1)
    ]
    messages = [*(delivery.write_message([row]) for row in rows), delivery.write_message([rows[0], rows[2]])]
    for message in messages:
        for text in (message.subject, message.text, re.sub(r"<[^>]+>", "", message.html)):
            assert not RELATIVE.search(text), text
    reminders = {message.subject for message in messages if "against" in message.subject} - {
        messages[0].subject
    }
    assert [one for one in reminders if one.startswith("Move by Tue 2 Jun, 12:00 (UTC) against ")]


def test_a_reminder_on_a_screen_is_replaced_when_its_deadline_moves(game: Game, clock: FrozenClock) -> None:
    user = mover(game)
    clock.move_on(hours=19)
    pushed: list[tuple[str, str]] = []
    channel = mock.Mock(is_brief=True, address_of=lambda _user: "1")
    channel.send = lambda message, *_: pushed.append((message.thread, message.subject))

    def deliver_all() -> None:
        Seat.objects.update(seen_at=None)
        for one in Notification.objects.filter(sent_at=None, channel=Channel.PUSH, user=user):
            delivery.deliver(one.pk)

    with (
        mock.patch.dict(delivery.CHANNELS, {Channel.PUSH: channel}),
        mock.patch("games.services.notifications.wanted_channels", return_value=EVERYTHING_BY_PUSH),
        mock.patch("games.notifications.delivery.wanted_channels", return_value=EVERYTHING_BY_PUSH),
    ):
        remind(game.pk)
        deliver_all()
        assert "Tue 2 Jun, 12:00" in pushed[-1][1]
        calendars.plan_vacation(user, date(2026, 6, 2), date(2026, 6, 2))
        deliver_all()
    assert pushed[-1][1].startswith("Your turn against ")
    assert pushed[-1][0] == pushed[-2][0], "it replaces the reminder"
    assert mail.outbox == []
