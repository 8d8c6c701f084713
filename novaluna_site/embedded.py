"""The whole site in one process: an ASGI server, two Celery workers and beat, on loopback.

The queues are in memory and end with the process. What was due is in the database, where the sweep finds it.
"""

import logging
import socket
import threading
from collections.abc import Callable

import uvicorn
from celery.beat import Service
from celery.worker import WorkController

from games import live
from novaluna_site.celery import app

HOST = "127.0.0.1"
PORTS = range(8000, 8100)
QUEUES = ("default", "bots")
GRACE = 1  # second for open pages to end their streams
LAST_TASK = 2.0  # seconds for a task that is under way


class Server(uvicorn.Server):
    """An ASGI server that says when it answers, and ends the streams of open pages when it ends."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        live.end()
        await super().shutdown(sockets)


def listen(port: int | None) -> socket.socket:
    """Return a listening socket on loopback: on `port`, or without one on 8000 or the next that is free.

    Raises OSError if there is none, with the reason in words as its only argument.
    """
    reason = None
    for candidate in PORTS if port is None else [port]:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, candidate))
            # At once: of two sites started together, both may bind a port that nobody listens on yet.
            listener.listen()
        except OSError as error:
            listener.close()
            reason = error.strerror
        else:
            return listener
    raise OSError(f"Port {port}: {reason}." if port else f"No port from {PORTS[0]} to {PORTS[-1]} is free.")


def serve(listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve the site until Ctrl-C or SIGTERM, then end everything.

    uvicorn raises the signal that ended it once more when it is done.
    """
    from novaluna_site.asgi import application

    # Celery warns of each worker that is told to end.
    logging.getLogger("celery.worker.control").setLevel(logging.ERROR)
    threads = [_start_worker(queue) for queue in QUEUES]
    beat = Service(app, scheduler_cls="celery.beat:Scheduler", remote_control=False)
    threading.Thread(target=beat.start, name="beat", daemon=True).start()
    app.send_task("games.sweep")
    config = uvicorn.Config(application, lifespan="off", log_level="warning", timeout_graceful_shutdown=GRACE)
    try:
        Server(config, on_ready).run(sockets=[listener])
    finally:
        beat.stop()
        app.control.shutdown()
        for thread in threads:
            thread.join(LAST_TASK)


def _start_worker(queue: str) -> threading.Thread:
    """Start a Celery worker for one queue, and return when it consumes.

    Which queues to consume is the application's setting, taken up when a worker is ready: one after another.
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
        raise RuntimeError(f"The worker for the queue {queue} does not start.")
    return thread
