"""Measures the site at its limit: `python -m bench.crowd`.

The servers run as in production, on PostgreSQL and with Redis. Two hundred people play fifty games as fast as
the site lets them, while others read the pages that are opened most. Nobody has a stream, so the others of a
game ask for its board after each move. The results are the requests and moves a second, the times of each
kind of request, and whether every stored value still is what the logs say. Then games are left to bots: turns
a second of one worker, for each level.

`python -m bench.crowd --games 4 --seconds 5` is a short version, which only shows that it works.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import time
import uuid
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.database import measure_in_a_process, new_folder, postgres, prepare, settle
from bench.goals import report
from bench.move_pages import HTMX, Page, Web
from bench.move_servers import Servers
from tests.plugins.children import start, stop
from tests.plugins.redis import Redis
from tests.waiting import wait_until

if TYPE_CHECKING:
    from games.models import Game

SEATS = 4
READERS = 10
PAUSE = 0.2  # seconds between two pages of a reader
BOT_GAMES = 8  # each of another person, so that all are queued at the same time
BOT_SECONDS = 10.0
LEVELS = ("easy", "medium", "hard", "expert")

Times = dict[str, list[float]]


def main(games: int, seconds: float) -> None:
    """Measure on PostgreSQL and with Redis."""
    with new_folder() as folder, postgres(folder) as url:
        redis = Redis(folder)
        sizes = {"BENCH_GAMES": str(games), "BENCH_SECONDS": str(seconds)}
        try:
            measure_in_a_process(
                "crowd",
                url,
                folder,
                REDIS_URL=redis.url(0),
                COMPRESS_STATIC="0",
                NOVALUNA_BOT_PAUSE="0",
                NOVALUNA_COMPILED=str(Path("var/compiled").absolute()),
                EMAIL_URL="dummymail://",
                BENCH_POSTGRES="0",
                BENCH_REDIS="0",
                **sizes,
            )
        finally:
            redis.stop()


def measure() -> None:
    """Report what the crowd and the bots measure."""
    prepare()
    from django.core.management import call_command

    from tests.play import game_of, person

    count, seconds = int(os.environ["BENCH_GAMES"]), float(os.environ["BENCH_SECONDS"])
    games = [game_of(*(person(f"Player{nth}x{seat}") for seat in range(SEATS))) for nth in range(count)]
    settle()
    servers = Servers()
    times: Times = defaultdict(list)
    try:
        moves = asyncio.run(Crowd(servers, games, seconds, times).run())
    finally:
        servers.stop()
    for name, durations in sorted(times.items(), key=lambda item: -len(item[1])):
        p50, p99 = statistics.median(durations), sorted(durations)[len(durations) * 99 // 100]
        print(f"{name:<12}{len(durations):7} requests   p50 {1000 * p50:6.0f} ms   p99 {1000 * p99:6.0f} ms")
    requests = sum(map(len, times.values()))
    report("requests a second", requests / seconds, at_least=50)
    report("moves a second", moves / seconds, at_least=10)
    call_command("compile_bots")
    call_command("verify_games")  # ends this process with an error if anything differs
    for level in LEVELS:
        measure_bots(level)


class Crowd:
    """People who play, and people who read."""

    def __init__(self, servers: Servers, games: "list[Game]", seconds: float, times: Times) -> None:
        self.web, self.streams_port = Web(servers.pages_port), servers.streams_port
        self.games, self.times = games, times
        self.seconds = seconds
        self.end = 0.0
        self.moves = 0

    async def run(self) -> int:
        """Return how many moves were stored until the end."""
        positions = [await asyncio.to_thread(_position_of, game) for game in self.games]
        players = [await asyncio.to_thread(self._pages_of, game) for game in self.games]
        self.end = time.monotonic() + self.seconds
        tables = [self._play(*both, seed) for seed, both in enumerate(zip(players, positions, strict=True))]
        readers = [self._read(pages[0], seed) for seed, pages in zip(range(READERS), players, strict=False)]
        await asyncio.gather(*tables, *readers)
        return self.moves

    def _pages_of(self, game: "Game") -> list[Page]:
        from bench.pages import client_of

        seats = game.seats.select_related("user").order_by("number")
        cookies = [client_of(seat.user).cookies["sessionid"].value for seat in seats]
        return [Page(self.web, self.streams_port, game.key, f"sessionid={c}", loads=False) for c in cookies]

    async def _play(self, pages: list[Page], position: Any, seed: int) -> None:
        """Play a game until its end or the end of the time; all others load the board after each move."""
        from tests.play import fields_of

        rng, number = random.Random(seed), 0
        while time.monotonic() < self.end and not position.over:
            action = rng.choice(list(position.legal_actions))
            position, number = position.apply(action).position, number + 1
            began = time.perf_counter()
            await pages[action.seat].post(fields_of(action), number, number - 1)
            self.times["move"].append(time.perf_counter() - began)
            self.moves += 1
            others = [page for page in pages if page is not pages[action.seat]]
            await asyncio.gather(*(self._get("board", page, page.path, HTMX) for page in others))

    async def _read(self, page: Page, seed: int) -> None:
        """Open one page after the other, with short pauses."""
        paths = {
            "home": "/",
            "game": page.path,
            "version": f"{page.path}version/?visible",
            "text mode": f"{page.path}text/",
            "watch": "/watch/",
            "finished": "/finished/",
            "leaderboard": "/solo/leaderboard/",
            "ratings": "/ratings/",
            "profile": f"/people/Player{seed}x0/",
        }
        rng = random.Random(seed)
        while time.monotonic() < self.end:
            name = rng.choice([*paths])
            await self._get(name, page, paths[name], {"Accept-Encoding": "gzip"})
            await asyncio.sleep(PAUSE)

    async def _get(self, name: str, page: Page, path: str, headers: dict[str, str]) -> None:
        began = time.perf_counter()
        status = await self.web.ask(f"GET {path}", {**headers, "Cookie": page.cookie})
        assert status == 200, (name, status)
        self.times[name].append(time.perf_counter() - began)


def measure_bots(level: str) -> None:
    """Print how many turns of this level one process of a worker plays in a second."""
    from games.models import Action

    marker = uuid.uuid4().hex[:6]
    games = [_game_left_to(f"{level}{marker}x{number}", level) for number in range(BOT_GAMES)]
    turns = Action.objects.filter(game__in=games, number__gt=1)
    options = ["--concurrency=1", "--without-mingle", "--without-gossip", "--without-heartbeat"]
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "novaluna_site",
        "worker",
        "--queues=quick,bots",
        *options,
    ]
    worker = start([*command, "--loglevel=ERROR"], stdout=subprocess.DEVNULL)
    try:
        wait_until(turns.exists, f"a turn of {level}", 180)
        before, began = turns.count(), time.perf_counter()
        end = began + min(BOT_SECONDS, float(os.environ["BENCH_SECONDS"]))
        while time.perf_counter() < end and not all(_is_over(game) for game in games):
            time.sleep(0.2)
        rate = (turns.count() - before) / (time.perf_counter() - began)
    finally:
        stop(worker)
    print(f"bots, {level:<8}{rate:7.1f} turns a second of one process", flush=True)


def _game_left_to(name: str, level: str) -> "Game":
    from django.db import transaction

    from games.novaluna.engine import Resign
    from games.services.play import play
    from tests.play import game_of, person

    user = person(name)
    with transaction.atomic():
        game = game_of(user, bots=(level,) * 3)
        play(game.key, user, Resign(0), 1, uuid.uuid4())
    return game


def _is_over(game: "Game") -> bool:
    from tests.play import fresh

    return fresh(game).is_over


def _position_of(game: "Game") -> object:
    from tests.play import position_of

    return position_of(game)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.crowd")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    main(**vars(parser.parse_args()))
