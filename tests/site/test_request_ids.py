"""Each request has an id, which is in its response, in JSON logs and in the tasks that it queues."""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.test import Client

from accounts.queueing import queue
from games.services import queues
from novaluna_site import request_ids
from novaluna_site.logs import JsonLines
from novaluna_site.request_ids import HEADER
from tests.plugins import processes, servers
from tests.waiting import wait_until

NUMBER = re.compile(r"[0-9a-f]{12}")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged, as lines of JSON."""
    written = io.StringIO()
    request_ids.current.set("")  # Other tests have made requests in this thread.
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)
    request_ids.current.set("")


@pytest.mark.django_db
def test_what_a_request_logs_has_the_id_of_its_response(lines: io.StringIO) -> None:
    numbers = []
    for _request in range(2):
        answer = Client().get("/nowhere/", headers={HEADER: "chosen-by-a-stranger"})
        numbers.append(answer.headers[HEADER])
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [line["request"] for line in logged] == numbers
    assert all(NUMBER.fullmatch(number) for number in numbers)
    assert len({*numbers}) == 2
    assert (logged[0]["level"], logged[0]["status"]) == ("WARNING", 404)
    assert "exception" not in logged[0]


def test_a_message_is_one_line_whatever_is_in_it(lines: io.StringIO) -> None:
    try:
        raise ValueError('Lina\n"quoted"')
    except ValueError:
        logging.getLogger("games").exception("It failed:\n%s", "é")
    [line] = lines.getvalue().splitlines()
    logged = json.loads(line)
    assert logged["message"] == "It failed:\né"
    assert "ValueError: Lina" in logged["exception"]
    assert "request" not in logged, "no request was there"


@pytest.mark.django_db(transaction=True)
def test_tasks_log_the_id_of_the_request_that_queued_them(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ["--queues=default", "--pool=solo", "--without-mingle", "--without-gossip", "--loglevel=INFO"]
    worker = [sys.executable, "-m", "celery", "-A", "novaluna_site", "worker", *options]

    def logged() -> list[dict[str, object]]:
        lines = (line for line in log.read_text().splitlines() if line.startswith("{"))
        return [line for line in map(json.loads, lines) if "succeeded" in str(line["message"])]

    # Tests queue their tasks in a database of Redis that no other worker reads. Those of earlier tests wait
    # there.
    redis.Redis.from_url(servers.SPARE_REDIS_URL).flushdb()
    environ = {"NOVALUNA_LOG_FORMAT": "json", "LOG_LEVEL": "INFO", "REDIS_URL": servers.SPARE_REDIS_URL}
    with log.open("wb") as output, processes.running(worker, output, **environ):
        for number in ("a1b2c3d4e5f6", ""):
            request_ids.current.set(number)
            assert queue(queues.NOTE, "default")
        wait_until(lambda: len(logged()) == 2, "two tasks", processes.LONGEST_START)
    assert [line.get("request") for line in logged()] == ["a1b2c3d4e5f6", None]
