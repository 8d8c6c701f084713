"""An id for each request, which its log lines, its response and the tasks that it queues have."""

import secrets
from contextvars import ContextVar
from typing import Any

from asgiref.sync import iscoroutinefunction
from celery.signals import before_task_publish, task_prerun
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from novaluna_site.default_headers import Handler

HEADER = "X-Request-ID"
IN_TASK = "request_id"  # in the headers of a task

current: ContextVar[str] = ContextVar("request_id", default="")


@sync_and_async_middleware
def name_requests(get_response: Handler) -> Handler:
    """Give each request an id, and send it in a header. An id that a visitor sends is ignored."""
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> HttpResponseBase:
            number = _begin()
            return _with_id(await get_response(request), number)

        return respond_async

    def respond(request: HttpRequest) -> HttpResponseBase:
        number = _begin()
        return _with_id(get_response(request), number)

    return respond


def _begin() -> str:
    number = secrets.token_hex(6)
    current.set(number)
    return number


def _with_id(response: HttpResponseBase, number: str) -> HttpResponseBase:
    response.headers[HEADER] = number
    return response


@before_task_publish.connect
def send_with_task(headers: dict[str, Any], **_signal: object) -> None:
    """Send the id of the request with a task that it queues; a task sends on what it has."""
    if number := current.get():
        headers[IN_TASK] = number


@task_prerun.connect
def take_from_task(task: Any, **_signal: object) -> None:
    """Use the id that a task has; those of Celery beat have none."""
    current.set(str(task.request.get(IN_TASK) or ""))
