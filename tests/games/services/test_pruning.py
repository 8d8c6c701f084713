"""Pruning: rows that nobody needs are removed, unused tables after a warning, and nothing else."""

import re
import uuid
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import (
    Action,
    Channel,
    Deal,
    Game,
    Hint,
    Kind,
    Notification,
    Review,
    Seat,
    Webhook,
    WebhookPost,
)
from games.notifications import delivery
from games.novaluna.engine import action_to_json
from games.queries.mail_links import url_for_reader
from games.services import hints, notifications, tables
from games.services.talk import chat
from games.tasks import prune
from tests.clients import client_of
from tests.play import fresh, game_of, legal_action, person, play_one, play_out, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def age(row: Model, days: float, *fields: str) -> None:
    """Store a time this many days ago in these fields of a row."""
    times = dict.fromkeys(fields, timezone.now() - timedelta(days=days))
    type(row)._default_manager.filter(pk=row.pk).update(**times)


def open_table(days: float) -> Game:
    """Return a table for two that its owner opened this many days ago, with its page closed."""
    table = tables.open_table(person(f"Ines{days}"), tables.TableOptions(2, is_public=True, pace="slow"))
    age(table, days, "opened_at")
    for seat in table.seats.exclude(joined_at=None):
        age(seat, days, "joined_at", "seen_at")
    return fresh(table)


def prune_later(days: float) -> None:
    """Prune as if so many days had passed."""
    later = timezone.now() + timedelta(days=days)
    with mock.patch.object(timezone, "now", return_value=later):
        prune()


def deliver_later(days: float, warning: Notification) -> None:
    """Deliver a warning as if so many days had passed."""
    later = timezone.now() + timedelta(days=days)
    with mock.patch.object(timezone, "now", return_value=later):
        delivery.deliver(warning.pk)


def warning_of(table: Game) -> Notification:
    """Return the newest warning."""
    return Notification.objects.filter(game=table, kind=Kind.TABLE).latest("pk")


def closing_of(table: Game) -> datetime | None:
    return fresh(table).closes_at


def test_only_expired_sessions_are_removed() -> None:
    client_of(person("Ines"))
    client_of(person("Tobias"))
    expired, valid = Session.objects.order_by("expire_date")
    age(expired, 1, "expire_date")
    prune()
    assert list(Session.objects.all()) == [valid]


def test_only_old_notifications_that_need_no_delivery_are_removed() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    rows = [
        Notification(
            game=game, user_id=game.opened_by_id, kind="turn", version=100 + n, due_at=timezone.now()
        )
        for n in range(5)
    ]
    sent, dropped, sent_lately, dropped_lately, pending = Notification.objects.bulk_create(rows)
    for row, field, days in [
        (sent, "sent_at", 91),
        (dropped, "dropped_at", 91),
        (sent_lately, "sent_at", 89),
        (dropped_lately, "dropped_at", 89),
        (pending, "due_at", 500),
    ]:
        age(row, days, field)
    prune()
    kept = Notification.objects.filter(version__gte=100).values_list("pk", flat=True)
    assert set(kept) == {sent_lately.pk, dropped_lately.pk, pending.pk}


def test_no_notification_waits_for_an_address_for_ever() -> None:
    tobias = person("Tobias", confirmed=False)
    game = game_of(ines := person("Ines"), tobias)
    chat.write(game.key, ines, "Good luck!", uuid.uuid4())
    play_out(game)
    waiting = Notification.objects.pending().filter(user=tobias, kind__in=[Kind.OVER, Kind.CHAT])
    assert waiting.count() == 2
    for days, is_kept in ((89, True), (91, False)):
        waiting.update(created_at=timezone.now() - timedelta(days=days))
        prune()
        assert waiting.exists() == is_kept


@pytest.mark.parametrize(
    ("days", "review", "is_kept"),
    [(91, None, False), (91, "finished", False), (91, "unfinished", True), (89, None, True)],
)
def test_hints_are_removed_when_no_review_can_need_them(days: int, review: str | None, is_kept: bool) -> None:
    game = solo_of(person("Ines"))
    hint = hints.ask(game.key, game.opened_by, 1)
    Hint.objects.update(payload=action_to_json(legal_action(game)))
    prune_later(days)
    assert Hint.objects.filter(pk=hint.pk).exists(), "a running game keeps its hints"
    game = play_out(game)
    age(game, days, "moved_at")
    if review:
        Review.objects.create(game=game, finished_at=timezone.now() if review == "finished" else None)
    prune()
    assert Hint.objects.filter(pk=hint.pk).exists() is is_kept
    assert not fresh(game).is_without_hints


def test_started_games_are_never_touched() -> None:
    running, over = solo_of(person("Ines")), play_out(solo_of(person("Tobias")))
    play_one(running)
    before = [list(model._default_manager.values()) for model in (Game, Seat, Deal, Action)]
    prune_later(1000)
    assert [list(model._default_manager.values()) for model in (Game, Seat, Deal, Action)] == before
    assert over.version


def test_the_owner_of_an_unused_table_is_warned_once_before_it_is_closed() -> None:
    young, table = open_table(6.9), open_table(7.1)
    prune()
    prune()
    assert not Notification.objects.filter(game=young).exists()
    warning, closes_at = warning_of(table), closing_of(table)
    assert abs(closes_at - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)
    deliver_later(2, warning)
    [sent] = mail.outbox
    assert sent.subject == f"Your table closes on {closes_at:%-d %B %Y}"
    for body in (sent.body, str(sent.alternatives[0][0])):
        assert url_for_reader(table.get_absolute_url(), table.opened_by) in body
        assert re.search(rf"/g/{table.key}/(?!\?)", body), "the link for friends knows no reader"
    assert "1 free seat," in sent.body
    assert "List-Unsubscribe" in sent.extra_headers

    prune_later(6.9)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(7.1)
    assert not Game.objects.filter(pk=table.pk).exists()
    page = client_of(table.opened_by).get(table.get_absolute_url())
    assert page.status_code == 404
    assert "because nobody joined it for two weeks" in page.text


