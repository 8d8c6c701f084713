"""A body that is longer than any form is refused before it is read."""

import http.client
from collections.abc import Iterator
from itertools import repeat
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.clients import HTMX

MOST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/account/theme/", "/account/login/", "/g/nosuchgame22/play/", "/nothing/"])
def test_a_long_body_is_refused_and_a_shorter_one_is_not(path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    for changes in ({"note": "x" * MOST}, {"file": SimpleUploadedFile("moon.png", b"x" * MOST)}):
        refused = client.post(path, changes)
        assert refused.status_code == 413
        assert "too long" in refused.text
        assert client.post(path, changes, headers=HTMX)["HX-Retarget"] == "body"
    assert client.post(path, {"note": "x" * (MOST - 1000)}).status_code in (403, 404)
    assert client.post(path, {"note": "x"}, headers={"content-length": "moon"}).status_code in (403, 404)


@pytest.fixture
def connection(server: str) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=60)
    yield connection
    connection.close()


def test_a_file_is_refused_before_it_arrives(connection: http.client.HTTPConnection) -> None:
    connection.putrequest("POST", "/account/theme/")
    connection.putheader("Content-Length", "300000000")
    connection.endheaders(b"x" * 1000)
    assert connection.getresponse().status == 413


def test_a_long_body_without_a_length_is_refused(connection: http.client.HTTPConnection) -> None:
    connection.request(
        "POST", "/account/theme/", repeat(b"x" * 10_000, MOST // 10_000 + 1), encode_chunked=True
    )
    assert connection.getresponse().status == 413


def test_a_body_in_parts_arrives_whole(connection: http.client.HTTPConnection) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request(
        "POST", "/g/nosuchgame22/play/", iter([b"a=%F0", b"%9F&b", b"=%00"]), kind, encode_chunked=True
    )
    assert connection.getresponse().status == 400, "the NUL character in the last part was read"
