"""Queues tasks, of accounts and of games. No request fails or waits long if Redis is down."""

import base64
import json
import logging
import time
from collections.abc import Callable, Iterator

import redis
from celery import current_app
from django.conf import settings
from kombu import pools
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

# Seconds for which this process leaves Redis alone after a failure, so that one request, and the next ones,
# do not wait for several timeouts.
PAUSE_AFTER_FAILURE = 5.0
_paused_until = 0.0  # by time.monotonic()


def queue(task: str, *args: object, expires: float | None = None, countdown: float | None = None) -> bool:
    """Queue a task, and return whether the broker took it. If it did not, the sweep queues the task later.

    A worker runs the task after `countdown` seconds, or immediately. It skips a task that has waited longer
    than `expires` seconds.
    """

    def send() -> None:
        connection = current_app.connection_for_write(transport_options=settings.QUEUEING_OPTIONS)
        with pools.producers[connection].acquire(block=True) as producer:
            current_app.send_task(
                task, args=args, retry=False, expires=expires, countdown=countdown, producer=producer
            )

    return try_redis(send, f"{task}{args}")


def first_arguments(task: str) -> set[int] | None:
    """Return the first arguments, which are ids, of the tasks of this name that wait in their queue.

    Returns None if that is unknown, because Redis does not answer or tasks wait in memory.
    """
    found: set[int] = set()
    is_known = True

    def read() -> None:
        nonlocal is_known
        name = current_app.amqp.router.route({}, task)["queue"].name
        connection = current_app.connection_for_write(transport_options=settings.QUEUEING_OPTIONS)
        with pools.producers[connection].acquire(block=True) as producer:
            if settings.REDIS_URL:
                found.update(_first_arguments(task, producer.channel.client.lrange(name, 0, -1)))
            else:
                is_known = producer.channel.queue_declare(name).message_count == 0

    return found if try_redis(read, f"A look at the queue of {task}") and is_known else None


def _first_arguments(task: str, messages: list[bytes]) -> Iterator[int]:
    for message in map(json.loads, messages):
        if message["headers"]["task"] == task:
            args, *_rest = json.loads(base64.b64decode(message["body"]))
            yield args[0]


def try_redis(send: Callable[[], object], what: str) -> bool:
    """Call `send` unless Redis has just failed, and return whether Redis took what it sends."""
    global _paused_until
    if time.monotonic() < _paused_until:
        return False
    try:
        send()
    except (OperationalError, redis.RedisError, OSError) as error:
        _paused_until = time.monotonic() + PAUSE_AFTER_FAILURE
        logger.warning(
            "Cannot reach Redis (%s). %s, and all that follows within %s s, waits for the next sweep.",
            error,
            what,
            PAUSE_AFTER_FAILURE,
        )
        return False
    return True
