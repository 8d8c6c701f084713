"""Votes of the players of a running game: on a pace, a take-back, an absent player, and on cancelling it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import (
    Game,
    Seat,
    SeatChange,
    Vote,
    absent_seats,
    has_stand_in,
    possible_paces,
    repeated_after,
    seats_of,
    time_before,
    voters,
)
from games.services import notifications, uptime
from games.services.clocks import restart_clocks
from games.services.errors import Conflict, Gone, NotSeated
from games.services.play import cancel, load_seats, lock_game, resign_for
from games.services.rates import check_rate
from games.services.seat_changes import hand_to_bot
from games.services.tables import count_change
from games.services.take_backs import check_take_back, take_back_for
from games.titles.registry import title_named


def start(key: str, user: User, purpose: str, pace: str = "", number: int | None = None) -> Game:
    """Start a vote in a running game; if the same vote runs already, agree to it.

    A call ends every vote that is none, because the absent player might never answer it.
    `pace` is the other pace, empty for no clock; it counts only for votes on the pace. `number` is the action
    of `user` to take back, for votes on that.

    Raises Gone, NotSeated, Conflict and TooOften.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        vote = Vote(game=game, purpose=purpose, started_by=user)
        if purpose == Vote.Purpose.PACE:
            vote.pace = pace
        elif purpose == Vote.Purpose.TAKE_BACK:
            vote.number = number
        else:
            # An absent player who has come back may ask the others to cancel the game.
            absent = [absent.number for absent in absent_seats(game) if absent != seat]
            vote.seat = absent[0] if absent else None
        running = game.votes.running().first()
        if running is not None and running.seat is None and vote.seat is not None:
            _settle(running, Vote.Outcome.LAPSED, timezone.now())
            running = None
        if running is None:
            _check(vote, seat)
            _agree(game, vote, seat)
        elif running.is_same_as(vote):
            _agree(game, running, seat)
        else:
            raise Conflict(_("Another proposal is open. Please answer that one first."))
        return game


