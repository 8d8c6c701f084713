"""Pruning: rows that nobody needs are removed, unused tables after a warning, and nothing else."""

from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.engine import action_to_json
from games.models import Action, Channel, Deal, Game, Hint, Kind, Notification, Review, Seat
from games.notifications import delivery
from games.services import hints, notifications, tables
from games.tasks import prune
from tests.clients import client_of
from tests.play import fresh, game_of, legal_action, person, play_one, play_out, solo_of

pytestmark = pytest.mark.django_db


def age(row: Model, days: float, *fields: str) -> None:
    """Store a time this many days ago in these fields of a row."""
    times = dict.fromkeys(fields, timezone.now() - timedelta(days=days))
    type(row)._default_manager.filter(pk=row.pk).update(**times)


def open_table(days: float) -> Game:
    """Return a table for two that its owner opened this many days ago, with its page closed."""
    table = tables.open_table(person(f"Ines{days}"), 2, (), beginner=False, is_public=True, pace="slow")
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


def test_news_of_the_end_of_a_game_does_not_wait_for_an_address_for_ever() -> None:
    game = play_out(game_of(person("Ines"), person("Tobias", confirmed=False)))
    news = Notification.objects.pending().filter(game=game, kind=Kind.OVER)
    assert news.exists()
    for days, is_kept in ((89, True), (91, False)):
        news.update(created_at=timezone.now() - timedelta(days=days))
        prune()
        assert news.exists() == is_kept


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
    assert not fresh(game).is_rated


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
    warning = warning_of(table)
    deliver_later(2, warning)
    [sent] = mail.outbox
    warning.refresh_from_db()
    closes_at: datetime = warning.sent_at + timedelta(days=7)
    assert sent.subject == f"Your table closes on {closes_at:%-d %B %Y}"
    assert f"/g/{table.key}/" in sent.body
    assert "1 free seat," in sent.body
    assert "List-Unsubscribe" in sent.extra_headers

    prune_later(8.9)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(9.1)
    assert not Game.objects.filter(pk=table.pk).exists()
    assert client_of(table.opened_by).get(table.get_absolute_url()).status_code == 404


def test_a_table_that_was_never_warned_about_is_not_closed_whatever_its_age() -> None:
    table = open_table(400)
    prune()
    assert warning_of(table)
    assert Game.objects.filter(pk=table.pk).exists()


@pytest.mark.parametrize("why", ["unconfirmed address", "no turn mails"])
def test_a_table_whose_owner_gets_no_mail_is_closed_two_weeks_after_the_warning(why: str) -> None:
    table = open_table(12)
    if why == "unconfirmed address":
        table.opened_by.emailaddress_set.update(verified=False)
    else:
        notifications.stop(table.opened_by, Kind.TABLE, Channel.MAIL)
    prune()
    deliver_later(0, warning_of(table))
    assert not mail.outbox
    prune_later(13.9)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(14.1)
    assert not Game.objects.filter(pk=table.pk).exists()


@pytest.mark.parametrize("has_owner", [True, False])
def test_a_table_where_a_second_person_waits_stays(has_owner: bool) -> None:
    table = open_table(12)
    Seat.objects.create(game=table, number=2)
    tables.join(table.key, person("Tobias"))
    if not has_owner:
        table.opened_by.delete()
    prune_later(20)
    prune_later(100)
    assert Game.objects.filter(pk=table.pk).exists()
    assert not Notification.objects.filter(game=table).exists()


def test_a_table_that_its_owner_looks_at_after_the_warning_stays_and_is_warned_about_again() -> None:
    table = open_table(12)
    prune()
    first = warning_of(table)
    delivery.deliver(first.pk)
    client_of(table.opened_by).get(f"/g/{table.key}/version/?visible")  # as an open page does
    prune_later(6.9)
    assert warning_of(table) == first
    prune_later(14.1)
    second = warning_of(table)
    assert second != first, "it is not closed without another warning"
    deliver_later(15, second)
    prune_later(21.9)
    assert Game.objects.filter(pk=table.pk).exists()
    prune_later(22.1)
    assert not Game.objects.filter(pk=table.pk).exists()
    assert len({sent.extra_headers["Message-ID"] for sent in mail.outbox}) == 2


def test_a_table_without_an_owner_is_closed_without_a_warning() -> None:
    table = open_table(15)
    table.opened_by.delete()
    prune()
    assert not Game.objects.filter(pk=table.pk).exists()


def test_the_owners_page_says_when_a_table_closes() -> None:
    table = open_table(1)
    words = "The table closes if nobody joins it, and you don't open its page, for two weeks."
    assert words in client_of(table.opened_by).get(table.get_absolute_url()).text
    assert words not in client_of(person("Tobias")).get(table.get_absolute_url()).text


def test_a_table_that_somebody_joins_after_the_warning_stays_and_is_warned_about_again() -> None:
    table = open_table(12)
    Seat.objects.create(game=table, number=2)
    prune()
    warning = warning_of(table)
    tables.join(table.key, person("Tobias"))
    delivery.deliver(warning.pk)
    warning.refresh_from_db()
    assert warning.why_dropped == "seats changed"
    prune_later(12)
    assert Notification.objects.filter(game=table).count() == 1, "Tobias waits there"
    tables.leave(table.key, Seat.objects.get(game=table, number=1).user)
    prune_later(12)
    assert Notification.objects.filter(game=table).count() == 2
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
