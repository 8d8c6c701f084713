"""Games of LUNAR in the states that a page can show, the same in every run."""

from collections.abc import Callable, Sequence
from random import Random
from unittest import mock

from accounts.models import User
from games.log.replay import secret_position
from games.lunar.engine import Kind, Play, Position
from games.lunar.engine.cards import of_kind
from games.models import Game
from games.services import deals, tables
from tests.play import fresh, person, play_all, same_deals

NAMES = ("Ines", "Tobias", "Halley", "Mina")
Ends = Callable[[Position], bool]


def game_of(seats: int, ends: Ends, seed: int = 1, names: Sequence[str] = NAMES, pace: str = "") -> Game:
    """Return a game of people who have played random cards until a condition is true."""
    users = [User.objects.filter(username=name).first() or person(name) for name in names[:seats]]
    with mock.patch.object(deals, "mixed_deal", same_deals(seed)):
        game = tables.open_table(users[0], tables.TableOptions(seats, title="lunar", pace=pace))
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


def must_follow(position: Position) -> bool:
    """Return whether the awaited player can play ranks and the lead suit, but no other suit of their hand."""
    if position.lead_suit is None or len(position.trick) != 1:
        return False
    legal = {play.card for play in position.legal(min(position.awaited)) if isinstance(play, Play)}
    suits = of_kind(legal, Kind.SUIT)
    hand = position.hands[min(position.awaited)]
    return len(suits) != len(legal) and bool(suits) and not {*of_kind(hand, Kind.SUIT)} <= legal
