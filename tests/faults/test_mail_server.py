"""A mail server that is down or silent costs a delay, and in the end each email arrives exactly once."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import outbox
from accounts.models import AccountMail
from games.models import Kind, Notification, Seat
from games.notifications import delivery
from tests.play import game_of, person
from tests.plugins.children import free_port
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db


@contextmanager
def closed_port(settings: Settings, _smtp: MailServer) -> Iterator[None]:
    """The mail server does not run."""
    settings.EMAIL_PORT, port = free_port(), settings.EMAIL_PORT
    yield
    settings.EMAIL_PORT = port


@contextmanager
def no_greeting(settings: Settings, _smtp: MailServer) -> Iterator[None]:
    """The mail server accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_PORT, port = silent.getsockname()[1], settings.EMAIL_PORT
        yield
        settings.EMAIL_PORT = port


@contextmanager
def no_answer(_settings: Settings, smtp: MailServer) -> Iterator[None]:
    """The mail server reads each email and does not say whether it accepts it."""
    smtp.is_hanging = True
    yield
    assert smtp.held > 0
    smtp.is_hanging = False


@contextmanager
def busy(_settings: Settings, smtp: MailServer) -> Iterator[None]:
    """The mail server takes no email now, and says so."""
    smtp.refusal = "451 4.7.1 Please try again later"
    yield
    smtp.refusal = ""


@contextmanager
def no_names(settings: Settings, _smtp: MailServer) -> Iterator[None]:
    """No name of a server can be looked up."""

    def fail(*_args: object, **_options: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", fail)
        yield


@pytest.mark.parametrize("fault", [closed_port, no_greeting, no_answer, busy, no_names])
def test_emails_arrive_once_after_the_mail_server_was_down_or_silent(
    settings: Settings, smtp: MailServer, fault: object
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    usual, settings.EMAIL_TIMEOUT = settings.EMAIL_TIMEOUT, 0.3
    game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    Notification.objects.exclude(kind=Kind.TURN).delete()
    turn = Notification.objects.get()
    outbox.owe("mina@example.org", "Please confirm", "text")

    def deliver_twice() -> None:
        for _try in range(2):
            Notification.objects.update(due_at=timezone.now())
            delivery.deliver(turn.pk)
            AccountMail.objects.update(due_at=timezone.now())
            for pk in outbox.due_ids():
                outbox.deliver(pk)

    start = monotonic()
    with fault(settings, smtp):
        deliver_twice()
    assert monotonic() - start < 30, "each try ends at the time limit"
    turn.refresh_from_db()
    assert (turn.sent_at, turn.dropped_at, turn.attempts) == (None, None, 2)
    assert turn.error
    assert AccountMail.objects.get().attempts == 2
    assert smtp.mails == []

    settings.EMAIL_TIMEOUT = usual
    deliver_twice()
    turn.refresh_from_db()
    assert turn.sent_at
    assert [len(smtp.mails_to(address)) for address in (turn.user.email, "mina@example.org")] == [1, 1]
    assert len(smtp.mails) == 2
