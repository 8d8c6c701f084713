"""`manage.py check_notifications`, which a monitor runs."""

from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import outbox
from accounts.models import AccountMail, User
from games import tasks
from games.models import Channel, Kind, Notification, Seat, ServedQueue, SitePart, Webhook
from games.notifications import delivery
from games.notifications.overdue import UNITS_OF_QUEUES
from games.services import notifications, queues
from tests.frozen import FrozenClock
from tests.play import game_of, person
from tests.plugins.mailserver import MailServer
from tests.receiver import Receiver, receiver

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail_server(smtp: MailServer, settings: Settings) -> MailServer:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return smtp


@pytest.fixture
def webhook_server(settings: Settings) -> Iterator[Receiver]:
    settings.OUTGOING_TO_LOOPBACK = True
    with receiver() as one:
        yield one


def report(capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command and return what it reports; empty if it exits with 0."""
    code: object = 0
    try:
        call_command("check_notifications")
    except SystemExit as exited:
        code = exited.code
    said = capsys.readouterr().out
    assert code == (0 if said == "No notification is overdue.\n" else 1)
    return said if code else ""


def deliver_due() -> None:
    """Deliver what is due, as the sweep does, as if nobody had a page open."""
    Seat.objects.update(seen_at=None)
    for pk in delivery.due_ids():
        delivery.deliver(pk)
    for pk in outbox.due_ids():
        outbox.deliver(pk)


def deliver_for(clock: FrozenClock, minutes: int) -> None:
    """Let workers try for this time."""
    for _minute in range(minutes):
        deliver_due()
        clock.move_on(minutes=1)


def test_an_overdue_notification_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    game_of(person("Ines"), person("Tobias"))
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=9))
    assert report(capsys) == ""
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=11))
    assert f"{Notification.objects.pending().count()} notifications are overdue" in report(capsys)


def test_an_overdue_account_mail_is_reported(capsys: pytest.CaptureFixture[str], clock: FrozenClock) -> None:
    outbox.owe("ines@example.org", "Please confirm", "https://nova-luna.example/confirm/s3cret/")
    clock.move_on(minutes=9)
    assert report(capsys) == ""
    clock.move_on(minutes=2)
    assert "1 account mails are overdue" in report(capsys)


def test_a_mail_server_that_refuses_everything_is_reported_until_it_works_again(
    capsys: pytest.CaptureFixture[str], clock: FrozenClock, mail_server: MailServer
) -> None:
    mail_server.refusal = "451 Try again later"
    game_of(person("Ines"), person("Tobias"))
    outbox.owe("mina@example.org", "Please confirm", "text")
    deliver_for(clock, 9)
    assert report(capsys) == ""
    deliver_for(clock, 3)
    said = report(capsys)
    assert "2 notifications fail" in said
    assert "451" in said
    assert "1 account mails fail" in said
    assert "overdue" not in said, "each failure moves the next try ahead"
    mail_server.refusal = ""
    deliver_for(clock, 60)
    assert report(capsys) == ""
    assert len(mail_server.mails) == 3


@pytest.mark.parametrize("code", [452, 550])
@pytest.mark.parametrize("others_get_mails", [True, False])
def test_an_address_that_is_refused_is_reported_only_if_nobody_gets_emails(
    capsys: pytest.CaptureFixture[str],
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
    others_get_mails: bool,
    code: int,
) -> None:
    def send(mail: EmailMessage) -> int:
        if not others_get_mails or "tobias" in mail.to[0]:
            raise SMTPRecipientsRefused({mail.to[0]: (code, b"not for this person")})
        return 1

    monkeypatch.setattr(EmailMessage, "send", send)
    game_of(person("Tobias"), person("Mina"))
    outbox.owe("tobias@example.org", "Please confirm", "text")
    deliver_for(clock, 12)
    game_of(person("Ines"), User.objects.get(username="Mina"))
    deliver_for(clock, 3)
    assert Notification.objects.pending().filter(attempts__gt=0).exists()
    assert AccountMail.objects.filter(attempts__gt=0).exists()
    assert ("fail" in report(capsys)) is not others_get_mails


def test_a_daily_email_that_is_refused_is_not_reported_while_others_get_emails(
    capsys: pytest.CaptureFixture[str], clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(mail: EmailMessage) -> int:
        if "tobias" in mail.to[0]:
            raise SMTPRecipientsRefused({mail.to[0]: (452, b"mailbox full")})
        return 1

    monkeypatch.setattr(EmailMessage, "send", send)
    tobias = person("Tobias")
    notifications.choose_channels(tobias, {Kind.STARTED: {Channel.DIGEST}, Kind.TURN: {Channel.DIGEST}})
    game_of(tobias, person("Mina"))
    Notification.objects.filter(channel=Channel.DIGEST).update(due_at=clock.now)
    deliver_for(clock, 12)
    assert Notification.objects.get(user=tobias).attempts
    assert "fail" in report(capsys)
    game_of(person("Ines"), User.objects.get(username="Mina"))
    deliver_for(clock, 3)
    assert report(capsys) == ""


def test_a_failure_after_which_nothing_was_tried_is_not_reported(
    capsys: pytest.CaptureFixture[str], clock: FrozenClock, mail_server: MailServer
) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    mail_server.refusal = "451 Try again later"
    deliver_for(clock, 1)
    assert Notification.objects.exclude(failing_since=None).exists()
    mail_server.refusal = ""
    for _minute in range(12):
        Seat.objects.update(seen_at=clock.now)
        for pk in delivery.due_ids():
            delivery.deliver(pk)
        clock.move_on(minutes=1)
    assert Notification.objects.pending().filter(game=game, attempts=1).exists(), "its player has it open"
    assert report(capsys) == ""


@pytest.mark.parametrize("others_get_posts", [True, False])
def test_a_webhook_that_fails_is_reported_only_if_nobody_gets_posts(
    capsys: pytest.CaptureFixture[str], clock: FrozenClock, webhook_server: Receiver, others_get_posts: bool
) -> None:
    webhook_server.paths = {"/Ines": 503, "/Tobias": 200 if others_get_posts else 503}
    users = [person("Ines"), person("Tobias")]
    for user in users:
        Webhook.objects.create(user=user, url=f"{webhook_server.url}/{user}", format=Webhook.Format.JSON)
        every = {kind: {Channel.WEBHOOK} for kind in notifications.wanted_channels(user)}
        notifications.choose_channels(user, every)
    for _game in range(2):
        game_of(*users)
        deliver_for(clock, 6)
    assert ("fail" in report(capsys)) is not others_get_posts


def test_a_part_of_the_site_that_is_down_is_reported(
    clock: FrozenClock, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in SitePart.Name.values:
        # The server of earlier tests may have stored that it serves pages.
        times = {"up_since": clock.now, "seen_at": clock.now}
        SitePart.objects.update_or_create(name=name, defaults=times)
    clock.move_on(minutes=9)
    assert not report(capsys)
    clock.move_on(minutes=2)
    SitePart.objects.exclude(name="web").update(seen_at=clock.now)
    for queue in UNITS_OF_QUEUES:
        tasks.note_served(queue)
    assert report(capsys) == (
        "The site is down: web pages, since 2026-06-01 12:00 UTC. Nobody loses on time until it works. "
        "Check that novaluna-web and the proxy run, and read their logs. If this site has no such part any "
        "more, delete it in the admin (parts of the site).\n"
    )


def queue_marks(minutes: dict[str, int]) -> None:
    """Store how many minutes ago each queue was served last, on a site that has been up for an hour."""
    now = timezone.now()
    SitePart.objects.create(
        name=SitePart.Name.SWEEP, up_since=now - timedelta(hours=1), seen_at=now - timedelta(seconds=3)
    )
    for name, ago in minutes.items():
        tasks.note_served(name)
        ServedQueue.objects.filter(name=name).update(served_at=now - timedelta(minutes=ago))


@pytest.mark.parametrize("queue", ["default", "outside", "quick", "bots"])
@pytest.mark.parametrize("was_served", [True, False])
def test_a_queue_that_nobody_serves_is_reported(
    queue: str, was_served: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    queue_marks({"default": 1, "outside": 1, "quick": 2, "bots": 0} | {queue: 4})
    if not was_served:
        ServedQueue.objects.filter(name=queue).delete()
    assert report(capsys).startswith(f"Nobody serves the queue {queue} since ")


def test_queues_that_are_served_are_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    queue_marks({"default": 1, "outside": 2, "quick": 0, "bots": 2})
    assert report(capsys) == ""


def test_beat_asks_each_queue_of_a_unit_whether_it_is_served() -> None:
    entries = [one for one in settings.CELERY_BEAT_SCHEDULE.values() if one["task"] == queues.NOTE]
    asked = {one["options"]["queue"]: one["args"] for one in entries}
    assert asked == {queue: [queue] for queue in UNITS_OF_QUEUES}
