"""Deliveries at the same moment: what is due for a person is one message."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Channel, Kind, Notification, Seat
from games.notifications import delivery
from games.services import notifications
from games.services.talk import chat
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import game_of, person
from tests.plugins.mailserver import MailServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


@pytest.mark.parametrize("channel", [Channel.MAIL, Channel.DIGEST])
def test_many_workers_send_what_is_due_for_a_person_as_one_email(
    smtp: MailServer, settings: object, channel: Channel
) -> None:
    """The sweep queues a task for each notification, and each task sends all that are due with it."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    ines = person("Ines")
    notifications.choose_channels(ines, {kind: {channel} for kind in Kind.values})
    games = [game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor", "Emil", "Halley")]
    Seat.objects.update(seen_at=None)

    def delivery_of(notification: Notification) -> Callable[[], int]:
        def deliver() -> int:
            delivery.deliver(notification.pk)
            return 0

        return deliver

    for _round in range(4):
        smtp.reset()
        rows = Notification.objects.filter(user=ines)
        rows.update(due_at=timezone.now(), sent_at=None)
        run_simultaneously([delivery_of(row) for row in [*rows.order_by("pk"), *rows.order_by("-pk")]])
        [sent] = smtp.mails_to(ines.email)
        text = sent.get_body(("plain",)).get_content()
        assert all(f"/g/{game.key}/" in text for game in games)
        assert not rows.filter(sent_at=None).exists()


def test_each_chat_line_is_in_one_email_although_emails_are_sent_meanwhile(
    smtp: MailServer, settings: object
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    notifications.choose_channels(tobias, {Kind.CHAT: {Channel.MAIL}})
    Notification.objects.all().delete()
    Seat.objects.update(seen_at=None)
    smtp.reset()

    def write() -> int:
        for number in range(10):
            chat.write(game.key, ines, f"Line {number}.", uuid.uuid4())
        return 0

    def deliver_all() -> int:
        for _round in range(20):
            deliver_waiting()
        return 0

    run_simultaneously([write, deliver_all, deliver_all])
    deliver_waiting()

    texts = [sent.get_body(("plain",)).get_content() for sent in smtp.mails_to(tobias.email)]
    assert [sum(text.count(f"Line {number}.") for text in texts) for number in range(10)] == [1] * 10


def deliver_waiting() -> None:
    """Deliver all notifications that nobody has claimed, however late they are due."""
    waiting = Notification.objects.pending().filter(claimed_at=None)
    waiting.update(due_at=timezone.now() - timedelta(seconds=1))
    for notification in waiting:
        delivery.deliver(notification.pk)
