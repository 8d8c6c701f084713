"""Chromium for Playwright: finding or installing it, and recording the errors of its pages."""

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Response

from tests.plugins import packages

# The headless shell comes first, because tests take only three quarters of the time with it.
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
    """Start Chromium; install it first if this machine does not have it."""
    executable = _find_executable(playwright) or _install(playwright)
    if executable is None:
        pytest.fail(
            "Chromium is missing. Run: .venv/bin/playwright install --with-deps chromium", pytrace=False
        )
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=executable, args=[*QUIET, *sandbox])


def launch_whole(playwright: Playwright, folder: Path) -> BrowserContext:
    """Start a whole Chromium that stores its data in `folder`; install it first if it is missing.

    It shows notifications, unlike the headless shell and private windows.
    """
    executable = _find_whole() or (packages.install("chromium") and _find_whole())
    if not executable:
        pytest.fail(
            "A whole Chromium is missing, and the headless shell shows no notifications. Install it with: "
            "apt-get install chromium",
            pytrace=False,
        )
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch_persistent_context(
        folder, executable_path=executable, args=[*QUIET, *sandbox]
    )


def _find_whole() -> str | None:
    return next(filter(None, map(shutil.which, NAMES[1:])), None)


def _find_executable(playwright: Playwright) -> str | None:
    own = playwright.chromium.executable_path
    return next(filter(None, map(shutil.which, NAMES)), own if Path(own).exists() else None)


def _install(playwright: Playwright) -> str | None:
    """Install Chromium with Playwright, or else with apt; return its path, or None if both fail."""
    playwrights = [sys.executable, "-m", "playwright", "install", "chromium"]
    attempts = [
        lambda: subprocess.run(playwrights, check=False, timeout=600).returncode == 0,
        *(partial(packages.install, name) for name in NAMES[:2]),
    ]
    for attempt in attempts:
        if attempt() and (executable := _find_executable(playwright)):
            return executable
    return None


class PageErrors:
    """Records script errors of a page, violations of the content security policy, and 5xx responses.

    Chromium also reports responses from 400 to 499 as errors. A test that expects one sets `allows_refusals`.
    Requests that end because the page is left are no errors, though htmx reports each of them with two.
    """

    _OF_LEAVING = ("htmx:sendAbort, ", "htmx:afterRequest, ")

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.allows_refusals = False
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        is_refusal = (
            "Failed to load resource" in message.text or "Response Status Error Code 4" in message.text
        )
        is_excused = message.text.startswith(self._OF_LEAVING) or (self.allows_refusals and is_refusal)
        if message.type == "error" and not is_excused:
            self.errors.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.errors.append(f"{response.status} from {response.url}")
