"""Account mails: stored by the request, sent by a worker, retried, and deleted."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from celery import current_app
from django.core import mail
from django.core.mail import EmailMessage
from django.db.models import F
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts import mail_retries, outbox, queueing, tasks
from accounts.models import AccountMail, PastMail, User
from games.models import Channel
from games.notifications import delivery
from games.services import after_commit, pruning
from games.tasks import sweep

pytestmark = pytest.mark.django_db

CaptureCommits = Callable[..., AbstractContextManager[list[Callable[[], None]]]]


@pytest.fixture
def owed() -> AccountMail:
    """An email that is due."""
    outbox.owe("ines@example.org", "Please confirm", "https://nova-luna.example/confirm/s3cret/")
    return AccountMail.objects.get()


@pytest.fixture
def broken_server(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A mail server that is down until the test undoes this."""

    monkeypatch.setattr(EmailMessage, "send", _raise_down)
    return monkeypatch


def _raise_down(_mail: EmailMessage) -> int:
    raise SMTPServerDisconnected("down")


def deliver(owed: AccountMail, later: timedelta = timedelta(0)) -> AccountMail | None:
    """Deliver an email as if `later` had passed, and return it as it is stored then."""
    AccountMail.objects.filter(pk=owed.pk).update(due_at=F("due_at") - later)
    outbox.deliver(owed.pk)
    return AccountMail.objects.filter(pk=owed.pk).first()


def test_no_email_waits_for_a_day_because_the_clock_was_set_back(owed: AccountMail) -> None:
    AccountMail.objects.update(due_at=timezone.now() + timedelta(days=1))
    assert outbox.due_ids() == [owed.pk]
    assert deliver(owed) is None, "it was sent"


