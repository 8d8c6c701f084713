"""The examples in `deploy/`: their processes work together, and docs/deployment.md lists every variable."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
import uuid
import venv
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from games.models import Seat
from games.novaluna.engine import Resign
from games.services.play import play
from games.tasks import check_clocks, sweep
from novaluna_site import embedded
from tests.play import fresh, game_of, person
from tests.plugins import processes, servers
from tests.plugins.children import free_port
from tests.plugins.mailserver import MailServer
from tests.units import UNITS, command_of, queues_of
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]


def request_through_proxy(address: str) -> urllib.request.Request:
    """Return a request with the headers that the proxy sets."""
    headers = {
        "Host": "nova-luna.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.7",
        "Accept": "text/event-stream",
    }
    return urllib.request.Request(address, headers=headers)


def responds(address: str) -> bool:
    """Return whether the site responds; raise HTTPError if it responds with an error."""
    try:
        with urllib.request.urlopen(request_through_proxy(address), timeout=20) as response:
            return "Nova Luna" in response.read().decode()
    except urllib.error.HTTPError:
        raise
    except OSError:
        return False


@pytest.fixture
def start_units(tmp_path: Path, django_db_setup: None) -> Iterator[Callable[[], dict[str, str]]]:
    """A function that starts all units with their own Redis database; returns the URLs of web and streams."""
    ports = {"8000": free_port(), "8001": free_port(), "8024": free_port()}
    changes = {in_unit: str(port) for in_unit, port in ports.items()}
    environ = {
        "SITE_URL": "https://nova-luna.example",
        "ALLOWED_HOSTS": "nova-luna.example",
        "TRUSTED_PROXIES": "1",
        "REDIS_URL": servers.SPARE_REDIS_URL,
    }
    with ExitStack() as stack:

        def start() -> dict[str, str]:
            for unit in UNITS:
                stack.enter_context(processes.running(command_of(unit, tmp_path, changes), **environ))
            return {
                name: f"http://127.0.0.1:{ports[port]}"
                for name, port in {"web": "8000", "streams": "8001"}.items()
            }

        yield start


def tasks_by_queue() -> dict[str, list[str]]:
    tasks: dict[str, list[str]] = {}
    for name in sorted(name for name in current_app.tasks if name.startswith("games.")):
        tasks.setdefault(current_app.amqp.router.route({}, name)["queue"].name, []).append(name)
    return tasks


def test_each_queue_has_one_unit_and_one_thread_of_the_embedded_site() -> None:
    queues = [queue for unit in UNITS for queue in queues_of(unit)]
    assert sorted(queues) == sorted(embedded.QUEUES) == sorted(tasks_by_queue())


def test_only_the_check_of_clocks_is_beside_the_sweep() -> None:
    assert tasks_by_queue()["sweep"] == [check_clocks.name, sweep.name]
    assert ["sweep"] in [queues_of(unit) for unit in UNITS]


@pytest.mark.django_db(transaction=True)
def test_the_units_work_together_while_experts_think(
    start_units: Callable[[], dict[str, str]], monkeypatch: pytest.MonkeyPatch, smtp: MailServer
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    with monkeypatch.context() as patch:
        patch.setattr(current_app, "send_task", refuse)
        ines, tobias = person("Ines"), person("Tobias")
        game = game_of(ines, bots=("easy", "medium"))
        if fresh(game).to_move == 0:
            play(game.key, ines, Resign(0), 1, uuid.uuid4())
        game_of(ines, tobias)
        for number in range(os.cpu_count() or 1):
            left = game_of(guest := person(f"Guest{number}"), bots=("expert",) * 3)
            if fresh(left).to_move == 0:
                play(left.key, guest, Resign(0), 1, uuid.uuid4())
    Seat.objects.update(seen_at=None)
    # The queues are empty, so only beat's sweep can find the bot whose turn it is, and the mail.
    before = fresh(game).version

    addresses = start_units()
    wait_until(lambda: responds(addresses["web"]), "the pages")
    wait_until(lambda: responds(addresses["streams"]), "the process for streams")
    stream = f"{addresses['streams']}/g/{game.key}/stream/"
    with urllib.request.urlopen(request_through_proxy(stream), timeout=60) as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.readline()
    wait_until(lambda: fresh(game).version > before, "a bot's turn")
    smtp.wait_for("Your turn")


def test_the_shell_reads_the_example_as_systemd_does() -> None:
    example = ROOT / "deploy/novaluna.env.example"
    lines = [line for line in example.read_text().splitlines() if not line.startswith("#")]
    written = dict(line.split("=", 1) for line in lines)
    script = f"set -aeu; . {shlex.quote(str(example))}; env -0"
    done = subprocess.run(["sh", "-c", script], env={}, capture_output=True, text=True, check=True)
    read = dict(entry.split("=", 1) for entry in done.stdout.rstrip("\0").split("\0"))
    assert {name: read[name] for name in written} == {
        name: value.removeprefix("'").removesuffix("'") for name, value in written.items()
    }
    # Systemd and the shell read text in single quotes in the same way.
    assert all(re.fullmatch(r"'[^']*'", value) for value in written.values())


def test_the_docs_list_every_variable_that_the_settings_read() -> None:
    modules = ("settings.py", "login_provider.py")
    settings = "".join((ROOT / "novaluna_site" / name).read_text() for name in modules)
    page = (ROOT / "docs/deployment.md").read_text()
    read = set(re.findall(r"""env\.\w+\(\s*["']([A-Z_]+)["']""", settings))
    rows = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([A-Z_]+)`", rows)) == read
    example = (ROOT / "deploy/novaluna.env.example").read_text()
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) <= read


@pytest.fixture
def deployed(tmp_path: Path) -> Path:
    """The Python of an environment like the one that `make install-production` makes."""
    venv.create(tmp_path / "venv", symlinks=True)
    (tmp_path / "venv/production").touch()
    return tmp_path / "venv/bin/python"


@pytest.mark.parametrize("command", ["migrate", "createsuperuser", "serve"])
def test_a_deployed_checkout_refuses_commands_without_its_environment(
    deployed: Path, command: str, tmp_path: Path
) -> None:
    environ = {"PYTHONPATH": sysconfig.get_path("purelib"), "NOVALUNA_DATA": str(tmp_path / "data")}
    run = [deployed, "manage.py", command]
    refused = subprocess.run(run, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr.strip() == (
        "This checkout is deployed, but DATABASE_URL is not set. "
        "Use deploy/manage, which loads /etc/novaluna.env."
    )
    assert not (tmp_path / "data").exists()


def test_a_deployed_checkout_runs_commands_with_its_environment(deployed: Path, tmp_path: Path) -> None:
    environ = {**processes.environment(), "PYTHONPATH": sysconfig.get_path("purelib")}
    run = [deployed, "manage.py", "check"]
    subprocess.run(run, cwd=ROOT, env=environ, capture_output=True, check=True)


def test_an_address_of_the_database_that_cannot_be_read_is_refused_without_its_password() -> None:
    environ = {**os.environ, "DATABASE_URL": "postgres://moon:silver/dust@127.0.0.1/moon"}
    run = [sys.executable, "manage.py", "check"]
    refused = subprocess.run(run, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "DATABASE_URL cannot be read. In its password, / must be %2F" in refused.stderr
    assert "silver" not in refused.stderr


def test_a_deployed_checkout_whose_python_was_replaced_says_what_to_do(deployed: Path) -> None:
    """An upgrade of the system installs another Python, which has no packages of the site."""
    run = [deployed, "manage.py", "doctor"]
    refused = subprocess.run(run, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "Run deploy/update --apply as root." in refused.stderr


def test_only_the_installation_for_production_marks_a_checkout_as_deployed() -> None:
    for target, is_marked in {"install-production": True, "install": False, "install-dev": False}.items():
        steps = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
        assert ("touch .venv/production" in steps.stdout) is is_marked
