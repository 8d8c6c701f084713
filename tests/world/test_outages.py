"""An outage runs on no clock: players lose nothing while the site, or a part of it, is down."""

import uuid
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import outbox
from accounts.models import AccountMail, User
from games.clocks import Hours, Sleep
from games.models import (
    Game,
    Kind,
    Notification,
    Outage,
    RatingChange,
    Seat,
    SeatOffer,
    SitePart,
    Vacation,
    Vote,
    absent_seats,
    may_nudge_from,
)
from games.models.outages import time_after, time_before
from games.novaluna.engine import Resign
from games.queries.outages import outages_of
from games.services import calendars, hand_overs, pruning, tables, votes
from games.services.channels import webhooks
from games.services.play import play
from games.services.uptime import renew
from tests.games.services.test_clocks import assert_projections_are_right
from tests.play import fresh, game_of, mover, person, play_one, turn_mail
from tests.world.frozen_site import NOON, PARTS, Site, is_lost, paced

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("outages")]
# What is down: everything, or only some parts while people can still read pages, or move.
WAYS = {
    "everything, or the clock jumps ahead": PARTS,
    "beat": [SitePart.Name.SWEEP],
    "workers": [SitePart.Name.SWEEP, SitePart.Name.MAILS, SitePart.Name.QUICK],
    "web": [SitePart.Name.WEB],
    "notifications": [SitePart.Name.MAILS],
}
GAMES = [("day", "", True), ("day", "medium", False), ("live", "", False)]


@pytest.mark.parametrize("down", WAYS.values(), ids=WAYS)
def test_nobody_loses_a_seat_or_time_in_an_outage(site: Site, down: list[str]) -> None:
    games = [paced(pace, caretaker, rated=rated) for pace, caretaker, rated in GAMES[:2]]
    site.works(hours=23, minutes=48)
    games.append(paced("live"))
    site.works(minutes=8)
    before = {game.pk: (game.deadline, mover(game)) for game in games}

    site.sweeps(*down, seconds=60)  # Not everything stops at the same second.
    site.works(*down, hours=3)
    site.sweeps(*down, seconds=10)
    assert not any(map(is_lost, games))
    site.sweeps(seconds=20)

    gap = timedelta(hours=3, seconds=80)
    for game in games:
        deadline, player = before[game.pk]
        assert fresh(game).deadline == deadline + gap, game.pace
        assert mover(game) == player
        assert fresh(game).live_version > game.live_version, "open pages show the new deadline"
    assert_projections_are_right()
    assert not RatingChange.objects.exists()

    # Their time runs on, and is up as it would have been.
    site.works(seconds=15)
    site.sweeps(seconds=10)
    assert not any(map(is_lost, games))
    site.works(minutes=2)
    site.sweeps(seconds=20)
    assert [is_lost(game) for game in games] == [False, False, True]
    site.works(minutes=2)
    site.sweeps(seconds=20)
    assert all(map(is_lost, games))
    assert_projections_are_right()


def test_a_live_game_ends_within_two_seconds_of_its_deadline(site: Site) -> None:
    game = paced("live")
    site.works(minutes=9, seconds=58, milliseconds=500)
    site.checks_clocks(seconds=1)
    assert not is_lost(game)
    site.checks_clocks(seconds=2.5)
    assert is_lost(game)


def test_a_deadline_in_the_first_seconds_of_an_outage_waits_for_its_end(site: Site) -> None:
    game = paced("live")
    site.works(minutes=9, seconds=55)
    site.sweeps(SitePart.Name.WEB, seconds=100)
    assert not is_lost(game)
    site.sweeps(seconds=30)
    assert not is_lost(game), "the gap was short, but the player could not move at the deadline"
    site.sweeps(seconds=100)
    assert is_lost(game)
    assert not Outage.objects.exists()


def test_a_clock_that_is_set_back_costs_nobody_time(site: Site) -> None:
    game = paced("live")
    site.works(minutes=8)
    site.clock.move_on(hours=-1)
    site.sweeps(minutes=3, every=20)
    assert not is_lost(game)
    assert fresh(game).deadline == game.deadline
    assert SitePart.objects.get(name="web").seen_at == site.clock.now
    site.clock.move_on(hours=1)
    site.sweeps(minutes=3, every=20)
    assert not is_lost(game)
    site.works(hours=1)
    site.sweeps(minutes=3, every=20)
    assert is_lost(game)


@pytest.mark.databases
def test_a_clock_that_was_wrong_for_some_minutes_gives_no_time(site: Site) -> None:
    game = paced()
    site.clock.move_on(hours=5)
    site.sweeps(minutes=4)
    assert fresh(game).deadline == game.deadline + timedelta(hours=5, seconds=10)
    site.clock.move_on(hours=-5)
    site.sweeps(minutes=4)
    assert timedelta(0) <= fresh(game).deadline - game.deadline <= timedelta(minutes=5)
    assert_projections_are_right()


