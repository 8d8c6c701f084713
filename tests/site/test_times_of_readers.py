"""Times of day on pages and in emails are on the clocks of their reader, or say that they are in UTC."""

import re
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.services import tables
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.play import game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 6, 1, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "shown"), [("Asia/Tokyo", "2 June 2026, 05:00"), ("", "1 June 2026, 20:00 (UTC)")]
)
def test_pages_show_times_of_day_in_the_zone_of_the_reader(zone: str, shown: str) -> None:
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(time_zone=zone)
    game_of(ines, person("Tobias"))
    play_out(solo_of(ines))
    Game.objects.update(moved_at=EVENING)
    Notification.objects.update(created_at=EVENING, due_at=EVENING, sent_at=EVENING)
    client = client_of(ines)
    for path in ("/solo/", "/account/notifications/sent/"):
        times = re.findall(r"\d+ June 2026, \d\d:\d\d(?: \(UTC\))?", client.get(path).text)
        assert times, path
        assert set(times) == {shown}, path


def test_a_table_closes_on_a_day_of_its_owner() -> None:
    with frozen_clock():
        ines = person("Ines")
        User.objects.filter(pk=ines.pk).update(time_zone="Asia/Tokyo")
        table = tables.open_table(ines, tables.TableOptions(2))
        Game.objects.update(closes_at=EVENING)
        warning = Notification.objects.create(
            user=ines, game=table, kind=Kind.TABLE, channel=Channel.MAIL, version=0, due_at=timezone.now()
        )
        assert "it closes on 2 June 2026" in client_of(ines).get(table.get_absolute_url()).text
        Seat.objects.update(seen_at=None)
        delivery.deliver(warning.pk)
    [sent] = mail.outbox
    assert sent.subject == "Your table closes on 2 June 2026"
    for body in (sent.body, str(sent.alternatives[0][0])):
        assert "1 June 2026" not in body
