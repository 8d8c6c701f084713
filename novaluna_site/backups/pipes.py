"""Programs through which a backup goes: one writes or reads it, another may encrypt it."""

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from novaluna_site.backups.files import BackupError


def run(
    commands: Sequence[Sequence[str]],
    source: Path | None = None,
    target: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> None:
    """Run programs, each of which reads what the one before writes. Raises BackupError if one fails.

    The first reads the file `source`, and the last writes the file `target`.
    """
    with ExitStack() as opened:
        before: IO[bytes] | int = opened.enter_context(source.open("rb")) if source else subprocess.DEVNULL
        output = opened.enter_context(target.open("wb")) if target else subprocess.DEVNULL
        started = []
        for number, command in enumerate(commands):
            is_last = number == len(commands) - 1
            try:
                process = opened.enter_context(
                    subprocess.Popen(  # noqa: S603 - the host chooses the programs
                        command,
                        stdin=before,
                        stdout=output if is_last else subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        env={**os.environ, **(environ or {})},
                    )
                )
            except OSError as error:
                raise BackupError(f"{command[0]} cannot be run: {error.strerror}. Install it.") from error
            started.append(process)
            if not isinstance(before, int):
                before.close()  # So that the program before learns when this one ends.
            before = process.stdout if process.stdout else subprocess.DEVNULL
        failures = []
        for command, process in reversed(list(zip(commands, started, strict=True))):
            words = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
            if process.wait():
                failures.append(f"{command[0]} failed: {words or process.returncode}")
        if failures:
            raise BackupError("\n".join(reversed(failures)))


def words_of(command: str) -> list[list[str]]:
    """Return a command of the settings as a list of one program; no program if it is empty."""
    return [shlex.split(command)] if command else []
