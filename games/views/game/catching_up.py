"""The boards between the one that a page shows and the newest one, which it shows one after another."""

import re
from copy import copy

from django.http import HttpResponse

from games.http import SiteRequest, wants_partial
from games.live import MOST_BETWEEN
from games.models import Game
from games.views.game.show import show, show_between

# Between two boards of one response. js/live.js splits it there.
NEXT_BOARD = "<!-- next board -->"
SHOWN = re.compile(r"[0-9]{1,5}")


def boards_between(request: SiteRequest, game: Game, since: int | None) -> tuple[str, ...]:
    """Return the part of the page after each action that a page has missed, except for the newest one.

    The page shows the live version `since` of the game. If it has missed too much, it gets only the newest
    board. After other changes than actions, it may get a board that it has already.
    """
    if since is None or since < 0 or game.is_open:
        return ()
    count = game.live_version - since - 1
    if not 0 < count <= min(MOST_BETWEEN, game.version - 1):
        return ()
    numbers = range(game.version - count, game.version)
    return tuple(show_between(request, _after(game, number)).content.decode() for number in numbers)


def show_with_boards_between(request: SiteRequest, game: Game) -> HttpResponse:
    """Show the game as it is now; before it the boards between, if the page says which version it shows."""
    response = show(request, game)
    since = request.headers.get("X-Shows", "")
    is_plain = wants_partial(request) and not request.GET
    if is_plain and SHOWN.fullmatch(since) and (between := boards_between(request, game, int(since))):
        response.content = NEXT_BOARD.join([*between, response.content.decode()])
    return response


def _after(game: Game, number: int) -> Game:
    """Return a game as it was after an action, when it went on."""
    then = copy(game)
    then.version, then.status = number, Game.Status.RUNNING
    return then
