"""Games of LUNAR in the states that a page can show, the same in every run."""

from collections.abc import Callable
from functools import partial
from random import Random
from unittest import mock

from accounts.models import User
from games.log.replay import secret_position
from games.lunar.engine import Position, Stage
from games.lunar.learning.lessons import LESSONS
from games.models import Game
from games.services import deals, tables
from tests.browser.states import Visit
from tests.play import fresh, person, play_all, same_deals

NAMES = ("Ines", "Tobias", "Halley", "Mina")
Ends = Callable[[Position], bool]


def game_of(seats: int, ends: Ends, seed: int = 1) -> Game:
    """Return a game of people who have played random cards until a condition is true."""
    users = [User.objects.filter(username=name).first() or person(name) for name in NAMES[:seats]]
    with mock.patch.object(deals, "mixed_deal", same_deals(seed)):
        game = tables.open_table(users[0], tables.TableOptions(seats, title="lunar"))
        for user in users[1:]:
            tables.join(game.key, user)
    rng, position, actions = Random(seed), position_of(game), []
    while position.awaited and not ends(position):
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return play_all(game, actions)


def position_of(game: Game) -> Position:
    """Return the newest position, with all hands."""
    position = secret_position(fresh(game))
    assert isinstance(position, Position)
    return position


def user_at(game: Game, seat: int) -> User:
    """Return the person on a seat."""
    user = game.seats.get(number=seat).user
    assert user is not None
    return user


def mover_of(game: Game) -> User:
    """Return a person who is awaited."""
    return user_at(game, min(position_of(game).awaited))


def in_trick(number: int, cards: int) -> Ends:
    """Return the condition that so many cards lie in a later trick, and the next seat has a choice."""

    def ends(position: Position) -> bool:
        is_there = len(position.tricks) >= number and len(position.trick) == cards
        return is_there and position.forced(min(position.awaited)) is None

    return ends


def _as_mover(seats: int, ends: Ends, query: str = "", seed: int = 1) -> Visit:
    game = game_of(seats, ends, seed)
    return Visit(game.get_absolute_url() + query, mover_of(game))


def _as_waiting(seats: int, ends: Ends, query: str = "") -> Visit:
    game = game_of(seats, ends)
    [mover] = position_of(game).awaited
    return Visit(game.get_absolute_url() + query, user_at(game, (mover + 1) % seats))


def _as_spectator() -> Visit:
    return Visit(game_of(4, in_trick(6, 1)).get_absolute_url())


def _finished() -> Visit:
    game = game_of(4, lambda position: False)
    return Visit(game.get_absolute_url(), user_at(game, 0))


def _waiting() -> Visit:
    game = game_of(4, lambda position: position.stage is Stage.PASSING and len(position.awaited) == 2)
    return Visit(game.get_absolute_url(), user_at(game, 0))


STATES: dict[str, Callable[[], Visit]] = {
    "passing": lambda: _as_mover(4, lambda position: True),
    "passed": _waiting,
    "trump": lambda: _as_mover(4, lambda position: len(position.flips) == 2),
    "trick": lambda: _as_mover(4, in_trick(3, 2)),
    "next-round": lambda: _as_mover(4, lambda position: len(position.rounds) == 1),
    "two": lambda: _as_mover(2, in_trick(4, 2)),
    "two-trump": lambda: _as_mover(2, lambda position: len(position.rounds) == len(position.flips) == 1),
    "past": lambda: _as_mover(4, in_trick(3, 2), "?at=14"),
    "text": lambda: _text(_as_mover(4, in_trick(3, 2))),
    "text-passing": lambda: _text(_as_mover(4, lambda position: True)),
    "spectator": _as_spectator,
    "over": _finished,
    "planning": lambda: _as_waiting(4, lambda position: len(position.flips) == 1, "?plan=1"),
    "text-planning": lambda: _text(_as_waiting(2, in_trick(4, 1)), "?plan=1"),
    **{
        f"lesson-{number}": partial(Visit, f"/learn/lunar/{number}/") for number in range(1, len(LESSONS) + 1)
    },
    "rules": lambda: Visit("/rules/lunar/"),
    "rules-found": lambda: Visit("/rules/lunar/?q=star"),
}


def _text(visit: Visit, query: str = "") -> Visit:
    return Visit(f"{visit.path}text/{query}", visit.viewer)
