"""What one request and one mail cost a process: queries, and its processor time."""

import gc
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.pages import HTMX, client_of, game_after
from bench.site import queries_of

if TYPE_CHECKING:
    from games.models import Game, Notification

ROUNDS = 30
MAILS = 12
LATE = 60  # actions
GAMES_OF_EACH_AGE = 6
ACTIONS_OF_EACH_GAME = 3


def costs() -> dict[str, float]:
    """Return all costs by name, in milliseconds where they are times."""
    from django.test.utils import override_settings

    with override_settings(ROOT_URLCONF="bench.urls", ALLOWED_HOSTS=["testserver"]):
        return {**_page_costs(), **_post_costs(), "mail": _mail_cost()}


def _page_costs() -> dict[str, float]:
    from tests.play import mover

    game = game_after(30)
    client = client_of(mover(game))
    address, bare = game.get_absolute_url(), f"/bare/?game={game.pk}&reads=0&writes=0"

    def page() -> Any:
        return client.get(address)

    times: dict[str, list[float]] = {address: [], bare: []}
    for _round in range(ROUNDS):
        for path, spent in times.items():
            spent.append(milliseconds(partial(client.get, path)))
    reads, _writes = queries_of(page, 200)
    board_page, bare_page = (statistics.median(spent) for spent in times.values())
    return {"board page": board_page, "bare page": bare_page, "board page reads": reads}


def _post_costs() -> dict[str, float]:
    """Return the queries of an action post by htmx, and what it takes at the start of a game and late."""
    from tests import play

    times: dict[int, list[float]] = {0: [], LATE: []}
    counts = []
    games = [(age, game_after(age)) for _game in range(GAMES_OF_EACH_AGE) for age in times]
    for nth in range(ACTIONS_OF_EACH_GAME):
        for age, game in games:
            if play.fresh(game).is_over:
                continue  # Such late moves end some games.
            post = post_of(game)
            if nth == 0 and age:
                counts.append(queries_of(post, 200))
            else:
                times[age].append(milliseconds(post))
    reads, writes = (statistics.median(values) for values in zip(*counts, strict=True))
    first, late = statistics.median(times[0]), statistics.median(times[LATE])
    return {"post reads": reads, "post writes": writes, "first post": first, "late post": late}


def post_of(game: "Game") -> "Callable[[], Any]":
    """Return what posts a legal action of the player to move, as a page does."""
    from tests import play

    client, form = client_of(play.mover(game)), play.form_of(game, play.legal_fields(game))
    # The first request of a client loads the middleware.
    client.get(f"/bare/?game={game.pk}&reads=0&writes=0")
    return lambda: client.post(f"{game.get_absolute_url()}play/", form, headers=HTMX)


def _mail_cost() -> float:
    """Return what the mail of a turn takes, whose picture nobody has drawn."""
    from django.core.cache import caches
    from django.test.utils import override_settings

    from games.notifications.delivery import deliver

    spent = []
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        for notification in [turn_mail(game_after(30)) for _mail in range(MAILS)]:
            caches["previews"].clear()
            spent.append(milliseconds(partial(deliver, notification.pk)))
            notification.refresh_from_db()
            assert notification.sent_at, notification.why_dropped
    return statistics.median(spent[2:])


def turn_mail(game: "Game") -> "Notification":
    """Return the notification about a turn that is due now, for a player who has no page open."""
    from django.db import transaction
    from django.utils import timezone

    from games.models import Notification
    from games.services.notifications import owe_turn
    from tests import play

    game.seats.update(seen_at=None)
    Notification.objects.filter(game=game).delete()
    with transaction.atomic():
        owe_turn(play.fresh(game), play.mover(game))
    mails = Notification.objects.filter(game=game)
    mails.update(due_at=timezone.now() - timedelta(seconds=1))
    return mails.get()


def milliseconds(work: "Callable[[], Any]") -> float:
    """Return the processor time of this process for some work."""
    gc.collect()
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
