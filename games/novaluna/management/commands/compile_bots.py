"""`manage.py compile_bots`: compile the bots' search, so that no worker has to."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from games.novaluna.bots.search import numba_cache


class Command(BaseCommand):
    """Compile the search of this version of the sources, and remove other versions."""

    help = "Compile the bots' search and store it for the workers. This is quick if nothing has changed."

    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        is_new = not numba_cache.has_compiled()
        if is_new:
            self.stdout.write("Compiling the bots' search for this version. This takes about half a minute …")
            self.stdout.flush()
        for _share in numba_cache.compile_search():
            pass
        if is_new:
            self.stdout.write(f"Compiled in {time.monotonic() - began:.0f} s.")