@pytest.mark.databases
def test_a_request_stores_its_email_and_a_task_sends_it(
    client: Client,
    ines: User,
    django_capture_on_commit_callbacks: CaptureCommits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queued: list[tuple[str, tuple[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: queued.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/password/reset/", {"email": ines.email})
    assert mail.outbox == []
    owed = AccountMail.objects.get()
    assert queued == [(tasks.deliver.name, (owed.pk,))]
    tasks.deliver(owed.pk)
    assert [sent.to for sent in mail.outbox] == [[ines.email]]


def test_a_sent_email_is_deleted_with_its_link(owed: AccountMail) -> None:
    assert deliver(owed) is None
    deliver(owed)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ines@example.org"], "Please confirm")
    assert "s3cret" in sent.body
    assert not AccountMail.objects.exists()


@pytest.mark.parametrize(
    ("answers", "in_reply_to", "references"),
    [
        ("<game@site> <reply@host>", "<reply@host>", "<game@site> <reply@host>"),
        ("<game@site> <reply@host> (added by host)", "<reply@host>", "<game@site> <reply@host>"),
        ("no id", None, None),
    ],
)
def test_an_answer_names_the_emails_of_its_conversation(
    answers: str, in_reply_to: str | None, references: str | None
) -> None:
    outbox.owe("ines@example.org", "Your reply", "text", in_reply_to=answers)
    outbox.deliver(AccountMail.objects.get().pk)
    message = mail.outbox[0].message()
    assert (message["In-Reply-To"], message["References"]) == (in_reply_to, references)
    assert message["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize("is_down", [False, True])
def test_administrators_see_what_became_of_an_email_without_its_link(
    owed: AccountMail, monkeypatch: pytest.MonkeyPatch, admin_client: Client, is_down: bool
) -> None:
    if is_down:
        monkeypatch.setattr(EmailMessage, "send", _raise_down)
        AccountMail.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert deliver(owed) is None
    past = PastMail.objects.get()
    assert (past.is_sent, past.attempts, past.error) == (
        not is_down,
        1,
        "SMTPServerDisconnected: down" if is_down else "",
    )
    pages = [
        admin_client.get("/admin/accounts/pastmail/").text,
        admin_client.get(f"/admin/accounts/pastmail/{past.pk}/change/").text,
    ]
    for page in pages:
        assert "ines@example.org" in page
        assert "Please confirm" in page
        assert "s3cret" not in page
    assert admin_client.get("/admin/accounts/pastmail/add/").status_code == 403
    PastMail.objects.update(ended_at=timezone.now() - timedelta(days=91))
    pruning.prune()
    assert not PastMail.objects.exists()


def test_an_email_is_retried_with_growing_pauses_for_a_day(
    owed: AccountMail, broken_server: pytest.MonkeyPatch
) -> None:
    pauses = [timedelta(0)]
    while stored := deliver(owed, pauses[-1]):
        pauses.append(timedelta(seconds=round((stored.due_at - timezone.now()).total_seconds()) + 1))
        AccountMail.objects.update(created_at=F("created_at") - pauses[-1])
    assert pauses[1] < timedelta(minutes=1)
    assert pauses == sorted(pauses)
    assert timedelta(hours=22) < sum(pauses, timedelta(0)) < timedelta(hours=24)


@pytest.mark.parametrize(("code", "hours"), [(550, 1), (450, 24)])
def test_an_email_whose_recipient_is_refused_for_good_is_retried_for_an_hour(
    owed: AccountMail, monkeypatch: pytest.MonkeyPatch, code: int, hours: int
) -> None:
    """Such as a mistyped address. A server that wants to see it again, as greylisting does, gets a day."""

    def refuse(_mail: EmailMessage) -> int:
        raise SMTPRecipientsRefused({"ines@example.org": (code, b"no")})

    monkeypatch.setattr(EmailMessage, "send", refuse)
    waited = pause = timedelta(0)
    while stored := deliver(owed, pause):
        pause = stored.due_at - timezone.now() + timedelta(seconds=1)
        waited += pause
        AccountMail.objects.update(created_at=F("created_at") - pause)
    assert timedelta(hours=hours) / 2 < waited < timedelta(hours=hours)


def test_an_email_is_sent_when_the_mail_server_works_again(
    owed: AccountMail, broken_server: pytest.MonkeyPatch
) -> None:
    assert deliver(owed) is not None
    broken_server.undo()
    deliver(owed)
    assert mail.outbox == [], "it is not due yet"
    assert deliver(owed, timedelta(minutes=1)) is None
    assert len(mail.outbox) == 1


@pytest.mark.databases
def test_an_email_of_a_killed_worker_is_sent_after_the_lease_with_the_same_id(
    owed: AccountMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = []

    def be_killed(message: EmailMessage) -> int:
        ids.append(message.extra_headers["Message-ID"])
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", be_killed)
        with pytest.raises(SystemExit):
            outbox.deliver(owed.pk)
    deliver(owed, mail_retries.LEASE - timedelta(seconds=1))
    assert mail.outbox == [], "the first worker may still be sending it"
    deliver(owed, timedelta(seconds=2))
    assert [sent.extra_headers["Message-ID"] for sent in mail.outbox] == ids


def test_the_lease_is_a_little_longer_than_the_longest_send() -> None:
    assert (
        timedelta(0)
        < mail_retries.LEASE - timedelta(seconds=tasks.deliver.time_limit)
        <= timedelta(seconds=10)
    )


def test_the_sweep_queues_an_email_after_the_broker_was_down(
    client: Client,
    ines: User,
    django_capture_on_commit_callbacks: CaptureCommits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise OperationalError("no broker")

    with monkeypatch.context() as patch, django_capture_on_commit_callbacks(execute=True):
        patch.setattr(current_app, "send_task", refuse)
        assert client.post("/account/password/reset/", {"email": ines.email}).status_code == 302
    monkeypatch.setattr(queueing, "_paused_until", 0.0)
    queued: list[tuple[str, tuple[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: queued.append((name, args)))
    sweep()
    assert queued == [(tasks.deliver.name, (AccountMail.objects.get().pk,))]


def test_the_sweep_queues_account_mails_before_notifications(
    owed: AccountMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People wait for their links."""
    monkeypatch.setattr(delivery, "due_ids", lambda channels: [1] if Channel.MAIL in channels else [2])
    queued: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **_: queued.append(name))
    sweep()
    assert queued == [tasks.deliver.name, after_commit.DELIVER, after_commit.DELIVER_OUTSIDE]
