"""Requests to addresses of users: to public servers only, on the address that was checked, and bounded."""

import socket
import ssl
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from time import monotonic

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.utils import timezone

from accounts.outside import guarded_client
from accounts.outside.guarded_client import Forbidden, NoAnswer, is_allowed, read_url, send
from tests.receiver import Receiver


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let each look-up of a name return the next of these lists of addresses; return the names looked up."""
    names: list[str] = []

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> list[object]:
        names.append(host)
        addresses = answers[min(len(names), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(guarded_client.socket, "getaddrinfo", getaddrinfo)
    return names


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.0.0.8",
        "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1",
        "fe80::1", "fec0::1", "ff02::1",
    ],
)  # fmt: skip
def test_these_addresses_are_not_public(address: str) -> None:
    assert not is_allowed(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"])
def test_these_addresses_are_public(address: str) -> None:
    assert is_allowed(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "", "moon", "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "https:///path",
        "https://example.org:22/", "https://example.org:80/", "https://example.org:99999/",
        "https://ines@example.org/", "https://ines:moon@example.org/", "https://:@example.org/",
        "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/",
        "https://169.254.169.254/latest/", "https://example.org/\r\nX: 1", "https://example.org/a b",
        "https://exämple.org/", "https://example.org\\@127.0.0.1/", "http://localhost/", "https://[::1/",
        "https://example.org/" + "a" * 1000,
    ],
)  # fmt: skip
def test_these_addresses_are_refused_when_they_are_typed(url: str) -> None:
    with pytest.raises(Forbidden):
        read_url(url)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "017700000001", "127.1", "localhost"])
def test_other_names_of_loopback_are_refused_when_something_is_sent(host: str) -> None:
    with pytest.raises(Forbidden):
        send("POST", f"https://{host}/", b"", {})


def test_a_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, ["10.0.0.7", "::ffff:10.0.0.7"])
    with pytest.raises(Forbidden):
        send("POST", "https://example.org/", b"", {})


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    names = resolve_to(monkeypatch, ["10.0.0.7", "93.184.216.34"], ["127.0.0.1"])
    connected: list[tuple[str, int]] = []

    def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(guarded_client.socket, "create_connection", create_connection)
    with pytest.raises(NoAnswer, match="ConnectionRefused"):
        send("POST", "https://example.org/", b"", {})
    assert (names, connected) == (["example.org"], [("93.184.216.34", 443)])


def test_a_request_arrives_and_its_answer_is_returned(receiver: Receiver) -> None:
    receiver.status, receiver.answer = 201, b"moon"
    answer = send("POST", f"{receiver.url}/hook?a=1", b"body", {"X-Moon": "new"})
    assert (answer.status, answer.body, answer.is_good) == (201, b"moon", True)
    [request] = receiver.requests
    assert (request.path, request.body, request.headers["x-moon"]) == ("/hook?a=1", b"body", "new")
    assert request.headers["host"] == receiver.url.removeprefix("http://")


def test_loopback_is_refused_without_the_setting(receiver: Receiver, settings: object) -> None:
    settings.OUTGOING_TO_LOOPBACK = False
    with pytest.raises(Forbidden):
        send("POST", receiver.url, b"", {})
    assert not receiver.requests


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.headers = 307, {"Location": f"{receiver.url}/elsewhere"}
    assert send("POST", receiver.url, b"", {}).status == 307
    assert [request.path for request in receiver.requests] == ["/"]


def test_a_long_answer_is_cut(receiver: Receiver) -> None:
    receiver.answer = b"a" * 1_000_000
    assert len(send("POST", receiver.url, b"", {}).body) == guarded_client.LARGEST_ANSWER


def test_a_server_that_never_ends_its_answer_costs_a_bounded_time(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_client, "LONGEST_REQUEST", 0.3)
    receiver.hangs = True
    start = monotonic()
    with pytest.raises(NoAnswer):
        send("POST", receiver.url, b"", {})
    assert monotonic() - start < 5


def test_a_server_that_is_down_is_no_answer(receiver: Receiver) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(NoAnswer):
            send("POST", f"http://127.0.0.1:{unused.getsockname()[1]}/", b"", {})


def certificate_for(name: str, folder: Path) -> Path:
    """Write a certificate with its key for this name, and return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]), timezone.now()
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(pem + certificate.public_bytes(Encoding.PEM))
    return path


@pytest.mark.parametrize(("name", "is_right"), [("localhost", True), ("example.org", False)])
def test_the_certificate_must_be_for_the_name(
    receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_right: bool
) -> None:
    path = certificate_for(name, tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    url = f"https://localhost:{receiver.server_port}/"
    if is_right:
        assert send("POST", url, b"", {}).status == 200
        assert receiver.requests[0].headers["host"] == url.removeprefix("https://").rstrip("/")
    else:
        with pytest.raises(NoAnswer, match="CERTIFICATE_VERIFY_FAILED"):
            send("POST", url, b"", {})
        assert not receiver.requests
