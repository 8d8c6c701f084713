"""A TCP proxy that can swallow what it gets, both ways, without closing a connection, as a tunnel does."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class SwallowingProxy:
    """Passes bytes on to the port `target` of this machine. Use `running`."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._flows: list[threading.Event] = []  # one for each connection; set while it passes bytes on
        self._threads: list[threading.Thread] = []
        self._swallows_new = False
        self._start(self._accept)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def swallow(self, *, also_new: bool = True) -> None:
        """Pass no byte on from now on: on the open connections, and on new ones too unless told otherwise."""
        self._swallows_new = also_new
        for flow in self._flows:
            flow.clear()

    def pass_on(self) -> None:
        """Pass the bytes of new connections on again. The open ones stay dead."""
        self._swallows_new = False

    def end(self) -> None:
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        for one in (self._listener, *self._sockets):
            one.close()

    def _start(self, work: Callable[..., None], *args: object) -> None:
        self._threads.append(threading.Thread(target=work, args=args, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                visitor, _address = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                flow = threading.Event()
                if not self._swallows_new:
                    flow.set()
                self._sockets += visitor, server
                self._flows.append(flow)
                self._start(_pump, visitor, server, flow)
                self._start(_pump, server, visitor, flow)


def _pump(source: socket.socket, target: socket.socket, flow: threading.Event) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            if flow.is_set():
                target.sendall(data)
        if flow.is_set():  # Otherwise not even the end of the connection is passed on.
            target.shutdown(socket.SHUT_WR)


@contextmanager
def running(target: int) -> Iterator[SwallowingProxy]:
    """Run a proxy to a port of this machine until the context ends."""
    proxy = SwallowingProxy(target)
    try:
        yield proxy
    finally:
        proxy.end()
