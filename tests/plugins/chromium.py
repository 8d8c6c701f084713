"""Chromium under Playwright: found on the machine, else installed; its pages hide no error from a test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Response

# The shell alone has no windows to draw, and takes three quarters of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


def launch(playwright: Playwright) -> Browser:
    """Start Chromium; where there is none on the machine, install it first."""
    executable = _on_this_machine(playwright) or _installed(playwright)
    if executable is None:
        pytest.fail(
            "Chromium is missing. Run: .venv/bin/playwright install --with-deps chromium", pytrace=False
        )
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=executable, args=[*QUIET, *sandbox])


def _on_this_machine(playwright: Playwright) -> str | None:
    own = playwright.chromium.executable_path
    return next(filter(None, map(shutil.which, NAMES)), own if Path(own).exists() else None)


def _installed(playwright: Playwright) -> str | None:
    """Install Chromium by Playwright, else by the system's package manager."""
    attempts = [[[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for name in NAMES[:2]:
            attempts.append([["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", name]])
    for commands in attempts:
        done = all(subprocess.run(command, check=False, timeout=600).returncode == 0 for command in commands)
        if done and (executable := _on_this_machine(playwright)):
            return executable
    return None


class Watch:
    """What went wrong in a page unseen: script errors, breaches of the content policy, answers from 500 on.

    Chromium reports answers of 400 to 499 as errors too; a test that wants one sets `allows_refusals`.
    """

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.allows_refusals = False
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        refusal = "Failed to load resource" in message.text or "Response Status Error Code 4" in message.text
        if message.type == "error" and not (self.allows_refusals and refusal):
            self.errors.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.errors.append(f"{response.status} from {response.url}")
