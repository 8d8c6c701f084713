"""The ASGI application: Django, and the streams of open pages."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished
from django.db import connections

from games import live
from novaluna_site.charsets import Utf8ASGIRequest
from novaluna_site.compression import EventCompressor
from novaluna_site.warm_start import load_site

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# Each request has a thread of its own while Django handles it.
REQUESTS_AT_ONCE = 20


def _close_connections(**_signal: Any) -> None:
    """Close the connections of a thread that ends with its request, because nobody else can."""
    connections.close_all()


request_finished.connect(_close_connections, sender=ASGIHandler)

_django = get_asgi_application()
_django.request_class = Utf8ASGIRequest
_handling = asyncio.Semaphore(REQUESTS_AT_ONCE)

load_site()

# Only now, because views need the settings and all apps.
from novaluna_site.streams import open_stream  # noqa: E402


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Pass the request to Django, or send the events of the page that it opens.

    `open_page` in `games/views/live.py` opens pages.
    """
    if scope["type"] == "http":
        scope, receive = await _read_body(scope, receive)
    try:
        async with _handling:
            opened = await open_stream(scope) if scope["type"] == "http" else None
            if opened is None:
                await _django(scope, receive, send)
            else:
                await receive()  # the body, so that what follows is the end of the connection
                compressor = EventCompressor() if opened.has_header("Content-Encoding") else None
                headers = [(name.encode(), value.encode()) for name, value in opened.items()]
                await send({"type": "http.response.start", "status": opened.status_code, "headers": headers})
        if live.PAGE in scope:
            await _send_events(scope[live.PAGE], compressor, receive, send)
    finally:
        if live.PAGE in scope:
            scope[live.PAGE].close()


async def _read_body(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """Return a request whose body has been read, so that Django's thread never waits for it.

    Django would write a long body to the disk. Here it is dropped, and only its length is left, which the
    middleware `long_bodies` refuses.
    """
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    headers = [header for header in scope["headers"] if header[0] != b"content-length"]
    length = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
    message: Message = {"type": "http.request", "more_body": length <= most}
    body = b""
    while message.get("more_body", False) and length <= most:
        message = await receive()
        body += message.get("body", b"")
        length = max(length, len(body))
    unread = [{**message, "body": body if length <= most else b"", "more_body": False}]

    async def receive_whole() -> Message:
        if unread:
            return unread.pop()
        while (rest := await receive())["type"] != "http.disconnect":
            pass
        return rest

    return {**scope, "headers": [*headers, (b"content-length", b"%d" % length)]}, receive_whole


async def _send_events(
    page: live.Page, compressor: EventCompressor | None, receive: Receive, send: Send
) -> None:
    """Send the events of a page until they end or the visitor leaves."""

    async def close_when_the_visitor_leaves() -> None:
        await receive()
        page.leave()

    watcher = asyncio.create_task(close_when_the_visitor_leaves())
    try:
        async with aclosing(page.events()) as events:
            async for event in events:
                body = compressor.compress(event) if compressor else event
                await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": compressor.end() if compressor else b""})
    finally:
        watcher.cancel()
