"""Measures how pages with standings slow down with many results: `python -m bench.standings`.

Each page is requested on a small site and on a large one, on PostgreSQL in one run. It alternates with a page
that shows no results, whose duration is the measure for the others: the load of the machine changes between
the two sites. The ratio of the medians should be below 2.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.site import seconds
from tests.plugins.postgres import Postgres

ROUNDS = 21
MEASURE = "/learn/"
SMALL = {"players": 200, "results": 1_000, "games": 500}
LARGE = {"players": 20_000, "results": 100_000, "games": 50_000}
BOARD = "/solo/leaderboard/"
PAGES = (
    BOARD,
    f"{BOARD}?page=99999",
    f"{BOARD}?measure=average",
    f"{BOARD}?period=day",
    f"{BOARD}?period=week&page=99999",
    "/solo/",
    "/ratings/",
    "/ratings/?page=99999",
    f"{BOARD}?people=followed",
    "/people/Player-11/",
    "/people/Player-1/",
)


def main() -> None:
    """Measure in a new process, because settings are read once for each process."""
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user.
        postgres = Postgres(folder)
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        environment |= {
            "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
            "DATABASE_URL": postgres.url,
            "NOVALUNA_DATA": str(folder / "data"),
        }
        command = [sys.executable, "-c", "from bench import standings; standings.measure()"]
        try:
            subprocess.run(command, env=environment, check=True)
        finally:
            postgres.stop()


def measure() -> None:
    """Migrate the database of the settings, fill it twice, and print the ratio of each page."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import override_settings

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        before = medians(SMALL)
        call_command("flush", verbosity=0, interactive=False)
        after = medians(LARGE)
    print(f"{'times the duration of ' + MEASURE:<42}{'small':>8}{'large':>8}{'ratio':>8}")
    for page in PAGES:
        small, large = before[page], after[page]
        print(f"{page:<42}{small:8.2f}{large:8.2f}{large / small:8.2f}")


def medians(size: dict[str, int]) -> dict[str, float]:
    """Fill the database; return the median duration of each page for a player, as a multiple of MEASURE."""
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User

    call_command("seed_site", **size)
    client, visitor = Client(), Client()
    client.force_login(User.objects.get(username="Player-1"))
    durations: dict[str, list[float]] = {page: [] for page in PAGES}
    for _round in range(ROUNDS):
        for page in PAGES:
            measure = seconds(lambda: visitor.get(MEASURE), 200)
            durations[page].append(seconds(lambda page=page: client.get(page), 200) / measure)
    return {page: statistics.median(times) for page, times in durations.items()}


if __name__ == "__main__":
    main()
