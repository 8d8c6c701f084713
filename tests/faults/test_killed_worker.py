"""A killed worker, mail server or broker costs a delay, but no turn and no mail."""

import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts import queueing
from games.models import Action, BrowserDelivery, Channel, Game, Kind, Notification, Seat, Webhook
from games.services import after_commit, bot_queue
from games.services.channels import browsers
from games.tasks import sweep
from tests.games.notifications.devices import Device, new_key, turn_of
from tests.locks import is_lock_awaited, lock_actions
from tests.play import fresh, game_left_to, game_of, person, play_one
from tests.plugins.mailserver import MailServer
from tests.receiver import PUSH_KEY, Receiver, receiver
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Between two actions of bots, which need about 50 ms each on a machine that is not busy.
LONGEST_WAIT = timedelta(seconds=5)

StartWorker = Callable[..., "subprocess.Popen[bytes]"]
# A worker of these starts sooner, because it loads no bots.
WITHOUT_BOTS = "default,outside"


def sweep_later() -> None:
    """Run the sweep as if a minute had passed, so that every turn and notification is overdue."""
    Game.objects.running().update(bot_queued_until=None)
    Notification.objects.update(due_at=timezone.now())
    sweep()


def end_presence() -> None:
    """Store that no player has a page open."""
    Seat.objects.update(seen_at=None)


def action_numbers(game: Game) -> list[int]:
    return list(Action.objects.filter(game=game).order_by("number").values_list("number", flat=True))


def test_bots_finish_a_game_without_people(start_worker: StartWorker) -> None:
    start_worker()
    game = game_left_to("easy", "medium", "easy")
    wait_until(lambda: fresh(game).is_over, "the end of the bots' game")
    at = list(Action.objects.filter(game=game, number__gt=1).order_by("number").values_list("at", flat=True))
    assert max(later - earlier for earlier, later in pairwise(at)) < LONGEST_WAIT
    assert action_numbers(game) == list(range(1, fresh(game).version + 1))


def test_a_turn_of_a_killed_worker_is_played_once_by_another_worker(
    start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(bot_queue, "queue", lambda *_task, **_options: True)
        game = game_left_to("easy", "medium", "easy")
    version, worker = fresh(game).version, start_worker()
    with transaction.atomic():
        # The worker is killed after its search, while it waits for this lock to store its action.
        lock_actions()
        queueing.queue(after_commit.BOT_TURN, game.pk, version + 1)
        wait_until(is_lock_awaited, "a bot's turn")
        worker.kill()
        worker.wait(60)
    wait_until(lambda: not is_lock_awaited(), "the end of the dead worker's session")
    assert fresh(game).version == version
    start_worker()
    # The task of the killed worker is lost. The sweep queues the turn again.
    wait_until(lambda: fresh(game).version > version + 8, "further turns", meanwhile=sweep_later)
    numbers = action_numbers(game)
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_mail_is_sent_after_the_mail_server_was_down(start_worker: StartWorker, smtp: MailServer) -> None:
    smtp.refusal = "451 Try again later"
    start_worker(queues=WITHOUT_BOTS)
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    end_presence()
    notification = Notification.objects.filter(
        game=game, user=game.seats.get(number=fresh(game).to_move).user
    ).latest("pk")
    wait_until(
        lambda: Notification.objects.filter(pk=notification.pk, attempts__gt=0).exists(),
        "a first try",
        meanwhile=sweep_later,
    )
    assert smtp.mails == []
    smtp.refusal = ""
    wait_until(
        lambda: Notification.objects.filter(pk=notification.pk, sent_at__isnull=False).exists(),
        "the mail",
        meanwhile=sweep_later,
    )
    mail = smtp.wait_for("Your turn", to=notification.user.email)
    assert "<http" in mail["List-Unsubscribe"]


def test_a_mail_of_a_killed_worker_is_sent_after_the_lease(
    start_worker: StartWorker, smtp: MailServer
) -> None:
    smtp.is_hanging = True
    worker = start_worker(queues=WITHOUT_BOTS)
    game = game_of(person("Ines"), person("Tobias"))
    Notification.objects.filter(kind=Kind.STARTED).delete()
    end_presence()
    sweep_later()
    wait_until(lambda: smtp.held > 0, "a mail that is being sent")
    worker.kill()
    worker.wait(60)
    smtp.is_hanging = False
    mails = Notification.objects.filter(game=game)
    assert mails.filter(sent_at=None, due_at__lte=timezone.now() + timedelta(minutes=1)).exists()
    start_worker(queues=WITHOUT_BOTS)
    wait_until(lambda: mails.filter(sent_at__isnull=False).exists(), "the mail", meanwhile=sweep_later)
    assert len(smtp.mails) == 1


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch, settings: object) -> Iterator[Receiver]:
    """A server on loopback for webhooks and push messages, to which workers may send."""
    settings.OUTGOING_TO_LOOPBACK, settings.PUSH_KEY = True, PUSH_KEY
    monkeypatch.setenv("NOVALUNA_OUTGOING_TO_LOOPBACK", "1")
    monkeypatch.setenv("NOVALUNA_PUSH_KEY", PUSH_KEY)
    with receiver() as one:
        yield one


