"""Measures how pages with standings slow down with many results: `python -m bench.standings`.

Each page is requested on a small site and on a large one, on PostgreSQL in one run. It alternates with a page
that shows no results, whose duration is the measure for the others: the load of the machine changes between
the two sites. The ratio of the medians should be below 2.
"""

import statistics
from typing import TYPE_CHECKING

from bench.database import measure_in_a_process, new_folder, postgres, prepare, settle
from bench.goals import report
from bench.site import seconds

if TYPE_CHECKING:
    from django.test import Client

ROUNDS = 21
MEASURE = "/learn/"
SMALL = {"players": 200, "results": 1_000, "games": 500}
LARGE = {"players": 20_000, "results": 100_000, "games": 50_000}
BOARD = "/solo/leaderboard/"
# Pages that are full on both sites: half a page takes half as long.
PAGES = (
    f"{BOARD}?page=180",
    BOARD,
    f"{BOARD}?page=99999",
    f"{BOARD}?measure=average",
    f"{BOARD}?period=day",
    f"{BOARD}?period=month",
    "/solo/",
    "/ratings/",
    "/ratings/?page=99999",
    f"{BOARD}?people=followed",
    f"{BOARD}?kind=daily",
    f"{BOARD}?kind=daily&period=day",
    f"{BOARD}?kind=daily&people=followed",
    "/daily/",
    "/people/Player-11/",
    "/people/Player-1/",
)


# Pages of games with logs, which the seeds do not have: of another player, by name.
FREE_END, DAILY_END, TRAINER = "the end of a free solo game", "the end of a daily game", "/trainer/"
OWN_PAGES = (FREE_END, DAILY_END, TRAINER)
TRAINED = 10  # positions


def main() -> None:
    """Measure on PostgreSQL."""
    with new_folder() as folder, postgres(folder) as url:
        measure_in_a_process("standings", url, folder)


def measure() -> None:
    """Fill the database of the settings twice, and report the ratio of each page."""
    prepare()
    from django.core.management import call_command
    from django.test.utils import override_settings

    with override_settings(ALLOWED_HOSTS=["testserver"]):
        before = medians(SMALL)
        call_command("flush", verbosity=0, interactive=False)
        after = medians(LARGE)
    for page in (*PAGES, *OWN_PAGES):
        small, large = before[page], after[page]
        print(f"{page}: {small:.2f} and {large:.2f} times the duration of {MEASURE}")
        report(f"{page}, 100,000 results / 1,000", large / small, at_most=2)


def medians(size: dict[str, int]) -> dict[str, float]:
    """Fill the database; return the median duration of each page for a player, as a multiple of MEASURE."""
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User

    call_command("seed_site", **size)
    client, visitor = Client(), Client()
    client.force_login(User.objects.get(username="Player-1"))
    loads = {page: (client, page) for page in PAGES} | own_pages()
    settle()
    durations: dict[str, list[float]] = {page: [] for page in loads}
    for _round in range(ROUNDS):
        for page, (viewer, path) in loads.items():
            measure = seconds(lambda: visitor.get(MEASURE), 200)
            load = seconds(lambda viewer=viewer, path=path: viewer.get(path), 200)
            durations[page].append(load / measure)
    return {page: statistics.median(times) for page, times in durations.items()}


def own_pages() -> "dict[str, tuple[Client, str]]":
    """Play a free game and the deal of today; return a client of their player and a path for each page."""
    from django.test import Client

    from games.models import TrainingPosition, today
    from games.services.solo import daily
    from tests.play import fresh, person, play_out, solo_of

    player, client = person("Ines"), Client()
    client.force_login(player)
    free, attempt = play_out(solo_of(player)), play_out(fresh(daily.begin(player, today())))
    TrainingPosition.objects.bulk_create(
        TrainingPosition(user=player, game=free, number=number, cost=2.0, judgement={}, due_on=today())
        for number in range(1, TRAINED + 1)
    )
    paths = {FREE_END: free.get_absolute_url(), DAILY_END: attempt.get_absolute_url(), TRAINER: TRAINER}
    return {page: (client, path) for page, path in paths.items()}


if __name__ == "__main__":
    main()
