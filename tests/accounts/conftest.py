"""Fixtures and helpers of the account tests."""

import re
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from pytest_django.fixtures import Settings

from accounts import outbox
from tests.plugins.mailserver import MailServer


@pytest.fixture
def inbox(smtp: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> MailServer:
    """The test run's mail server. This process sends account mails to it as soon as they are stored."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr(outbox, "queue_delivery", outbox.deliver)
    return smtp


def link_path(mail: EmailMessage, part: str) -> str:
    """Return the path of the first link in the email's text that contains `part`."""
    body = mail.get_body(("plain",))
    assert body is not None
    [link, *_others] = [url for url in re.findall(r"https?://\S+", body.get_content()) if part in url]
    return urlsplit(link).path
