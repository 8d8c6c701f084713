"""Child processes of the test run, which end with it."""

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def start(
    command: Sequence[str | Path], *, orphan_signal: str = "KILL", **options: Any
) -> "subprocess.Popen[bytes]":
    """Start a process that ignores the test run's Ctrl-C, but ends if the test run dies.

    The process then gets the signal `orphan_signal`. This needs setpriv, which is part of every Linux.
    """
    prefix = ["setpriv", "--pdeathsig", orphan_signal] if shutil.which("setpriv") else []
    return subprocess.Popen([*prefix, *command], start_new_session=True, **options)


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Terminate a process; kill it if it is still running after 15 seconds."""
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)


def free_port() -> int:
    """Return a port on loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
