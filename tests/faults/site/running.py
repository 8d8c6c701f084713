"""All units of a site on the test database, each of which a test can kill and start again."""

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import IO

import psycopg
from django.db import connection

from games.models import ServedQueue, SitePart
from games.notifications.overdue import UNITS_OF_QUEUES
from novaluna_site.backups import postgresql
from tests.plugins import children, processes
from tests.plugins.redis import Redis
from tests.units import UNITS, command_of

# Without the unit that receives emails, which has tests of its own.
NAMES = [unit.stem.removeprefix("novaluna-") for unit in UNITS if unit.stem != "novaluna-mail"]


class RunningSite:
    """A site whose units run until `stop`. It has a Redis of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.redis = Redis(folder)
        self.log: IO[bytes] = (folder / "log").open("wb")
        self.ports = {"8000": str(children.free_port()), "8001": str(children.free_port())}
        self._units: dict[str, subprocess.Popen[bytes]] = {}
        self._has_worked = False
        self.start_all()

    def start_all(self) -> None:
        """Start all units."""
        for name in NAMES:
            self.start(name)

    def start(self, name: str) -> None:
        """Start a unit as systemd does."""
        self._units[name] = self.run(name)

    def run(self, name: str) -> "subprocess.Popen[bytes]":
        """Start a process of a unit, in addition to the one that runs, and return it."""
        [unit] = [unit for unit in UNITS if unit.stem == f"novaluna-{name}"]
        # One process shows that pages are served, and each takes two seconds to start.
        command = command_of(unit, self.folder, {"INFO": "ERROR", **self.ports})
        if "--workers" in command:
            command[command.index("--workers") + 1] = "1"
        environ = processes.environment(
            REDIS_URL=self.redis.url(0),
            NOVALUNA_OUTGOING_TO_LOOPBACK="1",
            NOVALUNA_SERVES_PAGES=str(name == "web"),
            LOG_LEVEL="ERROR",
        )
        return children.start(command, cwd=processes.ROOT, env=environ, stdout=self.log, stderr=self.log)

    def kill(self, name: str, *, successor: "subprocess.Popen[bytes] | None" = None) -> None:
        """Kill a unit with all its processes, as systemd does if it does not end by itself.

        Another process of the unit can take its place.
        """
        os.killpg(self._units[name].pid, signal.SIGKILL)
        self._units[name].wait(60)
        if successor:
            self._units[name] = successor

    def restart(self) -> None:
        """Stop all units and start them again, at the same time, as an update does."""
        for unit in self._units.values():
            unit.terminate()
        for name, unit in list(self._units.items()):
            children.stop(unit)
            self.start(name)

    def status_of(self, path: str) -> tuple[int, str]:
        """Return the status and the text of a page; 0 if nobody answers, for which a proxy has a page."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.ports['8000']}{path}", timeout=60
            ) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def wait_until_it_works(self) -> None:
        """Return when every unit has noted that it works."""
        end = time.monotonic() + processes.LONGEST_START
        while missing := self._missing():
            assert time.monotonic() < end, (
                f"{missing} do not work: {(self.folder / 'log').read_text()[-2000:]}"
            )
            time.sleep(0.3)
        self._has_worked = True

    def _missing(self) -> list[str]:
        parts = set(SitePart.objects.values_list("name", flat=True))
        # Queues are noted every twenty seconds only, so that is waited for once.
        served = set(ServedQueue.objects.values_list("name", flat=True))
        queues = set() if self._has_worked else set(UNITS_OF_QUEUES)
        pages = [] if self.status_of("/")[0] == 200 else ["pages"]
        return sorted(set(SitePart.Name.values) - parts) + sorted(queues - served) + pages

    def pause(self) -> None:
        """Stop all units where they are, and end their transactions, so that a test can empty the tables."""
        self._send(signal.SIGSTOP)
        with psycopg.connect(
            postgresql.url_of(str(connection.settings_dict["NAME"])), autocommit=True
        ) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> %s",
                [connection.connection.info.backend_pid if connection.connection else 0],
            )

    def go_on(self) -> None:
        """Let the units go on after a pause."""
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        for unit in self._units.values():
            with suppress(ProcessLookupError):
                os.killpg(unit.pid, number)

    def stop(self) -> None:
        """Stop everything."""
        self.go_on()
        for unit in self._units.values():
            unit.terminate()
        for unit in self._units.values():
            children.stop(unit)
        self.redis.stop()
        self.log.close()
