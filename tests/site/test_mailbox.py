"""The mailbox: emails stored as files, and the pages that show them on a site without a mail server."""

import re
from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

BACKEND = "novaluna_site.mailbox.EmailBackend"


@pytest.fixture
def client() -> Client:
    """A client on the site's machine; no other client can see the emails."""
    return Client(headers={"host": "127.0.0.1:8000"})


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The mailbox folder of a site without a mail server."""
    settings.EMAIL_BACKEND = BACKEND
    settings.MAILBOX_DIR = tmp_path / "mails"
    settings.SITE_URL = "http://127.0.0.1:8000"
    return settings.MAILBOX_DIR


def send(subject: str = "Your turn", text: str = "See http://127.0.0.1:8000/g/abc/", html: str = "") -> None:
    message = mail.EmailMultiAlternatives(subject, text, "moon@example.org", ["ines@example.org"])
    if html:
        message.attach_alternative(html, "text/html")
    assert message.send() == 1


def only_name(folder: Path) -> str:
    [file] = folder.iterdir()
    return file.stem


def test_an_email_is_stored_as_a_file_and_shown_on_a_page(client: Client, folder: Path) -> None:
    assert "There are no emails yet" in client.get("/mailbox/").text
    send(
        "Your turn against Zoë", html="<html><head></head><body>Zoë <a href='/g/abc/'>waits</a></body></html>"
    )
    name = only_name(folder)
    assert f'href="/mailbox/{name}/"' in client.get("/mailbox/").text

    page = client.get(f"/mailbox/{name}/").text
    assert "Your turn against Zoë" in page
    assert "ines@example.org" in page
    assert '<a href="http://127.0.0.1:8000/g/abc/" rel="nofollow">' in page
    assert f'src="/mailbox/{name}/html/"' in page

    html = client.get(f"/mailbox/{name}/html/")
    assert "Zoë <a href" in html.text
    assert '<base target="_top">' in html.text


def test_requests_for_a_public_host_are_not_found(settings: Settings, folder: Path) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    send()
    for path in ("/mailbox/", f"/mailbox/{only_name(folder)}/", f"/mailbox/{only_name(folder)}/html/"):
        assert Client(headers={"host": "nova-luna.example"}).get(path).status_code == 404
        assert Client(headers={"host": "127.0.0.1"}).get(path).status_code == 200


def test_scripts_in_an_email_do_not_run(client: Client, folder: Path) -> None:
    send(html="<script>alert(1)</script>")
    page = client.get(f"/mailbox/{only_name(folder)}/")
    assert "alert(1)" not in page.text
    part = client.get(f"/mailbox/{only_name(folder)}/html/")
    policy = part.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox ")
    assert "allow-scripts" not in policy
    assert "default-src 'none'" in policy
    assert part.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_text_is_escaped(client: Client, folder: Path) -> None:
    send(subject="<b>moon</b>", text="<script>alert(1)</script>")
    for path in ("/mailbox/", f"/mailbox/{only_name(folder)}/"):
        assert "<script>alert" not in client.get(path).text
        assert "&lt;b&gt;moon" in client.get(path).text


def test_times_have_a_time_zone(client: Client, folder: Path) -> None:
    send()
    for path in ("/mailbox/", f"/mailbox/{only_name(folder)}/"):
        assert re.search(r"\d\d:\d\d(:\d\d)? UTC<", client.get(path).text)


@pytest.mark.slow
def test_the_list_shows_the_newest_200_emails_first(client: Client, folder: Path) -> None:
    for number in range(203):
        send(f"Mail {number}.")
    page = client.get("/mailbox/").text
    assert page.index("Mail 202.") < page.index("Mail 201.") < page.index("Mail 3.")
    assert "Mail 2." not in page


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"Content-Type: text/plain; charset=klingon\n\nHello", b"From: <<<>\nTo: @\n\n"],
)
def test_pages_work_with_broken_files(client: Client, folder: Path, content: bytes) -> None:
    send()
    name = "0" * 20 + "-0123abcd"
    (folder / f"{name}.eml").write_bytes(content)
    (folder / "notes.eml").write_text("not ours")
    (folder / f"{name[:-1]}e.eml").mkdir()
    page = client.get("/mailbox/")
    assert page.status_code == 200
    assert "Your turn" in page.text
    assert "notes" not in page.text
    assert client.get(f"/mailbox/{name}/").status_code == 200
    assert client.get(f"/mailbox/{name}/html/").status_code == 200


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e%2fsecret_key", "secret_key", "0" * 20 + "-0123abcd", "0" * 20 + "-0123abcd%00"]
)
def test_no_other_file_can_be_read(client: Client, folder: Path, name: str) -> None:
    send()
    (folder.parent / "secret_key").write_text("moon")
    (folder.parent / "secret_key.eml").write_text("moon")
    for path in (f"/mailbox/{name}/", f"/mailbox/{name}/html/"):
        assert client.get(path).status_code == (400 if "%00" in path else 404)


def test_a_site_with_a_mail_server_has_no_mailbox(client: Client, folder: Path, settings: Settings) -> None:
    send()
    path = f"/mailbox/{only_name(folder)}/"
    settings.MAILBOX_DIR = None
    assert [client.get(url).status_code for url in ("/mailbox/", path, f"{path}html/")] == [404] * 3


def test_a_public_site_has_no_mailbox(client: Client, folder: Path, settings: Settings) -> None:
    send()
    assert client.get("/mailbox/").status_code == 200
    settings.SITE_URL = "https://nova-luna.example"
    assert client.get("/mailbox/").status_code == 404
