"""The daily email: one over all games, at the chosen hour of the person."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.services import notifications, presence
from games.services.private.digests import choose_digest_hour
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.notifications.chosen import FORM, PAGE, deliver_all
from tests.play import fresh, game_of, mover, person, play_one, play_out

pytestmark = pytest.mark.django_db


def test_the_daily_mail_is_one_over_all_games_with_turns_first(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    over, started, turn = (game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor"))
    play_out(over)
    while mover(turn) != ines:
        play_one(turn)
    Notification.objects.exclude(user=ines).delete()
    rows = Notification.objects.filter(user=ines)
    assert set(rows.values_list("channel", flat=True)) == {Channel.DIGEST}
    assert not set(delivery.due_ids()) & set(rows.values_list("pk", flat=True))
    deliver_all()
    sent = [one for one in mail.outbox if one.to == [f"Ines <{ines.email}>"]]
    assert len(sent) == 1
    body = sent[0].body
    assert f"/g/{started.key}/" in body
    if fresh(over).actions.latest("number").made_by != ines:
        assert body.index(f"/g/{turn.key}/") < body.index(f"/g/{over.key}/")


def test_the_daily_mail_has_turns_by_deadline_then_by_wait(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    games = [game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor", "Emil")]
    for game in games:
        while mover(game) != ines:
            play_one(game)
    waits_longest, waits, due_late, due_soon = games
    for game, hours in ((due_late, 20), (due_soon, 4)):
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=hours))
    for hours, game in enumerate((waits, waits_longest), start=1):
        turns = Notification.objects.filter(game=game, user=ines, kind=Kind.TURN)
        turns.update(created_at=timezone.now() - timedelta(hours=hours))
    deliver_all()
    [sent] = [one for one in mail.outbox if one.to == [f"Ines <{ines.email}>"]]
    places = [sent.body.index(f"/g/{game.key}/") for game in (due_soon, due_late, waits_longest, waits)]
    assert places == sorted(places)


def test_a_page_that_is_open_does_not_split_the_daily_mail(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    games = [game_of(ines, person(name)) for name in ("Tobias", "Mina")]
    for game in games:
        while mover(game) != ines:
            play_one(game)
    Seat.objects.update(seen_at=None)
    presence.mark(games[0].key, ines.pk)
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN)
    rows.update(due_at=timezone.now())
    delivery.deliver(rows[0].pk)
    [sent] = mail.outbox
    assert all(f"/g/{game.key}/" in sent.body for game in games)


def test_no_daily_mail_when_there_is_nothing(ines: User) -> None:
    notifications.choose_channels(ines, {Kind.TURN: {Channel.DIGEST}, Kind.STARTED: set(), Kind.OVER: set()})
    game = game_of(ines, person("Tobias"))
    while mover(game) != ines:
        play_one(game)
    while mover(game) == ines:
        play_one(game)
    Seat.objects.update(seen_at=None)
    rows = Notification.objects.filter(user=ines)
    rows.update(due_at=timezone.now())
    for row in rows:
        delivery.deliver(row.pk)
    assert not mail.outbox


def test_the_daily_mail_is_due_at_the_chosen_hour_in_the_persons_zone(ines: User) -> None:
    client_of(ines).post(PAGE, FORM)
    game_of(ines, person("Tobias"))
    game = game_of(ines, person("Mina"))
    play_out(game)
    daily = Notification.objects.filter(user=ines, channel=Channel.DIGEST)
    assert daily
    for row in daily:
        local = row.due_at.astimezone(ZoneInfo("Europe/Berlin"))
        assert local.hour == 7


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        (PAGE, {"digest_hour": "9", "time_zone": "Asia/Tokyo"}),
        ("/account/hours/", {"time_zone": "Asia/Tokyo", "sleep_start": "", "sleep_end": "", "day_off": ""}),
    ],
)
def test_the_daily_mail_that_waits_follows_the_hour_and_the_zone(
    ines: User, address: str, fields: dict[str, str]
) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    with frozen_clock():  # noon in UTC
        game_of(ines, person("Tobias"))
        client_of(ines).post(address, fields | {"turn": "digest"})
        ines.refresh_from_db()
        assert ines.time_zone == "Asia/Tokyo"
        [due_at] = Notification.objects.filter(user=ines).values_list("due_at", flat=True)
        local = due_at.astimezone(ZoneInfo("Asia/Tokyo"))
        assert (local.hour, local.minute) == (ines.digest_hour, 0)


def test_a_daily_mail_that_is_due_or_is_being_sent_again_does_not_move(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    game_of(ines, person("Tobias"))
    rows = Notification.objects.filter(user=ines)
    now = timezone.now()
    for values in ({"due_at": now}, {"due_at": now + timedelta(minutes=1), "attempts": 1}):
        rows.update(**values)
        choose_digest_hour(ines, 9)
        assert rows.get().due_at == values["due_at"]
