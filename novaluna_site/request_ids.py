"""An id for each request, which its log lines, its response and the tasks that it queues have."""

import secrets
from contextvars import ContextVar
from typing import Any

from celery.signals import before_task_publish, task_prerun
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from novaluna_site.around import around

HEADER = "X-Request-ID"
IN_TASK = "request_id"  # in the headers of a task

current: ContextVar[str] = ContextVar("request_id", default="")


def _begin() -> str:
    """Give a request an id. One that a visitor sends is ignored."""
    number = secrets.token_hex(6)
    current.set(number)
    return number


def _send(_request: HttpRequest, response: HttpResponseBase, number: str) -> None:
    response.headers[HEADER] = number


name_requests = around(_begin, _send)


@before_task_publish.connect
def send_with_task(headers: dict[str, Any], **_signal: object) -> None:
    """Send the id of the request with a task that it queues; a task sends on what it has."""
    if number := current.get():
        headers[IN_TASK] = number


@task_prerun.connect
def take_from_task(task: Any, **_signal: object) -> None:
    """Use the id that a task has; those of Celery beat have none."""
    current.set(str(task.request.get(IN_TASK) or ""))
