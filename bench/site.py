"""How much of a bare Django view's throughput the board page and the move post reach: `python -m bench.site`.

The bare view passes the same middleware and runs as many queries, so what is left is our own work: replaying
the log, the board's data, its template. Both take turns in one process; printed is the median of the
rounds' ratios, which holds on a busy machine too. Measured on SQLite and on PostgreSQL, one process each.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.plugins.postgres import Postgres

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

ROUNDS = 7
PAGES_A_ROUND = 15
ACTIONS_BEFORE = 30
WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Share:
    """A view's throughput, in requests a second, beside that of the bare view with as many queries."""

    name: str
    reads: int
    writes: int
    rate: float
    bare_rate: float
    ratio: float

    def __str__(self) -> str:
        queries = f"{self.reads} reads, {self.writes} writes"
        rates = f"{self.rate:7.0f}/s   bare{self.bare_rate:7.0f}/s   {self.ratio:6.1%}"
        return f"{self.name:<12}{queries:<20}{rates}"


def main() -> None:
    """Measure on one database after another."""
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        print("SQLite", flush=True)
        measure_in_a_process(f"sqlite:///{folder / 'bench.sqlite3'}", folder / "data")
        postgres = Postgres(folder)
        try:
            print("PostgreSQL", flush=True)
            measure_in_a_process(postgres.url, folder / "data")
        finally:
            postgres.stop()


def measure_in_a_process(database: str, data: Path) -> None:
    """Measure on a database of its own, with settings of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
        "DATABASE_URL": database,
        "NOVALUNA_DATA": str(data),
    }
    command = [sys.executable, "-c", "from bench import site; site.measure()"]
    subprocess.run(command, env=environment, check=True)


def measure() -> None:
    """Print what the views reach on the database that the settings name, and fill it."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import override_settings

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    with override_settings(ROOT_URLCONF="bench.urls", ALLOWED_HOSTS=["testserver"]):
        for share in (board_page(), move_post()):
            print(share)


def board_page() -> Share:
    """Measure the page of a game after 30 actions, as its player to move gets it."""
    from django.test import Client

    from tests.play import fresh, game_of, mover, person, play_one

    game = game_of(person("Ines"), person("Tobias"))
    rng = random.Random(1)
    for _action in range(ACTIONS_BEFORE):
        play_one(game, rng)
    client = Client()
    client.force_login(mover(game))
    page = game.get_absolute_url()
    return compare("board page", lambda _nth: client.get(page), client, fresh(game).pk, status=200)


def move_post() -> Share:
    """Measure the posts of whole two-player games, each action as its player posts it."""
    from django.test import Client

    from tests.play import form_of, game_of, mover, person, position_of

    game = game_of(person("Kenji"), person("Noor"))
    rng = random.Random(2)
    clients = {}
    for seat in game.seats.select_related("user"):
        clients[seat.user] = Client()
        clients[seat.user].force_login(seat.user)

    # Forms are made beforehand: a post costs what the server does with it.
    prepared: list[tuple[Client, str, dict[str, object]]] = []

    def prepare(_nth: int) -> None:
        nonlocal game
        position = position_of(game)
        if position.over:
            game = game_of(*clients)
            position = position_of(game)
        wish = fields_of(rng.choice(list(position.legal_actions)))
        prepared.append((clients[mover(game)], f"{game.get_absolute_url()}play/", form_of(game, wish)))

    def post(_nth: int) -> "HttpResponse":
        client, address, form = prepared.pop()
        return client.post(address, form)

    return compare("move post", post, next(iter(clients.values())), game.pk, status=302, prepare=prepare)


def compare(
    name: str,
    request: "Callable[[int], HttpResponse]",
    client: "Client",
    game: int,
    *,
    status: int,
    prepare: Callable[[int], None] = lambda _nth: None,
) -> Share:
    """Time a request and the bare view with as many queries in turn."""
    prepare(0)
    reads, writes = queries_of(lambda: request(0), status)
    own_reads, _none = queries_of(lambda: client.get(f"/bare/?game={game}&reads=0&writes=0"), 200)
    bare = f"/bare/?game={game}&reads={reads - own_reads}&writes={writes}"
    rates, bare_rates = [], []
    for _round in range(ROUNDS):
        spent = 0.0
        for nth in range(PAGES_A_ROUND):
            prepare(nth)
            spent += seconds(lambda nth=nth: request(nth), status)
        rates.append(PAGES_A_ROUND / spent)
        bare_rates.append(
            PAGES_A_ROUND / sum(seconds(lambda: client.get(bare), 200) for _nth in range(PAGES_A_ROUND))
        )
    ratios = [rate / bare_rate for rate, bare_rate in zip(rates, bare_rates, strict=True)]
    return Share(
        name,
        reads,
        writes,
        statistics.median(rates),
        statistics.median(bare_rates),
        statistics.median(ratios),
    )


def queries_of(request: "Callable[[], HttpResponse]", status: int) -> tuple[int, int]:
    """Return how many rows of queries a request reads and writes, the transaction's own statements aside."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        seconds(request, status)
    words = [query["sql"].split()[0] for query in captured.captured_queries]
    return words.count("SELECT"), sum(word in WRITES for word in words)


def seconds(request: "Callable[[], HttpResponse]", status: int) -> float:
    """Return how long a request takes, and make sure that it does what is measured."""
    begin = time.perf_counter()
    response = request()
    spent = time.perf_counter() - begin
    assert response.status_code == status, response.status_code
    return spent


if __name__ == "__main__":
    main()
