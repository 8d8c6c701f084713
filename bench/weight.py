"""What the game page weighs in bytes and requests, and when a phone first shows it: `python -m bench.weight`.

The site is served in its one process with compressed static files. Its pages are counted as gzip makes them,
for in production the proxy compresses them; the time of the first paint is measured without that, on a slow
line and a slow processor. Ends with an error where a limit on requests or bytes is broken.
"""

import gzip
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

ROOT = Path(__file__).parents[1]
# A phone on a slow line: bytes a second either way, milliseconds there and back; a quarter of this processor.
SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOWER = 4
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) window.shifted += shift.hadRecentInput ? 0 : shift.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


@dataclass(frozen=True)
class Weight:
    """What a step loads, beside its limits."""

    name: str
    requests: int
    size: int  # bytes over the wire
    most_requests: int
    most: int

    @property
    def is_within(self) -> bool:
        return self.requests <= self.most_requests and self.size <= self.most

    def __str__(self) -> str:
        sizes = f"{self.size / 1000:6.1f} kB of {self.most / 1000:4.0f}"
        verdict = "" if self.is_within else "   too much"
        return f"{self.name:<24}{self.requests:>2} requests of {self.most_requests}  {sizes}{verdict}"


class Meter:
    """Counts what a page loads over the wire."""

    def __init__(self, page: Page) -> None:
        self.responses: list[Response] = []
        page.on("response", self._note)

    def _note(self, response: Response) -> None:
        if not response.url.startswith("data:") and "/stream/" not in response.url:
            self.responses.append(response)

    def weigh(self, name: str, most_requests: int, most: int) -> Weight:
        """Return what has been loaded since the last time."""
        sizes = [size_of(response) for response in self.responses]
        self.responses.clear()
        return Weight(name, len(sizes), sum(sizes), most_requests, most)


def size_of(response: Response) -> int:
    """Return the bytes of an answer over the wire, headers included."""
    headers = response.request.sizes()["responseHeadersSize"]
    if response.from_service_worker or response.status == 304:
        return headers
    body = response.body()
    if "content-encoding" in response.all_headers():
        return headers + response.request.sizes()["responseBodySize"]
    return headers + len(gzip.compress(body, 6))


def main() -> None:
    """Serve a game, and print what its page weighs."""
    with tempfile.TemporaryDirectory(prefix="novaluna-weight-") as folder:
        os.environ.update(
            NOVALUNA_DATA=folder, COMPRESS_STATIC="1", LOG_LEVEL="ERROR", DATABASE_URL="", REDIS_URL=""
        )
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop running
        with served() as address, sync_playwright() as playwright:
            from tests.plugins import chromium

            path, cookie = a_game()
            browser = chromium.launch(playwright)
            weights = weigh(browser, address, path, cookie)
            print(*weights, sep="\n")
            print(
                f"first paint on a slow phone: {first_paint(browser, address, path, cookie):.0f} ms of 1500"
            )
            browser.close()
    if not all(weight.is_within for weight in weights):
        sys.exit("A limit is broken.")


@contextmanager
def served() -> Iterator[str]:
    """Serve the site in a process of its own; yield its address."""
    from tests.plugins import children

    port = children.free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, ROOT / "manage.py", "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        while True:
            with suppress(OSError):  # not there yet
                urllib.request.urlopen(address, timeout=5)
                break
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def a_game() -> tuple[str, str]:
    """Return the address of a game of three in its middle, and the session of whoever is to move."""
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from tests import play

    settings.ALLOWED_HOSTS.append("testserver")
    game = play.game_of(play.person("Ines"), play.person("Tobias"), play.person("Mina"))
    rng = Random(7)
    for _turn in range(36):
        play.play_one(game, rng)
    client = Client()
    client.force_login(play.mover(game))
    return game.get_absolute_url(), client.cookies[settings.SESSION_COOKIE_NAME].value


def open_page(browser: Browser, address: str, cookie: str, **options: Any) -> Page:
    context = browser.new_context(base_url=address, service_workers="block", **options)
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
    return context.new_page()


def weigh(browser: Browser, address: str, path: str, cookie: str) -> list[Weight]:
    """Return what the first visit, the next one, and a move load."""
    page = open_page(browser, address, cookie)
    meter = Meter(page)
    page.goto(path, wait_until="load")
    page.evaluate(SHIFTS)
    first = meter.weigh("first visit", 8, 120_000)
    page.goto(path + "?at=20", wait_until="load")
    later = meter.weigh("a later page", 8, 25_000)
    page.goto(path, wait_until="load")
    page.evaluate(SHIFTS)
    # The same tile and cell each time; what matters is the answer.
    page.locator("#game [data-tile]").first.click()
    page.locator("#display .cell:visible").first.click()
    meter.weigh("", 8, 0)
    with page.expect_response("**/play/"):
        page.locator("#confirm").click()
    page.locator("#game[data-version='37']").wait_for()
    move = meter.weigh("a move", 8, 15_000)
    print(f"layout shift over load and move: {page.evaluate('window.shifted'):.4f} of 0")
    page.context.close()
    return [first, later, move]


def first_paint(browser: Browser, address: str, path: str, cookie: str) -> float:
    """Return when a phone on a slow line first shows something, in milliseconds; the median of five."""
    times = []
    for _visit in range(5):
        page = open_page(browser, address, cookie, viewport={"width": 390, "height": 844}, is_mobile=True)
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW_LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(path, wait_until="load")
        times.append(page.evaluate(PAINT))
        page.context.close()
    return sorted(times)[2]


if __name__ == "__main__":
    main()
