"""Measures pages against the board page, and what a long log or many games cost: `python -m bench.pages`.

All are ratios of medians in one process on PostgreSQL; the pages that are compared alternate.
"""

import itertools
import random
import statistics
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bench.database import measure_in_a_process, new_folder, postgres, prepare, settle
from bench.goals import report
from bench.site import queries_of, seconds

if TYPE_CHECKING:
    from bs4 import Tag
    from django.http import HttpResponse
    from django.test import Client

    from games.models import Game

    Request = Callable[[], HttpResponse]

ROUNDS = 25
SHORT, USUAL, LONG = 5, 30, 60  # actions
FEW, MANY = 10, 100  # running games of one person
OTHERS = {"players": 2_000, "results": 1_000, "games": 50_000}
SMALL = 600  # bytes
ANSWERS = 10  # the turn stays the player's after some of these actions
HTMX = {"HX-Request": "true"}
numbers = itertools.count(1)  # of the people of each game


def main() -> None:
    """Measure on PostgreSQL."""
    with new_folder() as folder, postgres(folder) as url:
        measure_in_a_process("pages", url, folder)


def measure() -> None:
    """Report all ratios on the database of the settings."""
    prepare()
    from django.core.management import call_command
    from django.test.utils import override_settings

    from games.models import Game

    call_command("seed_site", **OTHERS)
    # These games have no logs, but lists only count them.
    Game.objects.exclude(mode=Game.Mode.SOLO).update(status=Game.Status.RUNNING, to_move=0)
    settle()
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        measure_growth()
        measure_other_pages()
        measure_home()
        measure_answer()


def measure_growth() -> None:
    """Compare the page of a game after 60 actions with that after 5."""
    short, long = board_after(SHORT), board_after(LONG)
    times = medians({"short": short, "long": long})
    report(f"board page, {LONG} actions / {SHORT}: time", times["long"] / times["short"], at_most=1.15)
    report(f"board page, {LONG} actions / {SHORT}: bytes", size_of(long) / size_of(short), at_most=1.15)


def measure_other_pages() -> None:
    """Compare the other pages with the board page."""
    from django.core.cache import caches
    from django.urls import reverse

    from tests import play

    over = play.play_out(game_after(0), seed=3)
    play.review_of(over)
    running = game_after(USUAL)
    client = client_of(play.mover(running))
    paths = {
        "rules": "/rules/",
        "home": "/",
        "profile": reverse("games:person", args=[play.mover(running).username]),
        "review": reverse("games:review", args=[over.key]),
        "result": over.get_absolute_url(),
        "text mode": reverse("games:text", args=[running.key]),
        "trainer": "/trainer/",
        "ratings": "/ratings/",
        "leaderboard": "/solo/leaderboard/",
        "preview, drawn before": reverse("games:preview", args=[running.key]),
    }

    def first_preview() -> "HttpResponse":
        caches["previews"].clear()
        return client.get(paths["preview, drawn before"])

    requests = {name: get(client, path) for name, path in paths.items()}
    requests |= {
        "preview, first of a version": first_preview,
        "board": get(client, running.get_absolute_url()),
    }
    times = medians(requests)
    board = times.pop("board")
    for name, time in times.items():
        report(f"{name} / board page", time / board, at_most=2)


def measure_home() -> None:
    """Compare the home page of a person with 100 running games with that of one with 10."""
    few, many = home_with(FEW), home_with(MANY)
    times = medians({"few": few, "many": many})
    report(f"home, {MANY} running games / {FEW}: time", times["many"] / times["few"], at_most=2)
    added = sum(queries_of(many, 200)) - sum(queries_of(few, 200))
    report(f"home, {MANY} running games / {FEW}: more queries", added, at_most=0)


def measure_answer() -> None:
    """Report the largest share of an answer to an action that was on the page before, in larger elements."""
    shares = [unchanged_share() for _game in range(ANSWERS)]
    report("answer to an action: unchanged parts", 100 * max(shares), "%", at_most=0)


def unchanged_share() -> float:
    """Return which share of the answer to an action in a new game was on the page before."""
    from bs4 import BeautifulSoup

    from tests import play

    game = game_after(USUAL)
    client, path = client_of(play.mover(game)), game.get_absolute_url()
    before = str(BeautifulSoup(client.get(path).content, "html.parser"))
    form = play.form_of(game, play.legal_fields(game))
    answer = client.post(f"{path}play/", form, headers=HTMX)
    assert answer.status_code == 200, answer.status_code
    same = bytes_on(before, BeautifulSoup(answer.content, "html.parser"))
    print(f"answer to an action: {len(answer.content)} bytes before compression")
    return same / len(answer.content)


def bytes_on(page: str, part: "Tag") -> int:
    """Return how many bytes of the elements in `part` are on a page already; small elements do not count."""
    same = 0
    for element in part.find_all(True, recursive=False):
        written = str(element)
        if len(written) < SMALL:
            continue
        same += len(written.encode()) if written in page else bytes_on(page, element)
    return same


def board_after(actions: int) -> "Request":
    """Return a request for the page of a game for the player to move."""
    from tests.play import mover

    game = game_after(actions)
    return get(client_of(mover(game)), game.get_absolute_url())


def home_with(games: int) -> "Request":
    """Return a request for the home page of a person who is in so many running games with a clock."""
    from games.services import tables
    from tests import play

    opener = play.person(f"Home{games}")
    guest = play.person(f"Guest{games}")
    for nth in range(games):
        game = tables.open_table(opener, tables.TableOptions(2, is_public=True, pace="day"))
        tables.join(game.key, guest)
        play.play_some(play.fresh(game), 6 + nth % 4)
    return get(client_of(opener), "/")


def game_after(actions: int) -> "Game":
    """Return a game of two people after random actions. It has not ended."""
    from tests import play

    number = next(numbers)
    people = play.person(f"Ines{number}"), play.person(f"Tobias{number}")
    for seed in range(100):
        game = play.game_of(*people)
        rng = random.Random(seed)
        position, chosen = play.position_of(game), []
        while len(chosen) < actions and not position.over:
            chosen.append(rng.choice(list(position.legal_actions)))
            position = position.apply(chosen[-1]).position
        if not position.over:
            return play.play_all(game, chosen)
    raise AssertionError("No game is long enough.")


def client_of(user: object) -> "Client":
    """Return a client that is logged in."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client


def get(client: "Client", path: str) -> "Request":
    """Return a request for a page."""
    return lambda: client.get(path)


def medians(requests: "Mapping[str, Request]") -> dict[str, float]:
    """Return the median duration of each request in seconds; they alternate."""
    durations: dict[str, list[float]] = {name: [] for name in requests}
    for _round in range(ROUNDS):
        for name, request in requests.items():
            durations[name].append(seconds(request, 200))
    return {name: statistics.median(times) for name, times in durations.items()}


def size_of(request: "Request") -> int:
    """Return the bytes of a page before compression."""
    return len(request().content)


if __name__ == "__main__":
    main()
