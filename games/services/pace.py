"""Changes of the pace of a running game: one player offers another pace, and all who play must agree."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, PaceOffer, Seat, SeatQuerySet
from games.services.clocks import restart_clocks
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game
from games.services.tables import count_change

# For games that got no caretaker when they were opened, because they had no clock.
USUAL_CARETAKER = "medium"


def offer(key: str, user: User, pace: str) -> Game:
    """Offer another pace for a running game; if this pace is offered already, agree to it.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        if pace == game.pace:
            raise Conflict(_("The game has this pace already."))
        if not pace and game.is_public and _players(game).exclude(pk=seat.pk).exists():
            raise Conflict(
                _("Only games that are not listed, and games against bots, can be without a clock.")
            )
        found = game.pace_offers.filter(settled_at=None).first()
        if found is not None and found.pace != pace:
            raise Conflict(_("Somebody has offered another pace. Please answer that first."))
        _agree(game, found or PaceOffer(game=game, pace=pace, offered_by=user), seat)
        return game


def answer(key: str, user: User, offer_id: int, *, agrees: bool) -> Game:
    """Agree to an offer, or decline or withdraw it; do nothing if it is settled.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        found = game.pace_offers.filter(pk=offer_id, settled_at=None).first()
        if found is None:
            return game
        if agrees:
            _agree(game, found, seat)
        else:
            found.settled_at = timezone.now()
            found.save(update_fields=["settled_at"])
            count_change(game)
        return game


def _seat_of(game: Game, user: User) -> Seat:
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotSeated(_("You have no seat in this game, so you can only watch it."))
    if not game.is_running or game.is_solo or seat.has_left or seat.caretaker:
        raise Conflict(_("Only people who play in a running game can change its pace."))
    return seat


def _players(game: Game) -> SeatQuerySet:
    """Return the seats of the people who play. Those whose seat a bot plays are not asked."""
    return game.seats.filter(user__isnull=False, has_left=False, caretaker="")


def _agree(game: Game, found: PaceOffer, seat: Seat) -> None:
    found.agreed = sorted({*found.agreed, seat.number})
    if {player.number for player in _players(game)} <= set(found.agreed):
        _accept(game, found, timezone.now())
    found.save()
    count_change(game)


def _accept(game: Game, found: PaceOffer, now: datetime) -> None:
    found.settled_at, found.is_accepted = now, True
    if not game.pace:
        game.caretaker = game.caretaker or USUAL_CARETAKER
    game.pace = found.pace
    game.save(update_fields=["pace", "caretaker"])
    restart_clocks(game, now)
