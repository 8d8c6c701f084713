"""Replies through real LMTP and SMTP listeners and through a pipe, and what a fault of one costs."""

import os
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import pytest
from django.db import transaction

from games.models import Action, Game, Kind, Notification, Seat
from games.services import invitations, tables
from games.tasks import sweep
from games.views.invitations import owe_mail
from tests.games.notifications.received import address_of, count_actions, email, good_move
from tests.locks import is_lock_awaited, lock_actions
from tests.play import fresh, game_of, person
from tests.plugins import processes
from tests.plugins.children import free_port
from tests.plugins.mailserver import MailServer
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(ROOT / "manage.py"), "receive_mail"]
SENDER = "ines@example.org"

Listen = Callable[..., "tuple[subprocess.Popen[bytes], smtplib.SMTP]"]


@pytest.fixture
def listen(django_db_setup: None) -> Iterator[Listen]:
    """A function that starts a listener, and returns its process and a connection to it."""
    with ExitStack() as stack:

        def start(*options: str, **environ: str) -> "tuple[subprocess.Popen[bytes], smtplib.SMTP]":
            port = free_port()
            command = [*COMMAND, "--listen", f"127.0.0.1:{port}", *options]
            process = stack.enter_context(processes.running(command, **environ))
            client: smtplib.SMTP = smtplib.SMTP() if "--smtp" in options else smtplib.LMTP()

            def connects() -> bool:
                try:
                    client.connect("127.0.0.1", port)
                except OSError:
                    return False
                return True

            wait_until(connects, "the listener")
            stack.callback(client.close)
            return process, client

        yield start


@pytest.fixture
def game() -> Game:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    return game


def unanswered(smtp: MailServer, answered: set[str]) -> list[EmailMessage]:
    """Return the turn emails that are not answered yet."""
    return [
        mail
        for mail in list(smtp.mails)
        if mail["Subject"].startswith("Nova Luna: Your turn") and mail["Message-ID"] not in answered
    ]


def first_move(mail: EmailMessage) -> str:
    """Return the first move that an email lists."""
    body = mail.get_body(("plain",))
    assert body is not None
    marker = "or reply with: "
    lines = str(body.get_content()).splitlines()
    return next(line.removeprefix(marker) for line in lines if line.startswith(marker))


# A short game has all that happens in a usual one.
@pytest.mark.parametrize("discs", [5, pytest.param(20, marks=pytest.mark.whole)])
def test_three_people_play_a_game_to_its_end_by_replies_alone(
    listen: Listen, start_worker: Callable[[], object], smtp: MailServer, discs: int
) -> None:
    ines, friends = person("Ines"), ("tobias@example.com", "mina@example.com")
    table = tables.open_table(ines, tables.TableOptions(3))
    Game.objects.filter(pk=table.pk).update(options={"discs": discs})
    for friend in friends:
        invitations.invite_address(table.key, ines, friend, lambda game, to=friend: owe_mail(game, ines, to))
    # There is no web, not even a test client: the listener and the worker are the only processes.
    Seat.objects.update(seen_at=None)
    _listener, lmtp = listen()
    start_worker()
    for friend in friends:
        wait_until(lambda to=friend: smtp.mails_to(to), "the invitation", meanwhile=sweep)
        [invitation] = smtp.mails_to(friend)
        lmtp.sendmail(friend, [invitation["Reply-To"]], email("Yes, please", From=friend))
    answered: set[str] = set()
    while not fresh(table).is_over:
        # A delivery that finds another one to the same person under way is left to the sweep.
        wait_until(
            lambda: unanswered(smtp, answered) or fresh(table).is_over, "the next turn email", meanwhile=sweep
        )
        for mail in unanswered(smtp, answered):
            answered.add(mail["Message-ID"])
            raw = email(first_move(mail), In_Reply_To=mail["Message-ID"])
            # A mail server sends an email again if it did not get the answer to the first time.
            for _copy in range(2):
                lmtp.sendmail(mail["To"], [mail["Reply-To"]], raw)
    numbers = list(Action.objects.filter(game=table).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(answered) + 1)), "one action for each email"
    ends = Notification.objects.filter(game=table, kind=Kind.OVER)
    wait_until(lambda: ends.filter(sent_at__isnull=False).count() == 3, "the emails about the result")
    assert not Seat.objects.filter(seen_at__isnull=False).exists(), "nobody has opened a page"


def test_smtp_has_the_same_answers_as_lmtp(listen: Listen, game: Game) -> None:
    _listener, client = listen("--smtp")
    client.sendmail(SENDER, [address_of(game)], email(good_move(game)))
    assert count_actions(game) == 1
    with pytest.raises(smtplib.SMTPRecipientsRefused, match="550"):
        client.sendmail(SENDER, [address_of(game).replace("@", "x@")], email("refill"))
    with pytest.raises(smtplib.SMTPSenderRefused, match="552"):
        client.sendmail(SENDER, [address_of(game)], email("x" * 2_000_000))


def test_an_email_that_cannot_be_read_is_refused_for_good(listen: Listen, game: Game) -> None:
    raw, address = b"X-Boundary: boundary=b\r\n" * 100 + b"\r\nrefill\r\n", address_of(game)
    _listener, client = listen()
    with pytest.raises(smtplib.SMTPDataError, match="554"):
        client.sendmail(SENDER, [address], raw)
    piped = subprocess.run(
        [*COMMAND, "--recipient", address], input=raw, env=processes.environment(), check=False
    )
    assert piped.returncode == os.EX_DATAERR


def test_a_reply_of_a_killed_listener_is_played_once_when_it_is_sent_again(
    listen: Listen, game: Game
) -> None:
    raw, address = email(good_move(game)), address_of(game)
    killed, client = listen()
    with transaction.atomic():
        lock_actions()
        client.ehlo_or_helo_if_needed()
        client.mail(SENDER)
        client.rcpt(address)
        client.putcmd("data")
        assert client.getreply()[0] == 354
        client.send(raw.replace(b"\n", b"\r\n") + b"\r\n.\r\n")
        wait_until(is_lock_awaited, "the reply that is being played")
        killed.kill()
        killed.wait(10)
    wait_until(lambda: not is_lock_awaited(), "the end of the dead listener's session")
    assert count_actions(game) == 0
    _listener, again = listen()
    for _copy in range(2):
        again.sendmail(SENDER, [address], raw)
    assert count_actions(game) == 1


def test_without_a_database_the_mail_server_is_asked_to_try_again(listen: Listen, game: Game) -> None:
    environ = {"DATABASE_URL": f"postgres://novaluna@127.0.0.1:{free_port()}/moon"}
    raw, address = email(good_move(game)), address_of(game)
    _listener, client = listen(**environ)
    with pytest.raises(smtplib.SMTPDataError, match="451"):
        client.sendmail(SENDER, [address], raw)
    piped = subprocess.run(
        [*COMMAND, "--recipient", address],
        input=raw,
        env={**os.environ, **environ},
        capture_output=True,
        check=False,
    )
    assert piped.returncode == os.EX_TEMPFAIL
    assert count_actions(game) == 0


def test_a_pipe_plays_the_reply_of_one_email(game: Game) -> None:
    raw = email(good_move(game), To=f"Nova Luna <{address_of(game)}>")
    codes = [
        subprocess.run(COMMAND, input=one, env=processes.environment(), check=False).returncode
        for one in (raw, email("refill", To="Nova Luna <reply+moon@nova-luna.example>"))
    ]
    assert codes == [0, os.EX_NOUSER]
    assert count_actions(game) == 1
