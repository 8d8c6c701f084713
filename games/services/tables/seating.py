"""Who sits where at a table. In a title with partners, that says who plays with whom."""

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, Seat
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game
from games.services.tables.changes import count_change

# Added to the number of a seat while two seats change places, because a number is there once in a game.
ASIDE = 1000


def swap(key: str, user: User, number: int, other: int) -> Game:
    """Let two seats of the table `key` change places, with the people, bots and invitations on them.

    The opener may swap any two seats, and everybody else their own with one that is kept for nobody.
    Raises Gone, NotSeated, and Conflict if the game has started or somebody has taken the seat.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if not game.is_open:
            raise Conflict(_("The game has started, so the seats stay as they are."))
        seats = list(game.seats.filter(number__in={number, other}))
        if len(seats) == 2:
            _check_may_swap(game, user, seats)
            exchange(game, *seats)
            count_change(game)
        return game


def exchange(game: Game, first: Seat, second: Seat) -> None:
    """Exchange the numbers of two seats of a table, whose row the caller has locked."""
    game.seats.filter(pk=first.pk).update(number=F("number") + ASIDE)
    game.seats.filter(pk=second.pk).update(number=first.number)
    game.seats.filter(pk=first.pk).update(number=second.number)
    first.number, second.number = second.number, first.number


def _check_may_swap(game: Game, user: User, seats: list[Seat]) -> None:
    if user.pk == game.opened_by_id:
        return
    others = [seat.pk for seat in seats if seat.user_id != user.pk]
    if len(others) == 2:
        raise NotSeated(_("You can only change your own seat."))
    if not game.seats.free_for_anybody().filter(pk__in=others).exists():
        raise Conflict(_("Somebody has taken this seat in the meantime, or it is kept for somebody."))
