"""Games and people for states, the same in every run, and what is done on their pages."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from unittest import mock

from playwright.sync_api import Page

from accounts.models import User
from games import bots
from games.engine import Place, Position
from games.models import Game, Seat
from games.services import deals, tables
from games.services.play import play as play_action
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Do, Look, nothing

Ends = Callable[[Position, int], bool]


@contextmanager
def deal(seed: int) -> Iterator[None]:
    """Let each deal be the same in every run."""
    with mock.patch.object(deals, "random", Random(seed)):
        yield


def people(*names: str) -> list[User]:
    return [User.objects.filter(username=name).first() or play.person(name) for name in names]


def started(*names: str, seed: int = 1, **options: bool) -> Game:
    with deal(seed):
        return play.game_of(*people(*names), **options)


def play_until(game: Game, ends: Ends, seed: int = 4, *, refills: bool = True) -> Game:
    """Play legal actions by chance until the position, or the number of actions, is the wanted one."""
    rng = Random(seed)
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, number = play.position_of(game), play.fresh(game).version
    while not ends(position, number):
        actions = [one for one in position.legal_actions if refills or isinstance(one, Place)]
        action = rng.choice(actions)
        position, number = position.apply(action).position, number + 1
        play_action(game.key, users[action.seat], play.without_seat(action), number, uuid.uuid4())
    return play.fresh(game)


def play_well(game: Game, *levels: str) -> Game:
    """Play a game to its end as bots of these levels would, a level for each seat."""
    rng = Random(3)
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, number = play.position_of(game), play.fresh(game).version
    while not position.over:
        seat = position.to_move
        action = bots.choose(position.public(), seat, levels[seat], rng)
        position, number = position.apply(action).position, number + 1
        play_action(game.key, users[seat], play.without_seat(action), number, uuid.uuid4())
    return play.fresh(game)


def after(actions: int) -> Ends:
    return lambda _position, number: number >= actions


def resign(game: Game, user: User) -> None:
    play_action(game.key, user, {"do": "resign"}, play.fresh(game).version + 1, uuid.uuid4())


def mine(game: Game, do: Do = nothing, query: str = "", **more: object) -> Look:
    """Look at a game as whoever is to move."""
    return Look(game.get_absolute_url() + query, play.mover(game), after=do, **more)


def submit_unchecked(page: Page) -> None:
    """Send the page's main form past the browser's own checks."""
    page.locator("main form").first.evaluate("form => { form.noValidate = true; form.requestSubmit(); }")


def waiting(game: Game) -> User:
    """Return somebody at the table who is not to move."""
    return next(
        seat.user for seat in game.seats.select_related("user") if seat.user and seat.user != play.mover(game)
    )


def three(actions: int = 30) -> Game:
    return play_until(started("Ines", "Tobias", "Mina"), after(actions))


def choose_tile(page: Page) -> None:
    for tile in ways.tiles(page).all():
        tile.click()
        if ways.cells(page).filter(has_text="+").count():
            break


def choose_cell(page: Page) -> None:
    choose_tile(page)
    most = ways.cells(page).filter(has_text="+3").or_(ways.cells(page).filter(has_text="+2"))
    (most.first if most.count() else ways.promising(page)).click()
    page.mouse.move(2, 2)


def over(seed: int = 3) -> Game:
    game = started("Ines", "Tobias", "Mina", seed=seed)
    return play.play_out(game, seed)


def solo(seed: int = 2) -> Game:
    with deal(seed):
        return play.solo_of(people("Ines")[0])


def a_busy_evening() -> User:
    """Let Ines have games of every kind, and others too."""
    ines, tobias, mina, _halley = people("Ines", "Tobias", "Mina", "Halley")
    three()
    play_until(started("Ines", "Mina", seed=8), after(11))
    started("Tobias", "Mina", seed=9)
    play.play_out(started("Ines", "Tobias", seed=3), 3)
    play.play_out(solo(), 1)
    play.play_out(solo(7), 2)
    tables.open_table(ines, 3, (), beginner=False, is_public=True)
    tables.open_table(ines, 2, (), beginner=False, is_public=False)
    tables.open_table(tobias, 4, ("easy",), beginner=True, is_public=True)
    tables.open_table(mina, 2, (), beginner=False, is_public=True)
    Seat.objects.update(seen_at=None)
    return ines
