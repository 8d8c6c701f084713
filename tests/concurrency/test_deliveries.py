"""Deliveries at the same moment: what is due for a person is one message."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from games.models import Channel, Kind, Notification, Seat
from games.notifications import delivery
from games.services import notifications
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import game_of, person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db(transaction=True)


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
