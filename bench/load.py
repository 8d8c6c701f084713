"""Measures the site under load: `python -m bench.load`.

Three web processes serve ten clients, which ask for pages for two minutes, on PostgreSQL and with Redis. The
result is how much longer the slowest hundredth of the requests for a page takes than the median.
"""

import http.client
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.database import measure_in_a_process, new_folder, postgres, prepare
from bench.goals import report
from tests.plugins.children import free_port, start, stop
from tests.plugins.redis import Redis
from tests.waiting import wait_until

if TYPE_CHECKING:
    from games.models import Game

PROCESSES = 3
CLIENTS = 10
WARM_UP = 10  # seconds that do not count, as the processes are new
SECONDS = 120
ACTIONS = 30

Times = dict[str, list[float]]


def main() -> None:
    """Measure on PostgreSQL and with Redis."""
    with new_folder() as folder, postgres(folder) as url:
        redis = Redis(folder)
        try:
            measure_in_a_process("load", url, folder, REDIS_URL=redis.url(0), COMPRESS_STATIC="0")
        finally:
            redis.stop()


def measure() -> None:
    """Report how even the times of each kind of page are."""
    prepare()
    from tests import play

    times: Times = defaultdict(list)
    games = [
        play.play_some(play.game_of(play.person(f"Ines{nth}"), play.person(f"Tobias{nth}")), ACTIONS)
        for nth in range(CLIENTS)
    ]
    with web_processes() as address:
        counted_from = time.monotonic() + WARM_UP
        clients = [
            threading.Thread(target=visit, args=(address, game, counted_from, nth, times))
            for nth, game in enumerate(games)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
    for page, durations in sorted(times.items()):
        median, slowest = statistics.median(durations), statistics.quantiles(durations, n=100)[98]
        print(
            f"{page}: {len(durations)} requests, median {1000 * median:.0f} ms, p99 {1000 * slowest:.0f} ms"
        )
        report(f"{page} under load: p99 / median", slowest / median, at_most=4)


def session_of(game: "Game") -> str:
    """Return the cookies of the player to move."""
    from bench.pages import client_of
    from tests.play import mover

    client = client_of(mover(game))
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


def pages_of(game: "Game") -> dict[str, str]:
    """Return the pages that a client visits."""
    return {"board": game.get_absolute_url(), "home": "/", "text mode": f"{game.get_absolute_url()}text/"}


@contextmanager
def web_processes() -> Iterator[str]:
    """Run the web processes of a server as `deploy/novaluna-web.service` does, and yield their address."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "novaluna_site.wsgi:application"]
    options = [f"--bind=127.0.0.1:{port}", f"--workers={PROCESSES}", "--threads=4", "--log-level=warning"]
    process: subprocess.Popen[bytes] = start([*command, *options])
    try:
        wait_until(lambda: responds(port), "the web processes", 60)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


def responds(port: int) -> bool:
    """Whether the site responds at this port."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False


def visit(address: str, game: "Game", counted_from: float, seed: int, times: Times) -> None:
    """Ask for pages in random order, with a short pause after each, as people do.

    Ends SECONDS after `counted_from`. Earlier requests do not count.
    """
    cookies, pages = session_of(game), pages_of(game)
    rng, host = random.Random(seed), urllib.parse.urlsplit(address).netloc
    connection = http.client.HTTPConnection(host, timeout=60)
    while (asked_at := time.monotonic()) < counted_from + SECONDS:
        page = rng.choice([*pages])
        began = time.perf_counter()
        connection.request("GET", pages[page], headers={"Cookie": cookies})
        response = connection.getresponse()
        response.read()
        if asked_at >= counted_from:
            times[page].append(time.perf_counter() - began)
        assert response.status == 200, (page, response.status)
        time.sleep(rng.uniform(0.1, 0.9))


if __name__ == "__main__":
    main()
