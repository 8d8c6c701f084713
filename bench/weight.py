"""Measures bytes, requests, layout shifts and the first paint of the game page: `python -m bench.weight`.

The site runs in one process with compressed static files. A file that it sends uncompressed, as in tests,
counts with its size after gzip. The first paint is measured with a slow connection and a slow processor. The
command fails if requests, bytes or layout shifts exceed a limit.
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
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

from bench.goals import report

if TYPE_CHECKING:
    from games.models import Game

ROOT = Path(__file__).parents[1]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
# A slow connection, in milliseconds and bytes per second, and the factor by which the processor is slower.
SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
CPU_SLOWDOWN = 4
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# The usual score ignores shifts within half a second after a click. Here every shift counts. When the game
# changes, parts of the board move, so what is around the board counts by itself. A browser on a busy machine
# paints a page before it has parsed all of it, and what moves until then must not count, so it is hidden.
SHIFTS = """
    const unparsed = new CSSStyleSheet();
    unparsed.replaceSync("body { display: none !important }");
    document.adoptedStyleSheets = [unparsed];
    const show = () => { document.adoptedStyleSheets = []; };
    document.addEventListener("readystatechange", show, { once: true });
    const isOnBoard = ({ node }) => !node || node.parentElement?.closest("#game");
    window.shifted = { page: 0, around: 0 };
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
            window.shifted.page += value;
            if (!sources.every(isOnBoard)) window.shifted.around += value;
        }
    }).observe({ type: "layout-shift", buffered: true });
"""
# Returns the layout shifts since the last call, after all animations have ended.
SHIFTED = """async () => {
    const isEnding = (motion) => motion.effect.getComputedTiming().endTime < Infinity;
    await Promise.allSettled(document.getAnimations().filter(isEnding).map((motion) => motion.finished));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const shifted = window.shifted;
    window.shifted = { page: 0, around: 0 };
    return shifted;
}"""


@dataclass(frozen=True)
class Weight:
    """What a step in the browser loads, its layout shift, and the limits."""

    name: str
    requests: int
    size: int  # bytes over the network
    shift: float  # Chromium's score; the limit is 0
    most_requests: int
    most_bytes: int

    @property
    def is_within(self) -> bool:
        return self.requests <= self.most_requests and self.size <= self.most_bytes and self.shift == 0

    def __str__(self) -> str:
        sizes = f"{self.size / 1000:6.1f} kB of {self.most_bytes / 1000:4.0f}"
        verdict = "" if self.is_within else "   too much"
        return (
            f"{self.name:<20}{self.requests:>2} requests of {self.most_requests}  {sizes}"
            f"   layout shift {self.shift:.4f} of 0{verdict}"
        )


class Meter:
    """Counts the requests and bytes that a page loads over the network."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.responses: list[Response] = []
        page.add_init_script(SHIFTS)
        page.on("response", self._record)

    def _record(self, response: Response) -> None:
        if not response.url.startswith("data:") and "/stream/" not in response.url:
            self.responses.append(response)

    def weigh(self, name: str, most_requests: int, most_bytes: int, *, shifts: str = "page") -> Weight:
        """Return the weight of everything since the last call; `shifts` of "page" or "around" the board."""
        shift = self.page.evaluate(SHIFTED)[shifts]
        sizes = [size for size in map(size_of, self.responses) if size]
        self.responses.clear()
        return Weight(name, len(sizes), sum(sizes), shift, most_requests, most_bytes)


def size_of(response: Response) -> int:
    """Return the bytes of a response over the network, with headers; 0 if the browser had it cached."""
    sizes = response.request.sizes()
    headers, body = sizes["responseHeadersSize"], sizes["responseBodySize"]
    if headers + body <= 0:
        return 0
    if "content-encoding" in response.all_headers() or not body:
        return headers + body
    return headers + len(gzip.compress(response.body(), 6))


def main() -> None:
    """Serve a game, and print the weight of its page. Exits with an error if a limit is exceeded."""
    with tempfile.TemporaryDirectory(prefix="novaluna-weight-") as folder:
        os.environ.update(
            NOVALUNA_DATA=folder, COMPRESS_STATIC="1", LOG_LEVEL="ERROR", DATABASE_URL="", REDIS_URL=""
        )
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop running
        with serve_site() as address, sync_playwright() as playwright:
            import django

            django.setup()
            from tests.browser.states.making import game_of_three
            from tests.plugins import chromium

            browser = chromium.launch(playwright)
            game = game_of_three()
            weights = weigh(browser, address, game)
            print(*weights, sep="\n")
            for weight in weights:
                report(f"{weight.name}: bytes", weight.size / 1000, "kB", at_most=weight.most_bytes / 1000)
            report("first paint on a slow phone", first_paint(browser, address, game), "ms", at_most=1500)
            browser.close()
    if not all(weight.is_within for weight in weights):
        sys.exit("A limit is exceeded.")


@contextmanager
def serve_site() -> Iterator[str]:
    """Serve the site in a new process, and yield its address."""
    from tests.plugins import children

    port = children.free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, ROOT / "manage.py", "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        while True:
            with suppress(OSError):  # The server has not started yet.
                urllib.request.urlopen(address, timeout=5)
                break
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def open_page(browser: Browser, address: str, game: "Game", **options: Any) -> Page:
    """Return an empty browser page that is logged in as the player to move."""
    from tests import play
    from tests.browser.conftest import log_in

    context = browser.new_context(base_url=address, service_workers="block", **options)
    log_in(context, play.mover(game), address)
    return context.new_page()


def weigh(browser: Browser, address: str, game: "Game") -> list[Weight]:
    """Return the weights of a first visit, a later page, the player's own action and another's."""
    from tests import play
    from tests.browser.waits import wait_until_unscrolled

    path, number = game.get_absolute_url(), game.version
    page = open_page(browser, address, game, **PHONE)
    meter = Meter(page)
    page.goto(path, wait_until="load")
    weights = [meter.weigh("first visit", 8, 120_000)]
    page.goto(f"{path}?at=20", wait_until="load")
    weights.append(meter.weigh("a later page", 8, 25_000))

    page.goto(path, wait_until="load")
    page.locator("#game [data-tile]").first.click()
    wait_until_unscrolled(page)
    page.locator("#display .cell:visible").first.click()
    meter.weigh("a choice, which is not limited", 0, 0)
    page.locator("#confirm").click()
    page.locator(f"#game[data-version='{number + 1}']").wait_for()
    weights.append(meter.weigh("own action", 8, 15_000, shifts="around"))

    play.play_one(game)
    page.locator(f"#game[data-version='{number + 2}']").wait_for()
    weights.append(meter.weigh("opponent's action", 8, 15_000, shifts="around"))
    page.context.close()
    return weights


def first_paint(browser: Browser, address: str, game: "Game") -> float:
    """Return the time of the first paint on a slow phone, in milliseconds: the median of five visits."""
    times = []
    for _visit in range(5):
        page = open_page(browser, address, game, **PHONE)
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW_LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        page.goto(game.get_absolute_url(), wait_until="load")
        times.append(page.evaluate(PAINT))
        page.context.close()
    return sorted(times)[2]


if __name__ == "__main__":
    main()
