"""What people choose about notifications: kinds and channels, and silent games."""

from datetime import timedelta
from random import Random

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Seat, wanted_channels
from games.notifications import delivery
from games.notifications.registry import KINDS
from games.services import notifications, tables
from tests.clients import client_of
from tests.games.notifications.chosen import FORM, PAGE, deliver_all
from tests.play import fresh, game_of, mover, person, play_one, play_out

pytestmark = pytest.mark.django_db


def test_the_page_stores_the_channels_of_each_kind(ines: User) -> None:
    client = client_of(ines)
    assert "ines@example.org" in client.get(PAGE).text
    assert "Your settings are saved" in client.post(PAGE, FORM, follow=True).text
    assert wanted_channels(ines) == {
        Kind.TURN: {Channel.DIGEST},  # One email is enough.
        Kind.STARTED: set(),
        Kind.OVER: {Channel.DIGEST},
        Kind.MATCH: set(),
        Kind.TABLE: set(),
        Kind.INVITATION: set(),
        Kind.LEFT: set(),
        Kind.REMINDER: set(),
        Kind.CARETAKER: set(),
        Kind.NUDGE: set(),
        Kind.VOTE: set(),
        Kind.SEAT: set(),
        Kind.CHAT: set(),
        Kind.FOLLOWED: set(),
    }
    page = client.get(PAGE).text
    assert page.count(" checked") == 3, "two boxes, and the answer about replies"
    assert '<option value="Europe/Berlin" selected>' in page


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{not json",
        "turn=mail",
        "digest_hour=24",
        "digest_hour=7&turn=moon",
        "digest_hour=7&time_zone=Moon",
    ],
)
def test_a_damaged_form_changes_nothing(ines: User, body: str) -> None:
    client = client_of(ines)
    before = wanted_channels(ines)
    response = client.post(PAGE, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400
    assert 'class="errorlist"' in response.text
    assert wanted_channels(ines) == before


def test_the_page_asks_to_log_in_and_to_confirm_the_address(client: Client) -> None:
    assert client.get(PAGE).url == f"/account/login/?next={PAGE}"
    page = client_of(person("Mina", confirmed=False)).get(PAGE).text
    assert "To get emails, confirm <b>mina@example.org</b>" in page
    assert 'action="/account/settings/confirm-address/"' in page


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.STARTED, Kind.OVER])
def test_each_kind_is_sent_once_and_stopped_by_its_switch(kind: Kind) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    notifications.choose_channels(tobias, {one: set() for one in Kind.values})
    game = game_of(ines, tobias)
    if kind is Kind.OVER:
        play_out(game)
    deliver_all(kind)
    deliver_all(kind)
    mine = Notification.objects.filter(user=ines, kind=kind)
    assert [one.to for one in mail.outbox] == [[f"Ines <{ines.email}>"]] * mine.exclude(sent_at=None).count()
    assert (
        not Notification.objects.filter(user=tobias)
        .exclude(why_dropped="unwanted")
        .filter(kind=kind)
        .exists()
    )
    notifications.choose_channels(ines, {kind: set()})
    mail.outbox.clear()
    Notification.objects.filter(kind=kind).update(sent_at=None, dropped_at=None)
    deliver_all(kind)
    assert not mail.outbox


def test_the_start_is_news_for_those_who_do_not_move_first() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    deliver_all(Kind.STARTED)
    other = tobias if mover(game) == ines else ines
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (
        [f"{other.username} <{other.email}>"],
        f"Your game against {mover(game).username} has started",
    )
    assert f"{mover(game).username} moves first" in sent.body


def test_the_start_is_news_for_all_who_want_no_notification_of_turns() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    for user in (ines, tobias):
        notifications.stop(user, Kind.TURN, Channel.MAIL)
    game = game_of(ines, tobias)
    first = mover(game)
    deliver_all(Kind.STARTED)
    texts = {one.to[0].split()[0]: one.body for one in mail.outbox}
    assert texts.keys() == {"Ines", "Tobias"}
    assert "you move first" in texts.pop(first.username)
    assert f"{first.username} moves first" in texts.popitem()[1]


