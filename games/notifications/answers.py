"""Emails that answer what the site has received."""

from collections.abc import Mapping

from django.db import DataError
from django.template.loader import render_to_string

from accounts import outbox
from games.replies import Unreadable


def owe_answer(
    address: str, name: str, values: Mapping[str, object], *, subject: str, reply_to: str, in_reply_to: str
) -> None:
    """Owe an email of the templates `name`.txt and `subject`_subject.txt, which can quote what was received.

    Raises Unreadable if that can never be stored; other errors of the database mean that a later try may
    succeed.
    """
    # Errors of templates are errors of the site, so they are no reason to refuse the email.
    title = " ".join(render_to_string(f"{subject}_subject.txt", dict(values)).split())
    text = render_to_string(f"{name}.txt", dict(values))
    try:
        outbox.owe(address, title, text, reply_to=reply_to, in_reply_to=in_reply_to)
    except (DataError, ValueError) as error:
        raise Unreadable from error
