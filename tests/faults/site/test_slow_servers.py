"""Slow and dead servers of users delay no email, and little of what goes to other servers."""

import time

import pytest
from django.db import transaction

from accounts import outbox
from games.models import Webhook
from games.services.channels import webhooks
from games.tasks import sweep
from tests.play import person
from tests.plugins import processes
from tests.plugins.mailserver import MailServer
from tests.receiver import Receiver
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Without the load of other tests, the email arrives within a tenth of a second. One that waits for a server
# that never answers takes `LONGEST_REQUEST`, which is longer.
RESET_WITHIN = 6.0  # seconds


def reset(name: str, smtp: MailServer, seconds: float) -> None:
    """Send an email as a password reset does, and fail if it is late."""
    with transaction.atomic():
        outbox.owe("ines@example.org", name, "Hello")
    wait_until(lambda: any(mail["Subject"] == name for mail in smtp.mails), f"the mail: {name}", seconds)


@pytest.mark.usefixtures("site")
def test_six_tests_of_a_server_that_never_answers_delay_no_reset_and_few_others(
    smtp: MailServer, hook: Receiver
) -> None:
    reset("The first reset", smtp, processes.LONGEST_START)
    hook.hanging_paths = {"/dead"}
    owners = [person(f"Owner{number}") for number in range(6)]
    for owner in owners:
        Webhook.objects.create(user=owner, url=f"{hook.url}/dead", format=Webhook.Format.JSON)
        webhooks.ask_for_test(owner)
    wait_until(lambda: hook.received_at() == ["/dead"] * 2, "two requests")
    for number in range(3):
        reset(f"Reset {number}", smtp, RESET_WITHIN)

    # Another name of this machine counts as another server.
    other = person("Other")
    Webhook.objects.create(
        user=other, url=f"{hook.url}/works".replace("127.0.0.1", "localhost"), format=Webhook.Format.JSON
    )
    webhooks.ask_for_test(other)
    wait_until(lambda: "/works" in hook.received_at(), "the test of another server")

    def all_have_an_answer() -> bool:
        return not Webhook.objects.filter(tested_at=None).exists() and not dead.filter(error="").exists()

    dead = Webhook.objects.filter(user__in=owners)
    wait_until(all_have_an_answer, "the end of all tests", pause=1.0, meanwhile=sweep)
    assert hook.received_at().count("/dead") <= 3, "then the server rests"
    assert dead.filter(error__startswith="This server answers slowly").count() >= 3
    start = time.monotonic()
    reset("The last reset", smtp, RESET_WITHIN)
    assert time.monotonic() - start < RESET_WITHIN
