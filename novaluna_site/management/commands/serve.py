"""Serves the whole site from one process, without other servers or settings."""

import os
import signal
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Serve the whole site on this machine: pages, bots and emails in one process, with SQLite."
    # The checks open the cache of previews, which fails in a folder that `prepared` refuses with a reason.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=int, help="port to serve on (default: 8000, or the next free port)"
        )

    def handle(self, *args: Any, port: int | None, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError(
                "REDIS_URL is set, but this command serves the site in one process, without Redis. "
                "Unset it, or start the processes that docs/deployment.md lists."
            )
        if port is not None and port not in range(1, 1 << 16):
            raise CommandError(f"There is no port {port}. Choose a port from 1 to 65535.")
        # Imported here, so that other commands do not load Celery's worker.
        from novaluna_site import embedded, start

        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with suppress(KeyboardInterrupt), start.prepared():
                listener = embedded.listen(port)
                address = "http://{}:{}".format(*listener.getsockname())
                if "SITE_URL" not in os.environ:
                    settings.SITE_URL = address
                embedded.serve(listener, lambda: self._announce(address))
        except (embedded.PortTaken, embedded.PartEnded, start.CannotStart) as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\nStopped. All games and accounts are saved.")

    def _announce(self, address: str) -> None:
        self.stdout.write(f"{settings.SITE_NAME} is at {address} — press Ctrl-C to stop it.")
        self.stdout.flush()
