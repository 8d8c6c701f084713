"""What the tests of accounts share."""

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
    """The suite's mail server, which this process sends to as well."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return smtp


@pytest.fixture
def ines() -> User:
    return person("Ines")


def path_in(mail: EmailMessage, holding: str) -> str:
    """Return the path of the first link in the mail's text that holds these words."""
    body = mail.get_body(("plain",))
    assert body is not None
    [link, *_others] = [url for url in re.findall(r"https?://\S+", body.get_content()) if holding in url]
    return urlsplit(link).path
