"""How people leave a table that has not started, decline a seat, or close the table."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import NO_INVITATION, Game, Seat
from games.services import after_commit
from games.services.errors import Conflict, NotSeated, Refused
from games.services.play import lock_game
from games.services.tables.changes import count_answer, count_change, lock_table


def leave(key: str, user: User) -> Game:
    """Free the seat of `user` at a table that has not started. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game, finished = lock_table(key=key)
        if not game.is_open:
            raise Conflict(_("This game has started. To leave it, resign on its page."))
        if user.pk == game.opened_by_id:
            raise Conflict(_("You opened this table. If you don't want to play, close it."))
        columns = {"user": None, "invited": None, "joined_at": None, "seen_at": None}
        if not game.seats.filter(user=user).update(**columns, nonce="", has_own_nonce=False):
            raise NotSeated(_("You have no seat at this table."))
        count_answer(game, finished, user.pk)
        return game


def decline(key: str, user: User) -> Game:
    """Free the seat that is kept for `user` at a table; do nothing if they have declined it before.

    The others see who has declined, and a rematch is not listed from then on. Raises Gone, NotSeated if no
    seat is kept for `user`, and Conflict if the answer comes too late.
    """
    with transaction.atomic():
        game, finished = lock_table(key=key)
        if game.seats.kept_for(user).update(has_declined=True):
            _unlist_rematch(game)
            count_answer(game, finished, user.pk)
        elif not game.seats.free().filter(invited=user).exists():
            raise _too_late_to_decline(game, user)
        return game


def decline_all(user: User) -> None:
    """Decline each seat that is kept for a person by name, and let none be kept for them by an address."""
    for seat in Seat.objects.kept_for(user).select_related("game").order_by("game_id"):
        with suppress(Refused):
            (hide_from_owner if seat.invited_address else decline)(seat.game.key, user)


def hide_from_owner(key: str, user: User) -> None:
    """Keep the seat of a table that is kept for an address of `user` as for one without an account.

    The opener sees the same as before. If the seat became free because of what `user` did, they would know
    whose address it is. Raises Gone.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if end_by_address(game, user):
            count_change(game, user.pk)


def end_by_address(game: Game, user: User) -> int:
    """Do the same at a table whose row the caller has locked; return how many seats that changed."""
    return game.seats.free().filter(invited=user).exclude(invited_address="").update(invited=None)


def _too_late_to_decline(game: Game, user: User) -> Refused:
    """Return why `user`, for whom no seat is kept in a game or at a table, can't decline."""
    has_seat = game.seats.filter(user=user).exists()
    if has_seat and game.is_open:
        return Conflict(_("You have accepted already. If you don't want to play, leave the table."))
    if has_seat:
        return Conflict(_("You can't decline any more, because the game has started. To leave it, resign."))
    if not game.is_open:
        return Conflict(_("The game has started without you, so there is nothing to decline."))
    return NotSeated(_("No seat at this table is kept for you, so there is nothing to decline."))


def free_seats_kept_before(game: Game, moment: datetime) -> None:
    """Free the seats of a table, whose row the caller has locked, that were kept since before this moment."""
    game.seats.kept_before(moment).update(**NO_INVITATION)
    _unlist_rematch(game)
    count_change(game)


def _unlist_rematch(game: Game) -> None:
    """Hide a rematch from strangers; the caller stores it. Its opener has invited only the same people."""
    if game.rematch_of_id is not None:
        game.is_public = False


def close(key: str, user: User) -> None:
    """Delete a table that has not started; only its opener may do so. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game, finished = lock_table(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can close it."))
        if not game.is_open:
            raise Conflict(_("You can't close this table, because the game has started."))
        remove(game, finished)


def remove(game: Game, finished: Game | None) -> None:
    """Delete a table. The open pages of the finished game that it follows update too."""
    after_commit.update_open_pages(game)
    deal = game.deal
    game.delete()
    if deal is not None:
        deal.delete()
    if finished is not None:
        count_change(finished)
