"""Rematches: the same people and bots at a new table."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, Seat
from games.services import notifications
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game
from games.services.tables.changes import count_change
from games.services.tables.company import check_may_sit, lock_person, may_invite
from games.services.tables.joining import join
from games.services.tables.limits import may_be_listed
from games.services.tables.opening import open_game
from games.services.tables.options import TableOptions


def rematch(key: str, user: User, nonce: str = "") -> Game:
    """Return the rematch of the finished game `key`, with the seat for `user` that they had there.

    The first call opens it: bots join immediately, and the seats of the other people are kept for them. Every
    later call joins it. So a finished game has one rematch, however often and by whomever this is called.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        user = lock_person(user)
        finished = lock_game(key=key)
        if not finished.seats.filter(user=user).exists():
            raise NotSeated(_("You had no seat in this game, so you can't offer a rematch."))
        if not finished.is_over or finished.is_solo:
            raise Conflict(_("You can offer a rematch when a game with others is over."))
        offered = Game.objects.filter(rematch_of=finished).first()
        if offered is not None:
            return join(offered.key, user, nonce=nonce)
        return _open_rematch(finished, user, nonce)


def _open_rematch(finished: Game, user: User, nonce: str) -> Game:
    check_may_sit(user, finished.seats.values_list("user", flat=True), is_public=False)
    seats = [_seat_again(seat, user) for seat in finished.seats.select_related("user").order_by("number")]
    has_everybody = all(seat.user or seat.bot or seat.invited for seat in seats)
    # Only the opener decides who else may take a seat among the same people.
    is_listed = finished.is_public and has_everybody and may_be_listed(finished.pace, seats)
    game = replace(TableOptions.again(finished), is_public=is_listed).new_game(user)
    game.rematch_of = finished
    open_game(user, game, seats, nonce=nonce)
    notifications.owe_invitations(game)
    count_change(finished)
    return game


def _seat_again(seat: Seat, opener: User) -> Seat:
    """Return the seat of the rematch: the opener's, a bot's, kept for its person, or free without one."""
    if seat.user == opener:
        return Seat(user=opener)
    if seat.user is None or not may_invite(opener, seat.user):
        return Seat(bot=seat.bot, bot_name=seat.bot_name)
    return Seat(invited=seat.user)
