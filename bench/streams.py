"""Measures many open pages on one process for streams, as in production: `python -m bench.streams`.

All pages show one game, on PostgreSQL and with Redis. The results are the memory and the threads of the
process, and how long an update takes from its publication until the last page has it.
"""

import asyncio
import resource
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from bench import proc
from bench.database import measure_in_a_process, new_folder, postgres, prepare
from tests.plugins.children import free_port, start, stop
from tests.plugins.redis import Redis
from tests.waiting import wait_until

PAGES = (500, 2000)
OPENED_AT_ONCE = 50
UPDATES = 7

Reader = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def main() -> None:
    """Measure on PostgreSQL and with Redis."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # Each page is one open file.
    with new_folder() as folder, postgres(folder) as url:
        redis = Redis(folder)
        try:
            measure_in_a_process(
                "streams",
                url,
                folder,
                REDIS_URL=redis.url(0),
                COMPRESS_STATIC="0",
                STREAMS_PER_ADDRESS=str(max(PAGES)),
            )
        finally:
            redis.stop()


def measure() -> None:
    """Print what each number of open pages needs."""
    prepare()
    from tests.play import game_of, person

    game = game_of(person("Ines"), person("Tobias"))
    for count in PAGES:
        with server() as (address, pid):
            asyncio.run(measure_pages(address, pid, game.key, count))


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """Run the process for streams; yield its address and its process id."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "novaluna_site.asgi:application", "--port", str(port)]
    process = start([*command, "--lifespan=off", "--log-level=warning", "--timeout-graceful-shutdown=1"])
    try:
        wait_until(lambda: is_listening(port), "the process for streams")
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        stop(process)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def measure_pages(address: str, pid: int, key: str, count: int) -> None:
    """Open pages of one game, publish updates, and print what it took."""
    from games import live

    before, limit = proc.memory(pid), asyncio.Semaphore(OPENED_AT_ONCE)
    start = time.perf_counter()
    pages = await asyncio.gather(*(open_page(address, key, limit) for _page in range(count)))
    opened = time.perf_counter() - start
    delays = []
    for version in range(1, 1 + UPDATES):
        start = time.perf_counter()
        waiting = asyncio.gather(*(wait_for(page, b"data: %d\n" % version) for page in pages))
        await asyncio.to_thread(live.publish, key, version)
        await waiting
        delays.append(1000 * (time.perf_counter() - start))
    now, threads = proc.memory(pid), proc.threads(pid)
    print(
        f"{count:5} pages   opened in {opened:4.1f} s   RSS {before.resident:.0f} to {now.resident:.0f} MB "
        f"(at most {now.most:.0f})   {threads} threads   "
        f"update to all in {statistics.median(delays):.0f} ms (at most {max(delays):.0f})",
        flush=True,
    )
    for _reader, writer in pages:
        writer.close()


async def open_page(address: str, key: str, limit: asyncio.Semaphore) -> Reader:
    """Open the stream of a game, and return it after its first event."""
    parts = urlsplit(address)
    async with limit:
        page = await asyncio.open_connection(parts.hostname, parts.port)
        page[1].write(f"GET /g/{key}/stream/ HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        await wait_for(page, b"data: 0\n")
    return page


async def wait_for(page: Reader, line: bytes) -> None:
    """Read a stream up to this line. Fails if the stream ends before."""
    while (read := await page[0].readline()) != line:
        assert read, "the stream has ended"


if __name__ == "__main__":
    main()
