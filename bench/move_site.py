"""One site on which `bench.moves` plays: its games, its open pages, and what it measures when it is asked.

The process runs in the folder of the program that it measures. It reads one command a line, and answers with
one line of JSON.
"""

import asyncio
import json
import random
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.database import prepare, settle
from bench.move_pages import Page, Web, close_all, open_all, play_move
from bench.move_servers import Servers
from bench.pages import client_of

if TYPE_CHECKING:
    from games.models import Game

ACTIVE = 20  # games in which somebody plays
IDLE = 80  # games whose pages are only open
ACTIONS_BEFORE = 6
MOVES_A_ROUND = 3  # of each game


@dataclass
class Played:
    """An active game with its two pages by seat, and the position after its actions."""

    pages: list[Page]
    position: Any
    number: int
    changes: int


class Site:
    """The games and pages of a site whose servers run."""

    def __init__(self) -> None:
        prepare()
        self.rng = random.Random(1)
        active = [self._game(f"Active{nth}", ACTIONS_BEFORE) for nth in range(ACTIVE)]
        idle = [self._game(f"Idle{nth}", 0) for nth in range(IDLE)]
        settle()
        self.servers = Servers()
        self.web = Web(self.servers.pages_port)
        self.played = [self._played(game) for game in active]
        self.idle = [page for game in idle for page in self._pages_of(game, loads=False)]
        self.open: list[Page] = []

    def _game(self, name: str, actions: int) -> "Game":
        from tests import play

        people = play.person(f"{name}a"), play.person(f"{name}b")
        game = play.game_of(*people)
        return play.play_some(game, actions, self.rng) if actions else game

    def _pages_of(self, game: "Game", *, loads: bool) -> list[Page]:
        seats = game.seats.select_related("user").order_by("number")
        cookies = [client_of(seat.user).cookies["sessionid"].value for seat in seats]
        port = self.servers.streams_port
        return [Page(self.web, port, game.key, f"sessionid={cookie}", loads=loads) for cookie in cookies]

    def _played(self, game: "Game") -> Played:
        from tests import play

        pages = self._pages_of(game, loads=True)
        return Played(pages, play.position_of(game), ACTIONS_BEFORE, play.fresh(game).changes)

    async def show(self, count: int) -> dict[str, object]:
        """Open the pages of all games, of idle ones several times, until so many are open."""
        active = [page for game in self.played for page in game.pages]
        more = [page for _time in range(count) for page in self.idle][: count - len(active)]
        copies = [Page(page.web, page.streams_port, page.key, page.cookie, loads=False) for page in more]
        self.open = [*active, *copies]
        return {"seconds": await open_all(self.open)}

    async def hide(self) -> dict[str, object]:
        """Close all pages."""
        await close_all(self.open)
        return {}

    async def reconnect(self) -> dict[str, object]:
        """Restart the process for streams, and open all pages again."""
        await close_all(self.open)
        self.servers.stop_streams()
        self.servers.start_streams()
        before = self.servers.processor_times()["streams"]
        seconds = await open_all(self.open)
        return {"seconds": seconds, "processor": self.servers.processor_times()["streams"] - before}

    async def moves(self) -> dict[str, object]:
        """Play in all active games, one move after the other."""
        answers: list[float] = []
        boards: list[asyncio.Task[float]] = []
        loop, before = asyncio.get_running_loop(), self.servers.processor_times()
        began = loop.time()
        for game in [game for _nth in range(MOVES_A_ROUND) for game in self.played]:
            if game.position.over:
                continue
            fields, own = self._choose(game)
            answered, board = await play_move(
                game.pages[own], game.pages[1 - own], fields, game.number, game.changes
            )
            answers.append(answered)
            boards.append(board)
        rate = len(answers) / (loop.time() - began)
        shown = await asyncio.gather(*boards)
        await asyncio.sleep(0.5)  # for what follows from the last moves
        after = self.servers.processor_times()
        spent = {part: 1000 * (after[part] - before[part]) / len(answers) for part in after}
        return {"answers": answers, "boards": shown, "rate": rate, "spent": spent}

    def _choose(self, game: Played) -> tuple[dict[str, object], int]:
        """Choose a random action; return the fields of its form, and the seat that plays it."""
        from tests.play import fields_of

        action = self.rng.choice(list(game.position.legal_actions))
        game.position, game.number = game.position.apply(action).position, game.number + 1
        return fields_of(action), action.seat


def measure() -> None:
    """Answer the commands of `bench.moves` until there are no more."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # Each page is one open file.
    from bench.move_costs import costs

    site = Site()
    try:
        _answer({})
        with asyncio.Runner() as runner:
            for command, *arguments in _commands():
                if command == "costs":
                    site.servers.stop()  # The worker would send the mails that are measured.
                    _answer(costs())
                else:
                    work = getattr(site, command)
                    _answer(runner.run(work(*map(int, arguments))))
    finally:
        site.servers.stop()


def _commands() -> Iterator[list[str]]:
    while line := sys.stdin.readline():
        yield line.split()


def _answer(values: object) -> None:
    print(json.dumps(values), flush=True)