def test_a_clock_that_is_set_back_by_an_hour_delays_no_message(site: Site) -> None:
    game, now = paced(), site.clock.now
    Notification.objects.all().delete()
    values = {"game": game, "user": mover(game), "kind": Kind.TURN}
    for version, (channel, due_at, claimed_at) in enumerate(
        [
            ("mail", now, None),
            ("mail", now + timedelta(minutes=2), None),
            ("push", now + timedelta(seconds=30), now),
            ("digest", now + timedelta(hours=9), None),
        ]
    ):
        Notification.objects.create(
            **values, version=version, channel=channel, due_at=due_at, claimed_at=claimed_at
        )
    outbox.owe("ines@example.org", "Hello", "Hello")
    mail = AccountMail.objects.get()
    AccountMail.objects.filter(pk=mail.pk).update(due_at=now + timedelta(minutes=4), attempts=4)
    site.clock.move_on(hours=-1)
    renew("sweep")
    earlier = timedelta(hours=1)
    due = list(Notification.objects.order_by("version").values_list("due_at", flat=True))
    assert due == [
        now - earlier,
        now - earlier + timedelta(minutes=2),
        now - earlier + timedelta(seconds=30),
        now + timedelta(hours=9),
    ]
    assert AccountMail.objects.get().due_at == now - earlier + timedelta(minutes=4)


def test_time_that_did_not_count_anyway_is_not_given_back(site: Site) -> None:
    asleep, away = paced(names="Ines Tobias"), paced(names="Noor Mina")
    sleeper, traveller = mover(asleep), mover(away)
    calendars.choose_hours(sleeper, Hours(ZoneInfo("UTC"), Sleep(time(23), time(8))))
    calendars.plan_vacation(traveller, date(2026, 6, 2), date(2026, 6, 2))
    deadlines = [fresh(game).deadline for game in (asleep, away)]
    site.works(hours=10)  # until 22:00
    site.works(*PARTS, hours=11)  # until 09:00
    site.sweeps(seconds=20)
    gained = [fresh(game).deadline - at for game, at in zip((asleep, away), deadlines, strict=True)]
    # Two hours more for the sleeper would end in the next night, and so end after it.
    assert deadlines[0] + timedelta(hours=2) == datetime(2026, 6, 2, 23, tzinfo=UTC)
    assert gained == [timedelta(hours=2 + 9, seconds=10), timedelta(hours=2)]
    assert_projections_are_right()


def test_turns_in_an_outage_of_the_sweep_cost_nobody_anything(site: Site) -> None:
    game, over = paced(), paced(names="Noor Mina")
    first = mover(game)
    site.works(hours=1)
    site.works("sweep", hours=5)
    while mover(game) == first:
        play_one(fresh(game))
    play_one(over)
    loser = mover(over)
    play(over.key, loser, Resign(0), fresh(over).version + 1, uuid.uuid4())
    assert game.seats.get(user=first).bank == timedelta(hours=24 - 6 + 12)
    site.sweeps(seconds=20)
    assert game.seats.get(user=first).bank == timedelta(hours=24 - 1 + 12)
    assert_projections_are_right()


def test_an_automatic_vacation_starts_after_the_outage(site: Site) -> None:
    game = paced()
    User.objects.filter(pk=mover(game).pk).update(automatic_vacation=True)
    site.works(hours=23, minutes=50)
    site.works(*PARTS, hours=6)
    site.sweeps(minutes=3)
    assert not Vacation.objects.exists()
    site.works(minutes=10)
    site.sweeps(seconds=20)
    assert Vacation.objects.get().starts_at == NOON + timedelta(hours=30, seconds=10)


def test_silence_objections_and_absence_count_only_while_the_site_is_up(site: Site) -> None:
    users = [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]
    game = game_of(*users[:3], is_public=False)
    absent = mover(game)
    others = [user for user in users[:3] if user != absent]
    site.works(days=13)
    site.works(*PARTS, days=3)
    site.sweeps(seconds=10)
    assert not absent_seats(fresh(game))
    assert may_nudge_from(game.seats.get(user=absent)) == NOON + timedelta(days=1)
    site.works(days=1)
    assert absent_seats(fresh(game))

    votes.start(game.key, others[0], Vote.Purpose.OUT)
    hand_overs.offer(game.key, others[0], is_public=False)
    offer = SeatOffer.objects.get()
    hand_overs.take(offer.key, users[3])
    site.works(hours=23)
    site.works(*PARTS, days=8)
    site.sweeps(minutes=3)
    assert SeatOffer.objects.running().exists()
    assert Vote.objects.running().exists()
    end = site.clock.now
    assert end < SeatOffer.objects.get().happens_at < end + timedelta(hours=1)
    assert end + timedelta(days=5) < Vote.objects.get().is_silent_from < end + timedelta(days=7)
    site.works(hours=1)
    site.sweeps(seconds=20)
    assert SeatOffer.objects.get().outcome == SeatOffer.Outcome.DONE


