"""A process of the site in which everything fails, with words of people in the errors."""

import logging
import sys
from contextlib import suppress
from unittest.mock import patch

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from games.notifications import replies  # noqa: E402
from games.services.talk import chat  # noqa: E402
from games.tasks import remind  # noqa: E402
from novaluna_site.celery import app  # noqa: E402

NUMBER = "6f1c8a52-7f4d-4f57-9d9f-0d6f9d3b8a11"


def fail(*args: object, **options: object) -> None:
    told = f"{args} {options}"
    raise ValueError(f"It failed with {told}.")


def main(session: str, game: str, token: str, line: str, reply: str, address: str, name: str) -> None:
    """Fail in views, in one that a link in an email opens, in a task, at a reply, and in the log."""
    app.conf.task_always_eager = True
    chat.write = fail  # type: ignore[assignment]
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = session
    form = {"text": line, "request_id": NUMBER, "to": address}
    headers = {"referer": f"http://127.0.0.1/move/{token}/", "user-agent": name}
    client.post(f"/g/{game}/chat/?from={address}", form, headers=headers, HTTP_HOST="127.0.0.1")
    client.get(f"/move/{token}/", HTTP_HOST="127.0.0.1")
    with patch("django.conf.urls.handler404", fail):
        client.get(f"/no-route/{token}/", HTTP_HOST="127.0.0.1")
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", [address])
        with suppress(Exception):
            cursor.execute(f"SELECT nothing_called('{address}')")
    remind.run = fail  # type: ignore[method-assign]
    with suppress(ValueError):
        remind.apply(args=[address], kwargs={"who": name})
    replies._receive = fail  # type: ignore[assignment]
    try:
        replies.receive(reply.encode(), f"reply+{token}@nova-luna.example", address)
    except Exception:
        logging.getLogger("games.replies").exception("Cannot read the reply of %s: %s", address, reply)
    logging.getLogger("aiosmtpd").error(f"{address} was refused, called {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
    if "sentry_sdk" in sys.modules:
        sys.modules["sentry_sdk"].flush()
