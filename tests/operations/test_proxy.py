"""The Caddyfile in `deploy/`, with the processes for pages and for streams behind it."""

import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from pytest_django import Settings

from games.models import Seat
from novaluna_site.health import outside
from tests.clients import client_of
from tests.operations.test_deploy import ROOT, command_of
from tests.play import game_of, is_present, mover, person, play_one
from tests.plugins import packages, processes, swallowing
from tests.plugins.children import free_port
from tests.waiting import wait_until

SLOW_BODIES = 40
SLOW_POST = (
    b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin="
)


@dataclass(frozen=True)
class Proxy:
    """A running proxy, whose longest time for a body is a second."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def responds(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/account/login/", timeout=20) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def send_slowly(self) -> socket.socket:
        """Return the connection of a request whose body never ends."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(SLOW_POST)
        return connection


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Proxy]:
    tmp_path = tmp_path_factory.mktemp("proxy")
    caddy = shutil.which("caddy") or (packages.install("caddy") and shutil.which("caddy"))
    if not caddy:
        pytest.fail("Caddy is missing. Run: apt install caddy", pytrace=False)
    proxy, pages, streams = Proxy(free_port()), str(free_port()), str(free_port())
    config = (ROOT / "deploy/Caddyfile").read_text()
    assert "read_body 5s" in config
    for in_file, in_test in {
        "nova-luna.example": proxy.url,
        ":8000": f":{pages}",
        ":8001": f":{streams}",
        "read_body 5s": "read_body 1s",
        "grace_period 5s": "grace_period 1s\n\tadmin off",
    }.items():
        config = config.replace(in_file, in_test)
    (tmp_path / "Caddyfile").write_text(config)
    ports = {"8000": pages, "8001": streams}
    with ExitStack() as stack:
        environ = {"SITE_URL": proxy.url, "TRUSTED_PROXIES": "1", "STREAMS_BEAT": "1"}
        for unit in ("web", "streams"):
            command = command_of(ROOT / f"deploy/novaluna-{unit}.service", tmp_path, ports)
            stack.enter_context(processes.running(command, **environ))
        with (tmp_path / "log").open("wb") as log:
            command = [caddy, "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
            caddy_process = stack.enter_context(processes.running(command, log, XDG_DATA_HOME=str(tmp_path)))
        wait_until(proxy.responds, "a page through the proxy")
        yield proxy
        caddy_process.kill()  # Terminated, it would wait for its connections.


@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_slow_and_long_bodies_delay_nobody_and_streams_stay_open(proxy: Proxy) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with ExitStack() as opened:
        stream = opened.enter_context(urllib.request.urlopen(f"{proxy.url}{game.get_absolute_url()}stream/"))
        wait_until(lambda: stream.readline() == b"event: version\n", "the version")
        lists = opened.enter_context(urllib.request.urlopen(f"{proxy.url}/updates/stream/?lists"))
        assert lists.headers["Content-Type"] == "text/event-stream"
        slow = [opened.enter_context(proxy.send_slowly()) for _body in range(SLOW_BODIES)]
        assert all(proxy.responds() for _visit in range(12))
        for connection in slow:
            # The proxy ends the request, with or without a response.
            while connection.recv(10_000):
                pass
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{proxy.url}/account/theme/", b"x" * 300_000, timeout=60)
        assert refused.value.code == 413
        refused.value.close()
        with urllib.request.urlopen(f"{proxy.url}/healthz") as lives:
            assert lives.read() == b"ok\n"
        for inside in ("/readyz", "/readyz?strict", "/metrics", "/metrics?a", "//metrics", "/./metrics"):
            with pytest.raises(urllib.error.HTTPError) as hidden:
                urllib.request.urlopen(f"{proxy.url}{inside}")
            assert hidden.value.code == 404, inside
            hidden.value.close()
        play_one(game)
        wait_until(lambda: stream.readline() == b"data: 1\n", "the update of an older stream")


@pytest.mark.whole
def test_doctor_asks_the_site_through_this_proxy(
    proxy: Proxy, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "is_public", lambda: True)
    settings.SITE_URL = proxy.url
    assert list(outside.proxy()) == []
    settings.SITE_URL = f"http://127.0.0.1:{free_port()}"
    [finding] = outside.proxy()
    assert "cannot be reached" in finding.what


@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_a_person_whose_connection_to_the_proxy_has_died_is_away(proxy: Proxy) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    player = mover(game)
    cookie = {"Cookie": f"sessionid={client_of(player).cookies['sessionid'].value}"}
    with swallowing.running(proxy.port) as tunnel:
        address = f"{tunnel.url}{game.get_absolute_url()}stream/"
        with urllib.request.urlopen(urllib.request.Request(address, headers=cookie), timeout=60) as stream:
            wait_until(lambda: stream.readline() == b"event: beat\n", "the beat at the beginning")
            wait_until(lambda: stream.readline() == b"event: beat\n", "a beat through the proxy")
            assert is_present(game.key, player.pk)
            tunnel.swallow()
            Seat.objects.update(seen_at=None)  # A minute later.
            time.sleep(3)  # The site writes beats, and the proxy takes them.
            assert not is_present(game.key, player.pk)
