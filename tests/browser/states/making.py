"""Games and people for states, identical in every run, and actions on their pages."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest import mock

from playwright.sync_api import Page

from accounts.models import User
from games.models import Game, Seat
from games.novaluna.bots import face as bots
from games.novaluna.engine import Place, Position, Refill, Resign
from games.services import deals, tables
from games.services.play import play as play_action
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import PageAction, Visit, do_nothing

_chosen: dict[tuple[object, ...], list[Place | Refill]] = {}

EndCondition = Callable[[Position, int], bool]  # of the position and the number of actions


@contextmanager
def fixed_deal(seed: int) -> Iterator[None]:
    """Make each deal the same in every run."""
    with mock.patch.object(deals, "mixed_deal", play.same_deals(seed)):
        yield


def people(*names: str) -> list[User]:
    """Return the users with these names; create those that do not exist."""
    return [User.objects.filter(username=name).first() or play.person(name) for name in names]


def start_game(*names: str, seed: int = 1, **options: Any) -> Game:
    with fixed_deal(seed):
        return play.game_of(*people(*names), **options)


def play_until(game: Game, ends: EndCondition, seed: int = 4, *, refills: bool = True) -> Game:
    """Play random legal actions until the condition is true."""
    rng = Random(seed)
    position, number, chosen = play.position_of(game), play.fresh(game).version, []
    while not ends(position, number):
        actions = [one for one in position.legal_actions if refills or isinstance(one, Place)]
        chosen.append(rng.choice(actions))
        position, number = position.apply(chosen[-1]).position, number + 1
    return play.play_all(game, chosen)


def play_well(game: Game, *levels: str) -> Game:
    """Play a game to its end as bots would, with a level for each seat."""
    return play.play_all(game, choose_all(play.position_of(game), levels))


def choose_all(position: Position, levels: Sequence[str]) -> list[Place | Refill]:
    """Return the actions of a game to its end, as bots would choose them."""
    # Several states show the same game.
    key = (position.setup, repr(position), levels)
    if key not in _chosen:
        rng, _chosen[key] = Random(3), []
        while not position.over:
            seat = position.to_move
            action = bots.choose(position.public(), seat, levels[seat], rng)
            position = position.apply(action).position
            _chosen[key].append(action)
    return _chosen[key]


def after_actions(actions: int) -> EndCondition:
    return lambda _position, number: number >= actions


def resign(game: Game, user: User) -> None:
    play_action(game.key, user, Resign(0), play.fresh(game).version + 1, uuid.uuid4())


def visit_as_mover(game: Game, do: PageAction = do_nothing, query: str = "", **more: object) -> Visit:
    """Visit a game as the player to move."""
    return Visit(game.get_absolute_url() + query, play.mover(game), after=do, **more)


def submit_unchecked(page: Page) -> None:
    """Submit the page's main form without the browser's validation."""
    page.locator("main form").first.evaluate("form => { form.noValidate = true; form.requestSubmit(); }")


def waiting_player(game: Game) -> User:
    """Return a player who is not to move."""
    return next(
        seat.user for seat in game.seats.select_related("user") if seat.user and seat.user != play.mover(game)
    )


def game_of_three(actions: int = 30) -> Game:
    return play_until(start_game("Ines", "Tobias", "Mina"), after_actions(actions))


def choose_cell(page: Page) -> None:
    """Choose a tile and a cell that covers as many goals as possible, and move the mouse away."""
    ways.choose_tile(page)
    most = ways.cells(page).filter(has_text="+3").or_(ways.cells(page).filter(has_text="+2"))
    (most.first if most.count() else ways.best_cell(page)).click()
    page.mouse.move(2, 2)


def finished_game(seed: int = 3) -> Game:
    game = start_game("Ines", "Tobias", "Mina", seed=seed)
    return play.play_out(game, seed)


def solo_game(seed: int = 2) -> Game:
    with fixed_deal(seed):
        return play.solo_of(people("Ines")[0])


def make_many_games() -> User:
    """Make games of every kind, and return Ines, who plays in most of them."""
    ines, tobias, mina, _halley = people("Ines", "Tobias", "Mina", "Halley")
    game_of_three()
    play_until(start_game("Ines", "Mina", seed=8), after_actions(11))
    start_game("Tobias", "Mina", seed=9)
    play.play_out(start_game("Ines", "Tobias", seed=3), 3)
    play.play_out(solo_game(), 1)
    play.play_out(solo_game(7), 2)
    tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    tables.open_table(ines, tables.TableOptions(2))
    tables.open_table(
        tobias, tables.TableOptions(4, options={"discs": 15}, is_public=True, pace="slow"), ("easy",)
    )
    tables.open_table(mina, tables.TableOptions(2, is_public=True, pace="slow"))
    Seat.objects.update(seen_at=None)
    return ines
