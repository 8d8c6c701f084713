"""Turn mails: stored with the action, postponed while the game is open, retried, dropped when unwanted."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.mail_retries import LEASE, LONGEST_PAUSE
from accounts.models import User
from games import tasks
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.notifications.registry import KINDS
from games.novaluna.engine import UnknownRules
from games.services import bots, presence
from games.services import notifications as service
from games.services.private.digests import choose_digest_hour
from tests.clients import HTMX, client_of
from tests.frozen import frozen_clock
from tests.play import form_of, fresh, game_of, is_present, mover, person, play_one, solo_of
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db


def end_presence() -> None:
    """Store that no player has a page open."""
    Seat.objects.update(seen_at=None)


def pass_turn(game: Game) -> Notification:
    """Play until it is the other player's turn, end all presence, and return their notification."""
    first = mover(game)
    while mover(game) == first:
        play_one(game)
    end_presence()
    Notification.objects.exclude(kind=Kind.TURN).delete()
    return Notification.objects.get(game=game, user=mover(game), version=fresh(game).version)


def deliver(notification: Notification, delay: timedelta = timedelta(0)) -> Notification:
    """Deliver a notification as if `delay` had passed, and return it as it is stored then."""
    if delay:
        Notification.objects.filter(pk=notification.pk).update(due_at=notification.due_at - delay)
    delivery.deliver(notification.pk)
    return Notification.objects.get(pk=notification.pk)


def test_a_player_gets_one_mail_for_a_turn(game: Game) -> None:
    notification = pass_turn(game)
    assert deliver(notification).sent_at is not None
    deliver(notification)

    [sent] = mail.outbox
    assert sent.to == [f"{notification.user.username} <{notification.user.email}>"]
    mover_before = game.seats.exclude(user=notification.user).get().user
    assert mover_before.username in sent.subject
    assert f"{mover_before.username} took" in sent.body
    assert f"/g/{game.key}/" in sent.body
    [(html, kind)] = [(part.content, part.mimetype) for part in sent.alternatives]
    assert kind == "text/html"
    assert f"/g/{game.key}/" in html
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_no_mail_waits_for_a_day_because_the_clock_was_set_back(game: Game) -> None:
    notification = pass_turn(game)
    Seat.objects.update(seen_at=timezone.now() + timedelta(days=1))
    Notification.objects.update(due_at=timezone.now() + timedelta(days=1))
    assert notification.pk in delivery.due_ids()
    assert deliver(notification).sent_at is not None


def test_a_mail_waits_for_its_longest_pause(game: Game) -> None:
    notification = pass_turn(game)
    Notification.objects.update(due_at=timezone.now() + LONGEST_PAUSE)
    assert delivery.due_ids() == []
    assert deliver(notification).sent_at is None


@pytest.mark.databases
def test_two_turns_in_a_row_give_one_mail() -> None:
    for _deal in range(20):
        game = game_of(person(f"Ines{_deal}"), person(f"Tobias{_deal}"))
        user = pass_turn(game).user
        count = Notification.objects.filter(game=game).count()
        play_one(game)
        if mover(game) == user:
            assert Notification.objects.filter(game=game).count() == count
            return
    raise AssertionError("nobody had two turns in a row in twenty games")


def test_opening_joining_playing_and_loading_a_page_mark_presence() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    assert is_present(game.key, ines.pk)
    assert is_present(game.key, tobias.pk)
    end_presence()
    user = mover(game)
    play_one(game)
    assert is_present(game.key, user.pk)
    end_presence()
    client = client_of(user)
    client.get(game.get_absolute_url(), headers=HTMX)
    assert not is_present(game.key, user.pk), "a hidden tab may have requested the partial"
    client.get(game.get_absolute_url())
    assert is_present(game.key, user.pk)


