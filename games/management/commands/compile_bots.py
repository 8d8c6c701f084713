"""`manage.py compile_bots`: compile the bots' searches, so that no worker has to."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from games.titles.bots import compile_all
from games.titles.registry import TITLES

# Loading what is compiled takes less, and is not worth a message.
SECONDS_WORTH_SAYING = 10.0


class Command(BaseCommand):
    """Compile the searches of this version of the sources, and remove other versions."""

    help = "Compile the bots' searches and store them for the workers. This is quick if nothing has changed."

    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        bots = [title.bots for title in TITLES.values()]
        new = [one.seconds_to_compile for one in bots if one.seconds_to_compile > SECONDS_WORTH_SAYING]
        if new:
            self.stdout.write(
                f"Compiling the bots' search for this version. This takes about {sum(new):.0f} seconds …"
            )
            self.stdout.flush()
        for _share in compile_all(bots):
            pass
        if new:
            self.stdout.write(f"Compiled in {time.monotonic() - began:.0f} s.")
