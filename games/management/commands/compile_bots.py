"""Compiles the search of the bots, so that no worker has to."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from novaluna_site import numba_cache


class Command(BaseCommand):
    help = "Compile the bots' search and keep it for the workers. Quick when nothing has changed."

    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        is_new = not any(settings.COMPILED_DIR.glob("*/*.nbi"))
        if is_new:
            self.stdout.write("Compiling the bots' search, once for this version: about half a minute …")
            self.stdout.flush()
        # Imported here: by being imported, numba learns where to look.
        from games.bots import warm_up

        warm_up()
        numba_cache.remove_others(settings.COMPILED_DIR)
        if is_new:
            self.stdout.write(f"Compiled in {time.monotonic() - began:.0f} s.")