def test_the_mail_is_sent_only_after_the_player_has_closed_the_game(game: Game) -> None:
    notification = pass_turn(game)
    presence.mark(game.key, notification.user_id)
    postponed = deliver(notification)
    assert postponed.sent_at is None
    assert postponed.due_at > timezone.now() + timedelta(seconds=50)

    end_presence()
    assert deliver(postponed, timedelta(minutes=2)).sent_at is not None
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("channel", [Channel.MAIL, Channel.PUSH, Channel.WEBHOOK])
def test_none_while_a_bots_answer_makes_it_my_turn_and_i_am_still_there(
    monkeypatch: pytest.MonkeyPatch, channel: Channel
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(delivery.CHANNELS[channel], "address_of", lambda _user: "an address")
    monkeypatch.setattr(
        delivery.CHANNELS[channel], "send", lambda message, *_address: sent.append(message.subject)
    )
    ines = person("Ines")
    game = game_of(ines, bots=("easy",), is_public=False)
    Notification.objects.all().delete()
    monkeypatch.setattr(service, "wanted_channels", lambda *_: {kind: {channel} for kind in Kind})
    monkeypatch.setattr(delivery, "wanted_channels", lambda *_: {kind: {channel} for kind in Kind})
    has_moved = False
    while not (has_moved and Notification.objects.filter(version=fresh(game).version).exists()):
        if fresh(game).seats.get(number=fresh(game).to_move).user == ines:
            play_one(game)
            has_moved = True
        else:
            bots.take_turn(game.pk, fresh(game).version + 1)
    turn = Notification.objects.latest("version")
    assert mover(game) == ines
    turn = deliver(turn, timedelta(minutes=2))
    assert (sent, turn.sent_at, turn.dropped_at) == ([], None, None)
    assert timezone.now() < turn.due_at <= timezone.now() + timedelta(minutes=1), "looked at again later"
    end_presence()
    turn = deliver(turn, timedelta(minutes=1))
    assert turn.sent_at
    assert len(sent) == 1


def test_another_open_game_does_not_postpone_the_mail(game: Game) -> None:
    notification = pass_turn(game)
    other = game_of(notification.user, person("Mina"))
    presence.mark(other.key, notification.user_id)
    assert deliver(notification).sent_at is not None


def test_a_poll_marks_presence_only_if_the_page_is_visible(game: Game) -> None:
    user = mover(game)
    client = client_of(user)
    end_presence()
    client.get(f"/g/{game.key}/version/")
    assert not is_present(game.key, user.pk)
    client.get(f"/g/{game.key}/version/?visible")
    assert is_present(game.key, user.pk)


def test_no_mail_for_a_turn_that_is_over(game: Game) -> None:
    notification = pass_turn(game)
    pass_turn(game)
    dropped = deliver(notification)

    assert (dropped.sent_at, dropped.why_dropped) == (None, "turn over")
    assert not mail.outbox


def test_the_mail_waits_until_the_address_is_confirmed() -> None:
    game = game_of(person("Ines", confirmed=False), person("Tobias", confirmed=False))
    notification = pass_turn(game)
    waiting = deliver(notification)
    assert (waiting.sent_at, waiting.dropped_at) == (None, None)
    EmailAddress.objects.update(verified=True)
    assert deliver(waiting, timedelta(hours=1)).sent_at is not None


def test_no_mail_to_a_player_who_has_turned_mails_off(game: Game) -> None:
    notification = pass_turn(game)
    service.stop(notification.user, Kind.TURN, Channel.MAIL)
    assert deliver(notification).why_dropped == "unwanted"
    assert not mail.outbox


@pytest.mark.databases
def test_delivery_retries_if_the_mail_server_is_down(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    notification = pass_turn(game)
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", _raising(SMTPServerDisconnected("down")))
        postponed = deliver(notification)
    assert (postponed.sent_at, postponed.attempts) == (None, 1)
    assert postponed.due_at > timezone.now()
    assert "SMTPServerDisconnected" in postponed.error
    Notification.objects.filter(pk=notification.pk).update(attempts=1000)
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", _raising(SMTPServerDisconnected("down")))
        postponed = deliver(postponed, timedelta(hours=2))
    assert postponed.attempts == 1001
    assert postponed.due_at < timezone.now() + timedelta(hours=2), "the pause between retries is limited"
    assert deliver(postponed, timedelta(hours=2)).sent_at is not None


@pytest.mark.parametrize("command", ["EHLO", "MAIL", "RCPT", "DATA"])
def test_a_server_that_refuses_everything_for_a_while_loses_no_mail(
    game: Game, smtp: MailServer, settings: Settings, command: str
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    notification = pass_turn(game)
    smtp.refused_command, smtp.refusal = command, "550 Not now"
    for _try in range(2):  # A server that is broken for 20 seconds refuses two tries.
        notification = deliver(notification, timedelta(minutes=1))
        assert (notification.dropped_at, smtp.mails) == (None, [])
        assert "550" in notification.error
    smtp.refusal = ""
    assert deliver(notification, timedelta(minutes=1)).sent_at is not None
    assert len(smtp.mails) == 1


def test_a_notification_is_dropped_if_the_server_still_refuses_the_address_after_a_day(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    notification = pass_turn(game)
    refusal = SMTPRecipientsRefused({notification.user.email: (550, b"no such person")})
    monkeypatch.setattr("django.core.mail.EmailMessage.send", _raising(refusal))
    first = deliver(notification)
    again = deliver(first, timedelta(hours=1))
    assert (again.attempts, again.dropped_at) == (2, None)
    assert again.refused_at == first.refused_at
    Notification.objects.update(refused_at=timezone.now() - timedelta(days=1))
    assert deliver(again, timedelta(hours=1)).why_dropped == "address refused"


@pytest.mark.parametrize("others_get_mails", [True, False])
def test_an_address_that_refuses_for_a_day_is_switched_off_until_it_is_confirmed_again(
    game: Game, monkeypatch: pytest.MonkeyPatch, others_get_mails: bool
) -> None:
    """Unless nobody else gets emails either, because then the site's own server is broken."""
    if others_get_mails:
        assert deliver(pass_turn(game)).sent_at
    notification = pass_turn(game)
    user = notification.user
    Notification.objects.filter(pk=notification.pk).update(refused_at=timezone.now() - timedelta(days=1))
    with monkeypatch.context() as patch:
        refusal = SMTPRecipientsRefused({user.email: (550, b"no such person")})
        patch.setattr("django.core.mail.EmailMessage.send", _raising(refusal))
        assert deliver(notification).why_dropped == "address refused"
    client = client_of(user)
    assert ("refused our emails" in client.get("/").text) is others_get_mails
    play_one(game)
    later = pass_turn(game)
    while later.user != user:
        later = pass_turn(game)
    assert (deliver(later).sent_at is None) is others_get_mails
    EmailAddress.objects.filter(user=user).update(verified=True)
    assert deliver(later, timedelta(hours=1)).sent_at
    assert "refused our emails" not in client.get("/").text


def test_only_refusals_without_another_failure_between_them_count(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    notification = pass_turn(game)
    Notification.objects.update(refused_at=timezone.now() - timedelta(days=1))
    refusals = {450: b"try again later", 550: b"no such person"}
    for code, reason in refusals.items():
        refusal = SMTPRecipientsRefused({notification.user.email: (code, reason)})
        monkeypatch.setattr("django.core.mail.EmailMessage.send", _raising(refusal))
        notification = deliver(notification, timedelta(hours=1))
        assert notification.dropped_at is None


def test_the_daily_mail_waits_for_its_hour_on_the_day_on_which_clocks_are_set_back() -> None:
    """That day of the Berlin of 2026 has 25 hours."""
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(time_zone="Europe/Berlin")
    ines.refresh_from_db()
    choose_digest_hour(ines, 18)
    service.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    with frozen_clock() as clock:
        clock.now = datetime(2026, 10, 24, 16, 1, tzinfo=UTC)  # a minute past the hour of the day before
        game_of(ines, person("Tobias"))
        end_presence()
        daily = Notification.objects.get(user=ines)
        assert daily.due_at == datetime(2026, 10, 25, 17, tzinfo=UTC)
        for _step in range(25):
            assert daily.pk not in delivery.due_ids()
            assert deliver(daily).sent_at is None
            clock.move_on(hours=1)
        assert daily.pk in delivery.due_ids()
        assert deliver(daily).sent_at
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("channel", [Channel.MAIL, Channel.DIGEST])
@pytest.mark.parametrize("broken", ["why_unwanted", "context"])
def test_a_game_that_cannot_be_read_delays_no_other(
    monkeypatch: pytest.MonkeyPatch, channel: Channel, broken: str
) -> None:
    ines = person("Ines")
    service.choose_channels(ines, {kind: {channel} for kind in Kind.values})
    good, bad, other = (game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor"))
    end_presence()
    rows = Notification.objects.filter(user=ines)
    rows.update(due_at=timezone.now())

    def fail_for_one(method: Callable[[Notification], object]) -> Callable[[Notification], object]:
        def call(notification: Notification) -> object:
            if notification.game == bad:
                raise UnknownRules(99)
            return method(notification)

        return call

    with monkeypatch.context() as patch:
        for kind in KINDS.values():
            patch.setattr(kind, broken, fail_for_one(getattr(kind, broken)))
        for one in rows:
            delivery.deliver(one.pk)
    [sent] = mail.outbox
    assert all(f"/g/{game.key}/" in sent.body for game in (good, other))
    late = rows.get(sent_at=None)
    assert (late.game, late.attempts, late.error.split(":")[0]) == (bad, 1, "UnknownRules")
    assert deliver(late, late.due_at - timezone.now()).sent_at
    assert len(mail.outbox) == 2


def test_the_lease_is_a_little_longer_than_the_longest_send() -> None:
    assert timedelta(0) < LEASE - timedelta(seconds=tasks.deliver.time_limit) <= timedelta(seconds=10)


def test_no_mail_about_a_solo_game() -> None:
    game = solo_of(person("Ines"))
    play_one(game)
    assert not Notification.objects.exists()


@pytest.mark.databases
def test_the_sweep_finds_only_due_notifications(game: Game) -> None:
    notification = pass_turn(game)
    assert notification.pk in delivery.due_ids()
    deliver(notification)
    assert notification.pk not in delivery.due_ids()


@pytest.mark.databases
def test_a_refused_action_stores_no_notification(game: Game) -> None:
    before = Notification.objects.count()
    client = client_of(mover(game))
    client.post(f"/g/{game.key}/play/", form_of(game, {"do": "refill"}))
    assert Notification.objects.count() == before


def _raising(error: Exception) -> object:
    def send(*args: object, **kwargs: object) -> None:
        raise error

    return send


def test_the_foot_of_an_email_says_who_made_the_title(mailoutbox: list[EmailMultiAlternatives]) -> None:
    notification = pass_turn(game_of(person("Ines"), person("Tobias")))
    delivery.deliver(notification.pk)
    [letter] = mailoutbox
    for part in (letter.body, letter.alternatives[0].content):
        assert "nofficial fan project" in str(part)
