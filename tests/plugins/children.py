"""Processes that the suite starts, and that end with it."""

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def start(
    command: Sequence[str | Path], *, orphaned: str = "KILL", **options: Any
) -> "subprocess.Popen[bytes]":
    """Start a process that hears no Ctrl-C meant for the suite, but ends if the suite dies.

    It gets the signal `orphaned` then, where there is setpriv, as on every Linux.
    """
    leash = ["setpriv", "--pdeathsig", orphaned] if shutil.which("setpriv") else []
    return subprocess.Popen([*leash, *command], start_new_session=True, **options)


def stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
