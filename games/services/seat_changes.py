"""Who plays a seat: bots take over the seats of absent people, who take them back or hand them over.

The sweep finds seats whose time is up. Until it has, a late action still counts.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clocks import LIVE_PACES
from games.models import ChatLine, Game, Plan, Seat, SeatChange, forget_facts
from games.services import bot_queue, notifications, uptime
from games.services.calendars import start_vacation
from games.services.clocks import renew_clock, run_clocks
from games.services.errors import Conflict, Gone, NotSeated
from games.services.play import lock_game, resign_for
from games.services.tables import count_change

# In a live game, a move that the site got before the deadline may wait this long for its turn, and counts.
ON_ITS_WAY = timedelta(seconds=1)


def due_ids() -> list[int]:
    """Return the ids of the games whose deadline has passed while the site was up, at most 1000.

    Those whose deadline was earliest are first.
    """
    until = uptime.acts_until()
    if until is None:
        return []
    due = Game.objects.running().under_known_rules().filter(deadline__lte=until)
    due = due.exclude(pace__in=LIVE_PACES, deadline__gt=until - ON_ITS_WAY)
    return list(due.order_by("deadline").values_list("pk", flat=True)[:1000])


def time_out(game_id: int) -> None:
    """Do what the table of a game has chosen for a seat whose time is up; do nothing if none is."""
    until = uptime.acts_until()
    if until is None:
        return
    late = Seat.objects.late(until).filter(game=game_id, user__automatic_vacation=True).select_related("user")
    # A suspended person can't come back before the others have waited for all their vacation.
    away = [seat.user for seat in late if seat.user is not None and not seat.user.is_suspended]
    if any(start_vacation(user, game_id, until) for user in away):
        return
    with transaction.atomic():
        try:
            game = lock_game(pk=game_id)
        except Gone:
            return
        # Processes of an earlier release may have played without a look at the clocks.
        run_clocks(game, game.seats.all(), timezone.now())
        if game.deadline is None or game.deadline > until:
            return
        # Seats whose time is up at the same moment are found by the next sweeps.
        seat = game.seats.late(until).order_by("deadline", "number")[0]
        if game.caretaker:
            hand_to_bot(game, seat, game.caretaker, SeatChange.Reason.TIME)
        else:
            resign_for(game, seat, "time")


def hand_to_bot(game: Game, seat: Seat, level: str, reason: str) -> None:
    """Let a bot of this level play the seat of a person from now on, in the caller's transaction.

    The caller holds the lock on the game's row. The seat remains the person's.
    """
    _store(game, seat, level, reason)
    notifications.owe_caretaker(game, seat)
    bot_queue.queue_turns(game, Seat.objects.filter(game=game))


def hand_to_person(game: Game, seat: Seat, user: User) -> User:
    """Give a seat to another person, in the caller's transaction; return the former player.

    The caller holds the lock on the game's row. Nothing that belongs to the former player goes with the seat:
    plan, notifications, and the time that was left, except in live games. The result is the new player's.
    """
    former = seat.user
    assert former is not None, "a bot's seat"
    Plan.objects.filter(game=game, user=former).delete()
    notifications.drop_all(game, former)
    if seat.is_awaited:
        notifications.withdraw_turn(game, seat.user_id)
    newest_line = ChatLine.objects.filter(game=game).aggregate(newest=Max("pk"))["newest"]
    seat.user, seat.joined_at, seat.seen_at = user, timezone.now(), None
    seat.is_silent, seat.chat_read_to = False, newest_line or 0
    seat.planned_number = seat.unplanned_number = None
    seat.save(
        update_fields=[
            *("user", "joined_at", "seen_at", "is_silent", "chat_read_to"),
            *("planned_number", "unplanned_number"),
        ]
    )
    forget_facts(game)
    renew_clock(game, seat)
    _store(game, seat, "", SeatChange.Reason.HAND, former)
    return former


def take_back(key: str, user: User) -> Game:
    """Let `user` play their own seat again, which a bot plays; do nothing if they play it already.

    Raises Gone, NotSeated, and Conflict if the game is over or they have left it.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise NotSeated(_("You have no seat in this game, so you can only watch it."))
        if not game.is_running or seat.has_left:
            raise Conflict(_("You can't take your seat back, because the game is over or you have left it."))
        if seat.caretaker:
            _store(game, seat, "", SeatChange.Reason.BACK)
        return game


def _store(game: Game, seat: Seat, level: str, reason: str, former: User | None = None) -> None:
    now = timezone.now()
    Plan.objects.filter(game=game, user=seat.user).delete()
    game.votes.lapse()  # Other people are asked from now on.
    seat.caretaker = level
    seat.save(update_fields=["caretaker"])
    SeatChange.objects.create(
        game=game,
        seat=seat.number,
        number=game.version + 1,
        bot=level,
        user=None if level else seat.user,
        former=former,
        reason=reason,
        at=now,
    )
    count_change(game)
    run_clocks(game, game.seats.all(), now)
