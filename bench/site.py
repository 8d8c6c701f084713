"""Measures the throughput of the game page and of an action against a bare view: `python -m bench.site`.

The bare view passes the same middleware and runs the same number of queries. So the difference is the work
of the site: replaying the log, the data of the board, and its template. Both views alternate in one process.
The result is the median of the ratios of all rounds, which is stable even on a busy machine. It is measured
on SQLite and on PostgreSQL, each in its own process.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.database import measure_in_a_process, new_folder, postgres, prepare
from bench.goals import report

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

WARM_UP = 3  # rounds that do not count, as the process is new
ROUNDS = 15
PAGES_A_ROUND = 15
GAMES = 5  # each on a deal of its own
ACTIONS_BEFORE = 30
WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Share:
    """The throughput of a view, and of the bare view with the same queries, in requests per second."""

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
    """Measure on SQLite, then on PostgreSQL."""
    with new_folder() as folder, postgres(folder) as url:
        measure_in_a_process("site", f"sqlite:///{folder / 'bench.sqlite3'}", folder)
        measure_in_a_process("site", url, folder)


def measure() -> None:
    """Report the share of each view on the database of the settings."""
    prepare()
    from django.db import connection
    from django.test.utils import override_settings

    with override_settings(ROOT_URLCONF="bench.urls", ALLOWED_HOSTS=["testserver"]):
        for share, goal in ((board_page(), 50), (action_post(), 60)):
            print(share)
            name = f"{share.name}, of a bare view ({connection.display_name})"
            report(name, 100 * share.ratio, "%", at_least=goal)


def board_page() -> Share:
    """Measure the pages of games after 30 actions, in turn, for the player to move."""
    from django.test import Client

    from tests.play import game_of, mover, person, play_some

    rng = random.Random(1)
    players = person("Ines"), person("Tobias")
    games = [play_some(game_of(*players), ACTIONS_BEFORE, rng) for _game in range(GAMES)]
    clients = [Client() for _game in games]
    for client, game in zip(clients, games, strict=True):
        client.force_login(mover(game))

    def load(nth: int) -> "HttpResponse":
        return clients[nth % GAMES].get(games[nth % GAMES].get_absolute_url())

    return compare("board page", load, clients[0], games[0].pk, status=200)


def action_post() -> Share:
    """Measure the request that posts an action, over whole two-player games."""
    from django.test import Client

    from tests.play import fields_of, form_of, game_of, mover, person, position_of

    game = game_of(person("Kenji"), person("Noor"))
    rng = random.Random(2)
    clients = {}
    for seat in game.seats.select_related("user"):
        clients[seat.user] = Client()
        clients[seat.user].force_login(seat.user)

    # Forms are prepared outside the measured time, so that only the work of the server counts.
    prepared: list[tuple[Client, str, dict[str, object]]] = []

    def prepare(_nth: int) -> None:
        nonlocal game
        position = position_of(game)
        if position.over:
            game = game_of(*clients)
            position = position_of(game)
        fields = fields_of(rng.choice(list(position.legal_actions)))
        prepared.append((clients[mover(game)], f"{game.get_absolute_url()}play/", form_of(game, fields)))

    def post(_nth: int) -> "HttpResponse":
        client, address, form = prepared.pop()
        return client.post(address, form)

    return compare("action post", post, next(iter(clients.values())), game.pk, status=302, prepare=prepare)


def compare(
    name: str,
    request: "Callable[[int], HttpResponse]",
    client: "Client",
    game: int,
    *,
    status: int,
    prepare: Callable[[int], None] = lambda _nth: None,
) -> Share:
    """Measure a request and the bare view alternately, with the same number of queries."""
    prepare(0)
    reads, writes = queries_of(lambda: request(0), status)
    own_reads, _none = queries_of(lambda: client.get(f"/bare/?game={game}&reads=0&writes=0"), 200)
    bare = f"/bare/?game={game}&reads={reads - own_reads}&writes={writes}"
    rates, bare_rates = [], []
    for _round in range(WARM_UP + ROUNDS):
        spent = 0.0
        for nth in range(PAGES_A_ROUND):
            prepare(nth)
            spent += seconds(lambda nth=nth: request(nth), status)
        rates.append(PAGES_A_ROUND / spent)
        bare_rates.append(
            PAGES_A_ROUND / sum(seconds(lambda: client.get(bare), 200) for _nth in range(PAGES_A_ROUND))
        )
    ratios = [rate / bare_rate for rate, bare_rate in zip(rates, bare_rates, strict=True)][WARM_UP:]
    return Share(
        name,
        reads,
        writes,
        statistics.median(rates[WARM_UP:]),
        statistics.median(bare_rates[WARM_UP:]),
        statistics.median(ratios),
    )


def queries_of(request: "Callable[[], HttpResponse]", status: int) -> tuple[int, int]:
    """Return how many reading and writing queries a request runs, without the statements of transactions."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        seconds(request, status)
    words = [query["sql"].split()[0] for query in captured.captured_queries]
    return words.count("SELECT"), sum(word in WRITES for word in words)


def seconds(request: "Callable[[], HttpResponse]", status: int) -> float:
    """Return the duration of a request in seconds. Fails if its status is not `status`."""
    start = time.perf_counter()
    response = request()
    spent = time.perf_counter() - start
    assert response.status_code == status, response.status_code
    return spent


if __name__ == "__main__":
    main()
