"""A pause of Redis stops no unit: all of them work again seconds after it, however often that happens."""

import time
import uuid
from collections.abc import Callable

import pytest
from django.db import transaction

from accounts import outbox, queueing
from accounts.models import User
from games.models import Action, Webhook
from games.novaluna.engine import Resign
from games.services.channels import webhooks
from games.services.play import play
from tests.faults.site.running import RunningSite
from tests.play import game_of, person
from tests.plugins import processes
from tests.plugins.mailserver import MailServer
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)

FREEZES = 2
FREEZE = 6.0  # seconds; longer than the time limit of a worker's connection
WORKS_WITHIN = 60.0  # seconds


class Work:
    """Work for each queue, and whether it was done."""

    def __init__(self, name: str, smtp: MailServer, hook: Receiver) -> None:
        self._name, self._smtp, self._hook = name, smtp, hook
        self._before = {level: count_turns(level) for level in ("easy", "hard")}
        user = person(f"Asker{name}")
        Webhook.objects.create(user=user, url=f"{hook.url}/{name}", format=Webhook.Format.JSON)
        with transaction.atomic():
            outbox.owe("ines@example.org", f"Mail {name}", "Hello")
        webhooks.ask_for_test(user)

    def missing(self) -> list[str]:
        """Return the queues whose work was not done yet."""
        is_done = {
            "quick": count_turns("easy") > self._before["easy"] + 3,
            "bots": count_turns("hard") > self._before["hard"] + 1,
            "default": any(mail["Subject"] == f"Mail {self._name}" for mail in self._smtp.mails),
            "outside": f"/{self._name}" in self._hook.received_at(),
        }
        return [queue for queue, done in is_done.items() if not done]


def leave_games_to_bots(name: str) -> None:
    """Make games that bots play on, for both queues of theirs."""
    for level in ("easy", "hard"):
        for number in range(2):
            user: User = person(f"{level}{number}{name}")
            with transaction.atomic():
                game = game_of(user, bots=(level,) * 3)
                play(game.key, user, Resign(0), 1, uuid.uuid4())


def count_turns(level: str) -> int:
    """Return how many actions are stored in games with bots of a level."""
    return Action.objects.filter(game__seats__number=1, game__seats__bot=level).count()


@pytest.fixture
def do_all(smtp: MailServer, hook: Receiver) -> Callable[[str, float], None]:
    """A function that fails if a unit does not do its work within a time, and names its queue."""

    def check(name: str, seconds: float) -> None:
        work = Work(name, smtp, hook)
        end = time.monotonic() + seconds
        while missing := work.missing():
            assert time.monotonic() < end, f"{name}: nobody serves {missing}"
            time.sleep(0.05)

    return check


def test_every_unit_works_after_each_of_two_pauses_of_redis_under_load(
    site: RunningSite, do_all: Callable[[str, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queueing, "PAUSE_AFTER_FAILURE", 0.0)
    leave_games_to_bots("Start")
    do_all("Start", processes.LONGEST_START)
    for number in range(1, FREEZES + 1):
        leave_games_to_bots(str(number))
        site.redis.freeze()
        time.sleep(FREEZE)
        site.redis.thaw()
        do_all(str(number), WORKS_WITHIN)