def answer(key: str, user: User, vote_id: int, *, agrees: bool) -> Game:
    """Agree to a vote, or decline or withdraw it; do nothing if it is settled.

    An absent player whom the others call declines by this: they are back.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = _seat_of(game, user)
        vote = game.votes.running().filter(pk=vote_id).first()
        if vote is None:
            return game
        if agrees:
            _agree(game, vote, seat)
        else:
            _decline(game, vote, seat)
        return game


def due_call_ids() -> list[int]:
    """Return the ids of the games with a call that ends now, at most 1000."""
    until = uptime.acts_until()
    if until is None:
        return []
    return list(Vote.objects.due(until).order_by("started_at").values_list("game", flat=True)[:1000])


def end_call(game_id: int) -> None:
    """Carry out the call in a game that some have not answered for a week; do nothing if there is none.

    If the player is not absent any more, because of a vacation that has started, the call lapses instead.
    """
    until = uptime.acts_until()
    if until is None:
        return
    with transaction.atomic():
        try:
            game = lock_game(pk=game_id)
        except Gone:
            return
        vote = game.votes.due(until).first()
        if vote is not None:
            _carry_out(game, vote)
            count_change(game)


def _seat_of(game: Game, user: User) -> Seat:
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotSeated(_("You have no seat in this game, so you can only watch it."))
    if not game.is_running or game.is_solo or not voters(game).filter(pk=seat.pk).exists():
        raise Conflict(_("Only people who play in a running game can make and answer proposals."))
    return seat


def _check(vote: Vote, seat: Seat) -> None:
    """Raise Conflict if the player of `seat` cannot start this vote now."""
    game = vote.game
    if game.duplicate:
        raise Conflict(_("A duplicate match has no proposals, because all its games are compared."))
    people = voters(game).count()
    if vote.purpose == Vote.Purpose.PACE:
        if has_stand_in(seats_of(game)):
            raise Conflict(_("The pace can't change while a bot plays for a person."))
        if vote.pace == game.pace:
            raise Conflict(_("The game has this pace already. Please choose another one."))
        if vote.pace not in possible_paces(game, people):
            raise Conflict(
                _("Only games that are not listed, and games against bots, can be without a clock.")
            )
    elif vote.purpose == Vote.Purpose.TAKE_BACK:
        check_take_back(game, load_seats(game), seat.number, vote.number)
    elif vote.purpose == Vote.Purpose.CANCEL and people < 2:
        raise Conflict(_("Only people can agree to cancel a game. You can resign."))
    elif vote.purpose != Vote.Purpose.CANCEL and vote.seat is None:
        raise Conflict(_("You can only propose this about a player who has not moved for 14 days."))
    refused = [Vote.Outcome.DECLINED, Vote.Outcome.WITHDRAWN]
    same = Q(outcome__in=refused, purpose=vote.purpose, pace=vote.pace, number=vote.number)
    same |= Q(outcome=Vote.Outcome.BACK)
    earlier = game.votes.filter(same, seat=vote.seat)
    refusal = _("This was proposed recently.")
    now = timezone.now()
    check_rate(earlier, "settled_at", 1, now - time_before(now, repeated_after(game)), refusal)


def _agree(game: Game, vote: Vote, seat: Seat) -> None:
    if seat.number == vote.seat:
        raise Conflict(_("This proposal is about your seat, so only the others answer it."))
    is_new = vote.pk is None
    vote.agreed = sorted({*vote.agreed, seat.number})
    vote.save()
    if {one.number for one in vote.asked} <= set(vote.agreed):
        _carry_out(game, vote)
    elif is_new:
        notifications.owe_vote(vote)
    count_change(game)


def _decline(game: Game, vote: Vote, seat: Seat) -> None:
    is_absent = seat.number == vote.seat
    if is_absent and vote.was_back_before():
        raise Conflict(_("You have already said that you are back. Please move to end the proposal."))
    if is_absent:
        outcome = Vote.Outcome.BACK
    elif seat.user_id == vote.started_by_id:
        outcome = Vote.Outcome.WITHDRAWN
    else:
        outcome = Vote.Outcome.DECLINED
        vote.agreed = [number for number in vote.agreed if number != seat.number]
    _settle(vote, outcome, timezone.now())
    count_change(game)


def _settle(vote: Vote, outcome: str, now: datetime) -> None:
    vote.settled_at, vote.outcome = now, outcome
    vote.save(update_fields=["settled_at", "outcome", "agreed"])


def _carry_out(game: Game, vote: Vote) -> None:
    """Do what the players have agreed on; nothing if the absent player has gone on vacation meanwhile."""
    now = timezone.now()
    if not vote.has_reason:
        _settle(vote, Vote.Outcome.LAPSED, now)
        return
    # Settled first, because what happens now lapses the votes that run.
    _settle(vote, Vote.Outcome.AGREED, now)
    if vote.purpose == Vote.Purpose.PACE:
        _change_pace(game, vote.pace, now)
    elif vote.purpose == Vote.Purpose.CANCEL:
        cancel(game)
    elif vote.number is not None:
        take_back_for(game, game.seats.get(user=vote.started_by).number, vote.number)
    elif vote.purpose == Vote.Purpose.BOT:
        hand_to_bot(game, _absent(vote), _caretaker_of(game), SeatChange.Reason.CALL)
    else:
        resign_for(game, _absent(vote), "absent")


def _absent(vote: Vote) -> Seat:
    assert vote.seat is not None, "the vote is no call"
    return vote.game.seats.select_related("user").get(number=vote.seat)


def _caretaker_of(game: Game) -> str:
    """Return the level of the bot that plays for people. A game that was opened without a clock has none."""
    return game.caretaker or title_named(game.title).usual_level


def _change_pace(game: Game, pace: str, now: datetime) -> None:
    if not game.pace:
        game.caretaker = _caretaker_of(game)
    game.pace = pace
    game.save(update_fields=["pace", "caretaker"])
    restart_clocks(game, now)
    notifications.replace_reminder(game)
