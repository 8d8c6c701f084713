"""Serves the whole site from one process, with nothing to install or set."""

import os
import signal
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Serve the whole site on this machine: pages, bots, mails and clocks in one process, on SQLite."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=int, help="the port to serve on (default: 8000, or the next free one)"
        )

    def handle(self, *args: Any, port: int | None, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError(
                "REDIS_URL is set: this command is for the site in one process, without Redis. "
                "Unset it, or start the processes named in the README under “Deploy”."
            )
        if port is not None and port not in range(1, 1 << 16):
            raise CommandError(f"There is no port {port}: choose one from 1 to 65535.")
        # Imported here: Celery's worker is none of any other command's business.
        from novaluna_site import embedded

        try:
            listener = embedded.listen(port)
        except OSError as error:
            raise CommandError(f"{error} Choose another one: make play PORT=8123") from error
        address = "http://{}:{}".format(*listener.getsockname())
        if "SITE_URL" not in os.environ:
            settings.SITE_URL = address
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            call_command("migrate", verbosity=0, interactive=False)
            call_command("collectstatic", verbosity=0, interactive=False)
            call_command("compile_bots")
            embedded.serve(listener, lambda: self._announce(address))
        self.stdout.write("\nStopped. Everything is kept for the next time.")

    def _announce(self, address: str) -> None:
        self.stdout.write(f"Nova Luna is at {address} — stop it with Ctrl-C.")
        self.stdout.flush()