@pytest.mark.parametrize(
    ("channel", "repeated", "once"),
    [(Channel.PUSH, "/push/hangs", ["/push/works"]), (Channel.WEBHOOK, "/hook", [])],
)
def test_a_message_of_a_killed_worker_is_repeated_after_the_lease_where_nobody_answered(
    start_worker: StartWorker,
    loopback: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    channel: Channel,
    repeated: str,
    once: list[str],
) -> None:
    ines = person("Ines")
    Webhook.objects.create(user=ines, url=f"{loopback.url}/hook", format=Webhook.Format.JSON)
    for path in ("/push/works", "/push/hangs"):
        browsers.add(ines, **Device(new_key(), loopback.url + path).fields(), name="Firefox, Linux")
    loopback.hanging_paths = {"/push/hangs", "/hook"}
    with monkeypatch.context() as patch:
        patch.setattr(after_commit, "queue", lambda *_task, **_options: True)
        turn_of(ines)
    Notification.objects.exclude(user=ines, kind=Kind.TURN, channel=channel).delete()
    turn = Notification.objects.get()
    worker = start_worker(queues=WITHOUT_BOTS)
    sweep_later()

    def is_sending() -> bool:
        answered = BrowserDelivery.objects.count()
        return repeated in loopback.received_at() and answered == len(once)

    wait_until(is_sending, "a message that is being sent", pause=0.02)
    worker.kill()
    worker.wait(60)
    loopback.hanging_paths = set()
    turn.refresh_from_db()
    assert (turn.sent_at, turn.attempts) == (None, 0)
    assert timezone.now() < turn.due_at < timezone.now() + timedelta(minutes=1)
    start_worker(queues=WITHOUT_BOTS)
    sent = Notification.objects.filter(sent_at__isnull=False)
    wait_until(sent.exists, "the message", meanwhile=sweep_later)
    assert loopback.received_at() == sorted([repeated, repeated, *once])
    assert len({one.headers.get("webhook-id") for one in loopback.requests}) == 1, "it can drop the second"


def test_a_turn_is_queued_after_the_broker_was_down(monkeypatch: pytest.MonkeyPatch) -> None:

    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    with monkeypatch.context() as patch:
        patch.setattr(current_app, "send_task", refuse)
        game = game_left_to("easy", "medium", "easy")
    assert fresh(game).version == 1, "the action is stored"
    monkeypatch.setattr(queueing, "_paused_until", 0.0)
    queued: list[tuple[str, object]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_options: queued.append((name, args)))
    sweep_later()
    assert ("games.bots.take_quick_turn", (game.pk, 2)) in queued
