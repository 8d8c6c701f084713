"""The examples in `deploy/`: their processes serve and play together, and the README knows every variable."""

import re
import shlex
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.models import Game
from games.services.play import play
from tests.play import fresh, game_of, person
from tests.plugins import processes, servers
from tests.plugins.children import free_port

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy").glob("*.service"))
WITHIN = 60  # seconds


def command_of(unit: Path, changes: dict[str, str]) -> list[str]:
    """Return what a unit starts, with this environment's programs and a test's ports and folders."""
    found = re.search(r"^ExecStart=(.+)$", unit.read_text(), re.MULTILINE)
    assert found
    any_of_them = "|".join(map(re.escape, changes))
    words = shlex.split(found[1].replace("%%", "%"))
    return [re.sub(any_of_them, lambda written: changes[written[0]], word) for word in words]


def until(happens: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WITHIN
    while not happens():
        assert time.monotonic() < end, f"not within {WITHIN} s: {what}"
        time.sleep(0.1)


def proxied(address: str) -> urllib.request.Request:
    """Return a request as the proxy hands it on."""
    headers = {
        "Host": "nova-luna.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.7",
        "Accept": "text/event-stream",
    }
    return urllib.request.Request(address, headers=headers)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(proxied(address), timeout=5) as response:
            return "Nova Luna" in response.read().decode()
    except urllib.error.HTTPError:
        raise
    except OSError:
        return False


@pytest.fixture
def started(tmp_path: Path, django_db_setup: None) -> Iterator[Callable[[], dict[str, str]]]:
    """Start all units, on a Redis of their own; return the addresses of the two that answer."""
    ports = {"8000": free_port(), "8001": free_port()}
    changes = {
        "/opt/novaluna/.venv/bin": str(Path(sys.executable).parent),
        "/var/lib/novaluna": str(tmp_path),
        **{written: str(used) for written, used in ports.items()},
    }
    environ = {
        "SITE_URL": "https://nova-luna.example",
        "ALLOWED_HOSTS": "nova-luna.example",
        "TRUSTED_PROXIES": "1",
        "REDIS_URL": servers.SPARE_REDIS_URL,
    }
    with ExitStack() as stack:

        def start() -> dict[str, str]:
            for unit in UNITS:
                stack.enter_context(processes.running(command_of(unit, changes), **environ))
            return {
                name: f"http://127.0.0.1:{ports[port]}"
                for name, port in {"web": "8000", "streams": "8001"}.items()
            }

        yield start


@pytest.mark.django_db(transaction=True)
def test_the_units_serve_and_play_together(
    started: Callable[[], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    with monkeypatch.context() as down:
        down.setattr(current_app, "send_task", refuse)
        ines = person("Ines")
        game = game_of(ines, bots=("easy", "medium"))
        if fresh(game).to_move == 0:
            play(game.key, ines, {"do": "resign"}, 1, uuid.uuid4())
    # Nothing is queued: only beat's sweep can find the bot that is to move.
    Game.objects.update(moved_at=timezone.now() - timedelta(minutes=1))
    before = fresh(game).version

    addresses = started()
    until(lambda: answers(addresses["web"]), "the pages")
    until(lambda: answers(addresses["streams"]), "the streams' process")
    stream = f"{addresses['streams']}/g/{game.key}/stream/"
    with urllib.request.urlopen(proxied(stream), timeout=20) as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.readline()
    until(lambda: fresh(game).version > before, "a bot's turn")


def test_the_shell_reads_the_example_as_systemd_does() -> None:
    example = ROOT / "deploy/novaluna.env.example"
    lines = [line for line in example.read_text().splitlines() if not line.startswith("#")]
    written = dict(line.split("=", 1) for line in lines)
    script = f"set -aeu; . {shlex.quote(str(example))}; env -0"
    done = subprocess.run(["sh", "-c", script], env={}, capture_output=True, text=True, check=True)
    read = dict(entry.split("=", 1) for entry in done.stdout.rstrip("\0").split("\0"))
    assert {name: read[name] for name in written} == {
        name: value.removeprefix('"').removesuffix('"') for name, value in written.items()
    }


def test_the_readme_lists_every_variable_that_the_settings_read() -> None:
    settings = (ROOT / "novaluna_site/settings.py").read_text()
    readme = (ROOT / "README.md").read_text().partition("## How to deploy")[2]
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
    rows = "".join(line.split("|")[1] for line in readme.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([A-Z_]+)`", rows)) == read
    example = (ROOT / "deploy/novaluna.env.example").read_text()
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) <= read
