"""The whole site in one process: an ASGI server, five Celery workers and beat, on loopback.

Searches run in a second process, because pages must not wait until the search is compiled. The queues are in
memory and are lost when the site ends. The sweep finds unfinished work in the database.
"""

import logging
import socket
import threading
from collections.abc import Callable, Sequence
from functools import partial

import uvicorn
from celery.beat import Service
from celery.worker import WorkController

from games import live, search_process
from games.models import SitePart
from games.services import bots
from games.titles.bots import compile_all
from games.titles.registry import TITLES
from novaluna_site import parts
from novaluna_site.celery import app
from novaluna_site.task_queues import QUEUES

HOST = "127.0.0.1"
PORTS = range(8000, 8100)
MOST_CONNECTIONS = 200  # less than the number of files that any system lets a process open
STREAMS_END_WITHIN = 1  # second
TASKS_END_WITHIN = 2.0  # seconds, for each worker


class PortTaken(Exception):
    """The site cannot listen. The only argument says why, and what to do."""


class PartEnded(Exception):
    """A worker or beat has ended because of an error. The only argument says so, and what to do."""


class Server(uvicorn.Server):
    """An ASGI server that stops when one of the `parts` of the site has ended.

    It calls `on_ready` when it accepts requests, and closes streams when it stops.
    """

    def __init__(
        self, config: uvicorn.Config, parts: Sequence[threading.Thread], on_ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._parts = parts
        self._on_ready = on_ready

    @property
    def ended_part(self) -> str | None:
        """The name of a worker or beat that has ended; None while all are running."""
        return next((part.name for part in self._parts if not part.is_alive()), None)

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop. Uvicorn calls this ten times a second."""
        return self.ended_part is not None or await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        live.close_all()
        await super().shutdown(sockets)


def listen(port: int | None) -> socket.socket:
    """Return a listening socket on loopback: on `port`, or if it is None on the first free port of `PORTS`.

    Raises PortTaken if the port, or every port, is taken.
    """
    reason = None
    for candidate in PORTS if port is None else [port]:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, candidate))
            # Listen immediately, because two sites can both bind a port until one of them listens.
            listener.listen()
        except OSError as error:
            listener.close()
            reason = error.strerror
        else:
            return listener
    why = f"Port {port}: {reason}." if port else f"No port from {PORTS[0]} to {PORTS[-1]} is free."
    raise PortTaken(f"{why} Choose another port: make play PORT=8123")


def serve(listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve the site until Ctrl-C or SIGTERM, then stop the workers and beat.

    After it has stopped, uvicorn raises the signal again. Raises PartEnded if a worker or beat has ended,
    because then nothing plays for bots or sends emails.
    """
    parts.start(*SitePart.Name.values)  # Before a page shows a clock.
    from novaluna_site.asgi import application

    # Without this, Celery logs a warning for each worker that is shut down.
    logging.getLogger("celery.worker.control").setLevel(logging.ERROR)
    bots.forget_queued_turns()
    # If a worker ends, the whole site ends. The sweep and the pages note themselves that they work.
    parts.keep_renewed(SitePart.Name.MAILS, SitePart.Name.QUICK)
    all_bots = [title.bots for title in TITLES.values()]
    search = search_process.start(
        partial(compile_all, all_bots), expected=sum(bots.seconds_to_compile for bots in all_bots)
    )
    threads = [_start_worker(queue) for queue in QUEUES]
    beat = Service(app, scheduler_cls="novaluna_site.beat:Scheduler", remote_control=False)
    threads.append(threading.Thread(target=beat.start, name="beat", daemon=True))
    threads[-1].start()
    app.send_task("games.sweep")
    app.send_task("games.prune")  # Now, because this site may not be running at the time of the schedule.
    config = uvicorn.Config(
        application,
        lifespan="off",
        log_level="warning",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=STREAMS_END_WITHIN,
    )
    server = Server(config, threads, on_ready)
    try:
        server.run(sockets=[listener])
        ended = server.ended_part
    finally:
        search.stop()
        beat.stop()
        app.control.shutdown()
        for thread in threads:
            thread.join(TASKS_END_WITHIN)
    if ended:
        raise PartEnded(
            f"The site has stopped, because its part {ended} ended with an error. All games and accounts are "
            "saved. Start it again: make play"
        )


def _start_worker(queue: str) -> threading.Thread:
    """Start a Celery worker for one queue; return its thread when it accepts tasks.

    Start only one worker at a time: the queues are a setting of the application, which each worker reads
    just before it is ready. Raises RuntimeError if the worker is not ready within 30 seconds.
    """
    ready = threading.Event()
    worker = WorkController(
        app=app,
        hostname=f"{queue}@embedded",
        pool="solo",
        concurrency=1,
        queues=queue,
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,
        ready_callback=lambda _consumer: ready.set(),
    )
    thread = threading.Thread(target=worker.start, name=f"worker-{queue}", daemon=True)
    thread.start()
    if not ready.wait(30):
        raise RuntimeError(f"The worker for the queue {queue} did not start.")
    return thread