def test_a_table_that_was_never_warned_about_is_not_closed_whatever_its_age() -> None:
    table = open_table(400)
    prune()
    assert warning_of(table)
    assert Game.objects.filter(pk=table.pk).exists()


@pytest.mark.parametrize("why", ["unconfirmed address", "no such mails", "guest", "no owner", "visits"])
def test_a_table_is_closed_after_two_weeks_for_every_opener(why: str) -> None:
    table = open_table(7.1)
    owner = table.opened_by
    if why == "unconfirmed address":
        owner.emailaddress_set.update(verified=False)
    elif why == "no such mails":
        notifications.stop(owner, Kind.TABLE, Channel.MAIL)
    elif why == "guest":
        User.objects.filter(pk=owner.pk).update(is_guest=True)
    elif why == "no owner":
        owner.delete()
    prune()
    if why == "visits":
        client_of(owner).get(f"/g/{table.key}/version/?visible")  # as an open page does
    else:
        for warning in Notification.objects.filter(game=table):
            deliver_later(0, warning)
        assert not mail.outbox
    prune_later(6.9)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(7.1)
    assert not Game.objects.filter(pk=table.pk).exists()


def test_a_table_where_others_wait_closes_two_weeks_after_the_last_of_them_has_joined() -> None:
    table, tobias = open_table(6), person("Tobias")
    Seat.objects.create(game=table, number=2)
    tables.join(table.key, tobias)
    prune_later(6.9)
    assert closing_of(table) is None
    prune_later(7.1)
    closes_at = closing_of(table)
    assert warning_of(table).user == table.opened_by
    words = f"If nobody joins, it closes on {closes_at:%-d %B %Y}."
    row = f"closes on {closes_at:%-d %B %Y} if nobody joins"
    for user in (table.opened_by, tobias):
        assert words in client_of(user).get(table.get_absolute_url()).text
        assert row in client_of(user).get("/").text
    stranger = client_of(person("Noor"))
    assert words not in stranger.get(table.get_absolute_url()).text
    assert row not in stranger.get("/").text
    prune_later(14)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(14.2)
    assert not Game.objects.filter(pk=table.pk).exists()


def test_those_who_sit_at_a_table_see_when_tables_close() -> None:
    table = open_table(1)
    words = "The table closes if nobody joins it for two weeks."
    assert words in client_of(table.opened_by).get(table.get_absolute_url()).text
    assert words not in client_of(person("Tobias")).get(table.get_absolute_url()).text


@pytest.mark.parametrize("who", ["person", "bot"])
def test_a_table_that_somebody_joins_after_the_warning_stays_and_is_warned_about_again(who: str) -> None:
    table = open_table(12)
    Seat.objects.create(game=table, number=2)
    prune()
    first = warning_of(table)
    if who == "person":
        tables.join(table.key, person("Tobias"))
    else:
        tables.add_bots(table.key, table.opened_by, "easy", 1)
    assert closing_of(table) is None
    delivery.deliver(first.pk)
    first.refresh_from_db()
    assert first.why_dropped == "seats changed"
    prune_later(6.9)
    assert Notification.objects.filter(game=table).count() == 1
    prune_later(7.1)
    second = Notification.objects.filter(game=table).exclude(pk=first.pk).get()
    deliver_later(7.2, second)
    assert len(mail.outbox) == 1
    prune_later(14)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(14.2)
    assert not Game.objects.filter(pk=table.pk).exists()


def test_somebody_who_leaves_again_takes_no_time_from_the_warning() -> None:
    table = open_table(12)
    Seat.objects.create(game=table, number=2)
    prune()
    tables.join(table.key, person("Tobias"))
    tables.leave(table.key, Seat.objects.get(game=table, number=1).user)
    prune_later(1)
    assert closing_of(table) > timezone.now() + timedelta(days=7.9)
    prune_later(7.9)
    assert Game.objects.filter(pk=table.pk).exists()


def test_a_table_that_has_started_gets_no_email() -> None:
    table = open_table(12)
    prune()
    warning = warning_of(table)
    tables.join(table.key, person("Tobias"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(warning.pk)
    warning.refresh_from_db()
    assert (warning.sent_at, warning.why_dropped) == (None, "started")


def test_many_rows_are_removed_in_batches() -> None:
    expired = timezone.now() - timedelta(days=1)
    Session.objects.bulk_create(Session(session_key=f"moon{n}", expire_date=expired) for n in range(1100))
    with CaptureQueriesContext(connection) as queries:
        prune()
    assert not Session.objects.exists()
    deleted = [query["sql"].count("'moon") for query in queries if query["sql"].startswith("DELETE")]
    assert deleted == [500, 500, 100]


def test_posts_in_discord_are_forgotten_after_the_end_of_their_game() -> None:
    ines = person("Ines")
    webhook = Webhook.objects.create(user=ines, url="https://discord.example/1", format="discord")
    running, over = game_of(ines, person("Tobias")), play_out(game_of(ines, person("Mina")))
    for game in (running, over):
        WebhookPost.objects.create(webhook=webhook, game=game, message_id="1")
    prune_later(6)
    assert WebhookPost.objects.count() == 2
    prune_later(8)
    assert [post.game for post in WebhookPost.objects.all()] == [running]
