"""`manage.py serve`, the command that `make play` runs: the whole site in one process."""

import contextlib
import http.cookiejar
import os
import queue
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import without_marks
from tests.plugins.children import free_port
from tests.plugins.processes import LONGEST_START, ROOT
from tests.waiting import wait_until

ENDS_WITHIN = 10  # seconds


class Site:
    """A running site with its own data folder, and an HTTP client with cookies."""

    def __init__(self, folder: Path, port: int, **variables: str) -> None:
        settings = (
            "DATABASE_URL",
            "REDIS_URL",
            "EMAIL_URL",
            "SECRET_KEY",
            "SITE_URL",
            "DEFAULT_FROM_EMAIL",
        )
        environment = {name: value for name, value in os.environ.items() if name not in settings}
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env={**environment, "NOVALUNA_DATA": str(folder), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.address = self._wait_for_address()
        except BaseException:
            self.close()
            raise
        self.cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)

    def _wait_for_address(self) -> str:
        line = self.lines.get(timeout=LONGEST_START)
        found = re.search(r"Nova Luna is at (http://127\.0\.0\.1:\d+)", line)
        assert found, line
        return found[1]

    def get(self, path: str) -> str:
        with self._opener.open(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> str:
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self._opener.open(self.address + path, body, timeout=60) as answer:
            return str(answer.read().decode())

    def wait_for(self, path: str, words: str, what: str) -> None:
        """Request a page until it contains these words."""
        wait_until(lambda: words in self.get(path), what, pause=0.1)

    def stop(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Send a signal; return the exit code and the output since the site's address was printed."""
        self.process.send_signal(number)
        code = self.process.wait(ENDS_WITHIN)
        self._reader.join(5)
        printed = [self.lines.get_nowait() for _line in range(self.lines.qsize())]
        return code, "".join(printed)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(5)
        self._reader.join(5)
        if self.process.stdout:
            self.process.stdout.close()

    def count_actions(self) -> int:
        with contextlib.closing(sqlite3.connect(self.folder / "novaluna.sqlite3")) as database:
            count: int = database.execute("select count(*) from games_action").fetchone()[0]
            return count


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def site(made_folder: Path) -> Iterator[Site]:
    with contextlib.closing(Site(made_folder, free_port())) as site:
        yield site


@pytest.fixture
def new_site(folder: Path) -> Iterator[Site]:
    """A site that makes its data folder."""
    with contextlib.closing(Site(folder, free_port())) as site:
        yield site


def sign_up(site: Site) -> None:
    site.get("/account/signup/")
    site.post("/account/signup/", username="Ines", email="ines@example.org", password1="moon-and-stars-17")


def open_table(site: Site, opponents: str, seat_count: str, level: str = "easy") -> None:
    request = re.search(r'name="request_id" value="([^"]+)"', site.get("/new/"))
    assert request
    fields = {"opponents": opponents, "seat_count": seat_count, "level": level}
    site.post("/new/", request_id=request[1], **fields)


def test_the_site_serves_plays_sends_emails_stops_and_resumes(new_site: Site, folder: Path) -> None:
    assert "Nova Luna" in new_site.get("/")
    sign_up(new_site)
    new_site.wait_for("/mailbox/", "Please confirm your email address", "the email on the mailbox page")
    home = new_site.get("/")
    assert "Welcome, Ines!" in without_marks(home)
    style = re.search(r'href="(/static/games/base\.[^"]*css)"', home)
    assert style, "the name of a static file contains a hash of its content"
    assert "--bg" in new_site.get(style[1])

    open_table(new_site, "bots", "4")
    found = re.search(r"/g/\w{12}/", new_site.get("/"))
    assert found
    game = found[0]
    new_site.wait_for(game, 'data-turn="mine"', "the turns of the bots before me")
    form = dict(re.findall(r'name="(number|request_id)" value="([^"]+)"', new_site.get(f"{game}?resign=1")))
    new_site.post(f"{game}play/", do="resign", **form)
    wait_until(lambda: new_site.count_actions() >= 4, "a bot's turn after the resignation")

    code, printed = new_site.stop()
    assert code == 0
    assert printed.strip() == "Stopped. All games and accounts are saved."
    before = new_site.count_actions()

    again = Site(folder, free_port())
    try:
        again.wait_for(game, 'data-turn="over"', "the end of the interrupted game")
        assert again.count_actions() > before
    finally:
        code, printed = again.stop(signal.SIGTERM)
        assert code == 0
        assert printed.strip() == "Stopped. All games and accounts are saved."
        again.close()


def test_ctrl_c_stops_the_site_while_a_stream_is_open(site: Site) -> None:
    sign_up(site)
    open_table(site, "people", "2")
    key = re.search(r"/g/(\w{12})/", site.get("/"))
    assert key
    stream = urllib.request.urlopen(f"{site.address}/g/{key[1]}/stream/", timeout=60)
    assert stream.readline()
    code, printed = site.stop()
    assert code == 0
    assert "Traceback" not in printed, printed
    stream.close()


def test_ctrl_c_stops_the_site_while_an_expert_waits_for_the_search(
    made_folder: Path, tmp_path: Path
) -> None:
    site = Site(made_folder, free_port(), NOVALUNA_COMPILED=str(tmp_path / "compiled"))
    try:
        sign_up(site)
        open_table(site, opponents="bots", seat_count="4", level="expert")
        game = re.search(r"/g/\w{12}/", site.get("/"))
        assert game
        page = site.get(game[0])
        assert 'data-turn="mine"' in page or "is getting ready" in page
        code, printed = site.stop()
    finally:
        site.close()
    assert code == 0
    assert printed.strip() == "Stopped. All games and accounts are saved."


def test_the_site_listens_on_loopback_only_with_debug_off_and_its_own_key(
    site: Site, made_folder: Path
) -> None:
    port = urllib.parse.urlsplit(site.address).port
    assert port
    with socket.socket() as probe:
        probe.settimeout(2)
        # Uses another loopback address of this machine in place of a public one.
        assert probe.connect_ex(("127.0.0.2", port)) != 0
    key = made_folder / "secret_key"
    assert len(key.read_text()) > 50
    assert key.stat().st_mode & 0o077 == 0
    with pytest.raises(urllib.error.HTTPError) as missing:
        site.get("/no/such/page/")
    with missing.value as answer:
        assert answer.code == 404
        assert "DEBUG" not in answer.read().decode()


def serve(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    base = {
        name: value
        for name, value in os.environ.items()
        if name not in ("REDIS_URL", "DATABASE_URL", "EMAIL_URL")
    }
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *options], cwd=ROOT, text=True, timeout=LONGEST_START,
        env={**base, "NOVALUNA_DATA": str(folder), **environment}, capture_output=True, check=False,
    )  # fmt: skip


def test_a_taken_port_is_refused_with_one_line(made_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve(made_folder, "--port", str(port))
    assert done.returncode == 1
    words = f"CommandError: Port {port}: Address already in use. Choose another port: make play PORT=8123"
    assert done.stderr.strip() == words


def test_an_impossible_port_is_refused_with_one_line(folder: Path) -> None:
    done = serve(folder, "--port", "65536")
    assert done.returncode == 1
    assert done.stderr.strip() == "CommandError: There is no port 65536. Choose a port from 1 to 65535."


def test_settings_for_several_processes_are_refused_with_one_line(folder: Path) -> None:
    done = serve(folder, REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 1
    assert "REDIS_URL is set" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_public_site_without_a_mail_server_is_refused(folder: Path) -> None:
    done = serve(folder, SITE_URL="https://nova-luna.example")
    assert done.returncode == 1
    assert "set EMAIL_URL" in done.stderr