def test_a_start_is_no_news_after_a_turn_that_was_wanted_on_its_channel() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    while not Notification.objects.filter(kind=Kind.TURN, version__gt=0).exists():
        play_one(game)
    started = Notification.objects.get(kind=Kind.STARTED)
    assert KINDS[Kind.STARTED].why_unwanted(started) == "newer turn"
    started.channel = Channel.DIGEST
    assert KINDS[Kind.STARTED].why_unwanted(started) != "newer turn"


def test_nobody_is_told_of_a_start_or_an_end_that_they_saw() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=timezone.now() + timedelta(seconds=1))
    started = Notification.objects.get(kind=Kind.STARTED)
    past = timezone.now() - timedelta(hours=1)
    Game.objects.update(started_at=past)
    Seat.objects.update(seen_at=past + timedelta(minutes=1))
    delivery.deliver(started.pk)
    started.refresh_from_db()
    assert started.why_dropped == "seen"

    play_out(game)
    by = fresh(game).actions.latest("number").made_by
    Seat.objects.update(seen_at=None)
    for over in Notification.objects.filter(kind=Kind.OVER):
        delivery.deliver(over.pk)
    assert [one.to for one in mail.outbox if "over" in one.subject or "won" in one.subject] == [
        [f"{seat.user.username} <{seat.user.email}>"] for seat in game.seats.exclude(user=by)
    ]


def test_all_mails_of_a_game_are_one_conversation() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    play_out(game)
    deliver_all()
    first = mover_free_references(game)
    assert len(first) == 1
    assert {one.extra_headers["Auto-Submitted"] for one in mail.outbox} == {"auto-generated"}


def mover_free_references(game: Game) -> set[str]:
    """Return the references of the mails to one person."""
    name = mail.outbox[0].to
    return {one.extra_headers["References"] for one in mail.outbox if one.to == name}


def test_a_silent_game_sends_nothing_until_it_is_silent_no_more() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user = mover(game)
    client = client_of(user)
    assert client.post(f"/g/{game.key}/silence/", {"is_silent": "True"}).url == f"/g/{game.key}/"
    deliver_all(Kind.TURN)
    assert not mail.outbox
    assert "Send me notifications about this game again" in client.get(f"/g/{game.key}/").text
    assert Notification.objects.get(user=user, kind=Kind.TURN).why_dropped == "silent game"
    client.post(f"/g/{game.key}/silence/", {"is_silent": "False"})
    play_one(game, Random(1))
    deliver_all(Kind.TURN)
    assert len(mail.outbox) == 1


def test_turns_that_begin_at_about_the_same_time_share_one_mail(settings: object) -> None:
    settings.TURN_MAILS_WAIT = 120
    ines = person("Ines")
    others = [person(name) for name in ("Tobias", "Mina", "Noor", "Halley", "Caspar")]
    games = [game_of(ines, other) for other in others]
    mine = [game for game in games if mover(game) == ines]
    while len(mine) < 2:
        game = game_of(ines, person(f"More{len(games)}"))
        games.append(game)
        mine += [game] if mover(game) == ines else []
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN)
    assert len(set(rows.values_list("due_at", flat=True))) == 1
    assert rows[0].due_at > timezone.now() + timedelta(seconds=60)
    assert rows[0].pk not in delivery.due_ids()
    Seat.objects.update(seen_at=None)
    rows.update(due_at=timezone.now())
    for row in rows:
        delivery.deliver(row.pk)
    [sent] = mail.outbox
    assert sent.subject == f"It is your turn in {len(mine)} games"
    for game in mine:
        assert f"/g/{game.key}/" in sent.body
    assert rows.filter(sent_at=None).count() == 0


@pytest.mark.parametrize(("level", "pace", "minutes"), [("easy", "", 30), ("", "", 2), ("easy", "live", 2)])
def test_a_turn_against_bots_alone_waits_long_before_its_mail(
    settings: object, level: str, pace: str, minutes: int
) -> None:
    settings.TURN_MAILS_WAIT = 120
    ines = person("Ines")
    options = tables.TableOptions(3, pace=pace)
    game = tables.open_table(ines, options, ("easy", level) if level else ("easy",))
    if not level:
        tables.join(game.key, person("Tobias"))
    Notification.objects.all().delete()
    notifications.owe_turn(fresh(game), ines)
    [row] = Notification.objects.filter(user=ines, kind=Kind.TURN)
    assert abs(row.due_at - row.created_at - timedelta(minutes=minutes)) < timedelta(seconds=30)