def test_tables_and_invitations_wait_as_long_as_the_site_was_down(site: Site) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = tables.open_table(ines, tables.TableOptions(2))
    Seat.objects.filter(game=table, user=None).update(invited=tobias, invited_at=NOON)
    site.works(days=6)
    site.works(*PARTS, days=20)
    renew("sweep")
    pruning.prune()
    table = fresh(table)
    assert table.closes_at is None
    assert table.seats.get(number=1).invited == tobias
    site.works(days=2)
    pruning.prune()
    assert fresh(table).closes_at is not None
    assert fresh(table).seats.get(number=1).invited is None
    site.works(days=1)
    site.works(*PARTS, days=20)
    renew("sweep")
    pruning.prune()
    assert Game.objects.filter(pk=table.pk).exists(), "its warning was not shown for a week"


def test_a_site_that_never_noted_when_it_was_up_goes_by_the_last_sign_of_a_player(site: Site) -> None:
    game = paced("live")
    SitePart.objects.all().delete()
    site.clock.move_on(hours=3)
    site.sweeps(seconds=10)
    site.sweeps(minutes=5, every=30)
    assert not is_lost(game)
    assert fresh(game).deadline == game.deadline + timedelta(hours=3, seconds=10)
    # The site may have been up: then nobody reads that it was down.
    assert outages_of(fresh(game), mover(game)) == ()
    site.clock.move_on(hours=1)
    site.sweeps(minutes=5, every=30)
    assert len(outages_of(fresh(game), mover(game))) == 1


def test_reminders_and_mails_wait_until_the_clocks_are_right(site: Site) -> None:
    game = paced(names="Ines Tobias")
    site.works(hours=16)
    site.works(*PARTS, hours=7)
    site.sweeps(minutes=3)
    assert not Notification.objects.filter(game=game, kind=Kind.REMINDER).exists()
    site.works(hours=3)
    site.sweeps(seconds=10)
    reminders = Notification.objects.filter(game=game, kind=Kind.REMINDER)
    assert reminders.count() == 1
    webhooks.store(mover(game), "https://discord.com/api/webhooks/1/x", "discord")
    reminders.update(channel="webhook", sent_at=site.clock.now)
    site.works(*PARTS, hours=1)
    site.sweeps(seconds=20)
    again = Notification.objects.filter(game=game, kind=Kind.TURN, channel="webhook")
    assert again.exists(), "the reminder named a deadline that has moved"


def test_the_history_and_the_next_email_say_how_long_the_site_was_down(site: Site, client: Client) -> None:
    game = paced()
    site.works(hours=1)
    play_one(game)
    user = mover(game)
    User.objects.filter(pk=user.pk).update(time_zone="Asia/Tokyo")
    site.works(hours=1, minutes=55)
    site.works("web", hours=3)  # from midnight in Tokyo, nearly
    site.works(*PARTS, minutes=10)
    site.sweeps(seconds=20)
    sentence = "The site was down for 3 hours on Mon 1 Jun. No clock ran."
    client.force_login(User.objects.get(pk=user.pk))
    for path in ("", "text/"):
        page = client.get(game.get_absolute_url() + path).content.decode()
        assert page.count(sentence) == 1
    assert "The site was down" in Client().get(game.get_absolute_url()).content.decode()

    mail = turn_mail(fresh(game), User.objects.get(pk=user.pk))
    assert mail.body.count(sentence) == 1
    assert str(mail.alternatives[0][0]).count(sentence) == 1
    Notification.objects.filter(game=game, user=user, kind=Kind.TURN).update(sent_at=site.clock.now)
    assert "The site was down" not in turn_mail(fresh(game), user).body

    moved_at = fresh(game).moved_at
    with CaptureQueriesContext(connection) as with_one:
        assert outages_of(fresh(game), user)[0].number == 2
    for minutes in (5, 15):
        times = (moved_at + timedelta(minutes=minutes), moved_at + timedelta(minutes=minutes + 5))
        Outage.objects.create(started_at=times[0], ended_at=times[1])
    with CaptureQueriesContext(connection) as with_three:
        assert [one.number for one in outages_of(fresh(game), user)] == [2, 2, 2]
    assert len(with_three) == len(with_one)

    without_clock = game_of(person("Noor"), person("Mina"), is_public=False)
    Outage.objects.update(started_at=NOON, ended_at=site.clock.now + timedelta(hours=1))
    site.clock.move_on(hours=2)
    assert "The site was down" not in client.get(without_clock.get_absolute_url()).content.decode()


def test_spans_of_time_in_which_the_site_was_up(site: Site) -> None:
    def hours(count: float) -> datetime:
        return NOON + timedelta(hours=count)

    for start, end in [(1, 2), (1.5, 3), (1.6, 1.7), (3, 4), (8, 9), (5, 5)]:
        Outage.objects.create(started_at=hours(start), ended_at=hours(end), given_to=None)
    assert time_after(hours(0), timedelta(hours=1)) == hours(4)
    assert time_after(hours(2), timedelta(hours=4)) == hours(9)
    assert time_before(hours(4), timedelta(hours=1)) == hours(0)
    assert time_before(hours(9), timedelta(hours=4)) == hours(4)
    assert time_before(hours(10), timedelta(hours=5.5)) == hours(0.5)
