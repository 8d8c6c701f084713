"""Fixtures and helpers of the account tests."""

import re
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.play import person
from tests.plugins.mailserver import MailServer


@pytest.fixture
def inbox(smtp: MailServer, settings: Settings) -> MailServer:
    """The test run's mail server, to which this process sends its emails too."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return smtp


@pytest.fixture
def ines() -> User:
    return person("Ines")


def link_path(mail: EmailMessage, part: str) -> str:
    """Return the path of the first link in the email's text that contains `part`."""
    body = mail.get_body(("plain",))
    assert body is not None
    [link, *_others] = [url for url in re.findall(r"https?://\S+", body.get_content()) if part in url]
    return urlsplit(link).path
