"""Plays actions: each is checked by the engine and appended to the game's log."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.log.replay import add_to_log, hold_log, secret_position
from games.log.turns import begun_by
from games.models import Action, Game, Plan, Seat, SeatChange, facts_of, is_current, seats_of
from games.services import after_commit, bot_queue, consequences, match_ends, notifications, presence
from games.services.clocks import write
from games.services.consequences import Stored
from games.services.errors import Conflict, Gone, Illegal, NotSeated, Suspended
from games.services.projections.ratings import lock_ratings
from games.titles.actions import Cancel, Resign, SeatAction, entry_to_json, on_seat
from games.titles.registry import title_named
from games.titles.rules import AnyPosition, AnyStep, IllegalAction

MOVED_ON = _("The game has moved on since you loaded this page. This is the board now.")
TOO_LATE = _("Your time was up before this move arrived, so it does not count.")
BOT_PLAYS_ON = _(
    "Your time was up before this move arrived. A bot plays your seat now. Take the seat back first."
)
REUSED = _("You have already sent another choice from this page. Please choose again.")

WATCHES = _("You have no seat in this game, so you can only watch it.")

MOST_IN_A_ROW = 200  # actions without a decision that follow one action


@dataclass(frozen=True)
class Played:
    """An action that was stored in the log, now or by an earlier call.

    `game` is as it is after it, with its seats, if it was stored now.
    """

    number: int
    game: Game | None = None


def play(
    key: str,
    user: Viewer,
    action: SeatAction,
    number: int,
    request_id: uuid.UUID,
    known: Game | None = None,
) -> Played:
    """Append an action of `user` to the log of the game `key`.

    The action is played on the seat of `user`; its own `seat` is ignored. It was chosen as action `number` of
    the log, and gets a higher number if others who choose at the same time have acted meanwhile. A second
    call with the same request id returns the same value and stores nothing. Who has read the game passes it
    as `known`; if it had started, its deal stays as it was.

    Raises Gone, NotSeated, Conflict (the seat must choose again since `number`, or the request id belongs to
    another action) and Illegal.
    """
    _check_is_authenticated(user)
    # Before locking, so that spectators never block players.
    if user.pk is None or not presence.mark_player(key, user.pk):
        raise NotSeated(WATCHES)
    with transaction.atomic():
        game = lock_game(key=key)
        if known is not None and not known.is_open:
            game.deal, game.daily = known.deal, known.daily
        return _append_chosen(game, user.pk, action, number, request_id)


def play_by_mail(key: str, user: User, action: SeatAction, number: int, request_id: uuid.UUID) -> Played:
    """Append an action of a person who plays by email, as `play` does. Raises what `play` raises.

    The person sees no page, so they do not count as present. If they move again, they are owed an email too.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise NotSeated(WATCHES)
        if user.is_suspended:
            raise Suspended
        version = game.version
        played = _append_chosen(game, user.pk, action, number, request_id)
        seat.refresh_from_db(fields=["awaited_since"])
        # If a new turn has begun, `queue_follow_ups` has stored the notification.
        goes_on = seat.turn_start is not None and seat.turn_start < played.number
        if game.version > version and goes_on:
            notifications.owe_turn(game, user, waits=False)
        return played


def play_for_bot(game_id: int, action: SeatAction, number: int) -> Played:
    """Append the action that a bot chose as action `number` of the log.

    A second call stores nothing and raises Conflict, because the bot has acted. Raises Gone, and Conflict and
    Illegal as `play` does.
    """
    with transaction.atomic():
        game = lock_game(pk=game_id)
        seats = load_seats(game)
        _check_is_current(seats[action.seat], number)
        return _append(game, seats, action, None, uuid.uuid4())


def resign_for(game: Game, seat: Seat, reason: str) -> None:
    """Append the resignation of a seat, whose player did not choose it, in the caller's transaction.

    `reason` is "time" if their time is up, and "absent" if the others have agreed on it. The caller holds the
    lock on the game's row. Raises Illegal.
    """
    played = _append(game, load_seats(game), Resign(seat.number, reason), None, uuid.uuid4())
    notifications.owe_out(game, seat, played.number)


def cancel(game: Game) -> None:
    """Append the cancel on which the players have agreed, in the caller's transaction.

    The caller holds the lock on the game's row. Raises Illegal.
    """
    _append(game, load_seats(game), Cancel(), None, uuid.uuid4())


def seat_of(user: Viewer, key: str) -> Seat:
    """Return the seat of `user` in the game `key`, and mark them as present. Raises NotSeated.

    Call this before locking, so that spectators never block players; a running game keeps its players.
    """
    _check_is_authenticated(user)
    seat = Seat.objects.filter(game__key=key, user=user.pk).first()
    if seat is None or user.pk is None:
        raise NotSeated(WATCHES)
    presence.mark_player(key, user.pk)
    return seat


def _check_is_authenticated(user: Viewer) -> None:
    if not user.is_authenticated:
        raise NotSeated(_("You are not logged in. Please log in to play."))


def lock_game(**lookup: object) -> Game:
    """Return a game with its row locked until the transaction ends. Raises Gone if it does not exist.

    No join: after waiting for the lock, PostgreSQL returns joined rows as they were before it.
    """
    try:
        return Game.objects.select_for_update().get(**lookup)
    except Game.DoesNotExist:
        raise Gone from None


def load_seats(game: Game) -> dict[int, Seat]:
    """Return the seats of a game by number, with their users, as they are stored now.

    Call this with the game locked. From then on, `seats_of` returns them too.
    """
    game.__dict__.setdefault("_prefetched_objects_cache", {}).pop("seats", None)
    return {seat.number: seat for seat in seats_of(game)}


def _append_chosen(
    game: Game, user_id: int | None, action: SeatAction, number: int, request_id: uuid.UUID
) -> Played:
    """Append an action that a player has chosen as action `number`, unless it is in the log."""
    rules = title_named(game.title).rules
    seats = load_seats(game)
    seat = next((seat for seat in seats.values() if seat.user_id == user_id), None)
    if seat is None:
        raise NotSeated(WATCHES)
    own = on_seat(rules, action, seat.number)
    if own.seat != seat.number:
        raise Conflict(_("Only all players together can cancel a game. Propose it to them."))
    if request_id in hold_log(game):
        earlier = Action.objects.get(game=game, request_id=request_id)
        same = (earlier.payload, earlier.made_by_id) == (rules.action_to_json(own), seat.user_id)
        between = Action.objects.filter(game=game, number__gte=number, number__lt=earlier.number)
        if not same or number > earlier.number or between.ending_choices_of(seat).exists():
            raise Conflict(REUSED)
        return Played(earlier.number)
    if game.is_open:
        raise Conflict(_("This game has not started yet, because a seat is still free."))
    if not isinstance(own, Resign) and _is_too_late(seat, number):
        raise Conflict(TOO_LATE if seat.has_left else BOT_PLAYS_ON)
    _check_is_current(seat, number)
    if not isinstance(own, Resign):
        check_plays_own_seat(seat)
    facts_of(game, user_id)  # The page of the player needs them too.
    return _append(game, seats, own, seat.user_id, request_id)


def _is_too_late(seat: Seat, number: int) -> bool:
    """Return whether the time of a player was up when they chose action `number`; call it with the lock."""
    if not (seat.has_left or seat.caretaker):
        return False
    resigned = Action.objects.filter(game=seat.game_id, seat=seat.number, payload__reason="time")
    handed = SeatChange.objects.filter(game=seat.game_id, seat=seat.number, reason=SeatChange.Reason.TIME)
    return resigned.filter(number__gte=number).exists() or handed.filter(number__gte=number).exists()


def _check_is_current(seat: Seat, number: int) -> None:
    """Raise Conflict if a seat must choose again since action `number`. Call this with the game locked."""
    if not is_current(seat, number):
        raise Conflict(MOVED_ON)


def _append(
    game: Game,
    seats: Mapping[int, Seat],
    action: SeatAction | Cancel,
    made_by: int | None,
    request_id: uuid.UUID,
) -> Played:
    number = game.version + 1
    before: AnyPosition = secret_position(game)
    try:
        step = before.apply(action)
    except IllegalAction as error:
        raise Illegal(game.title, error) from error
    store_step(game, seats, step, made_by, request_id)
    after, begun = play_on(game, seats, step.position, begun_by(before.awaited, step))
    if isinstance(action, Resign) and after.awaited:
        # The email about the turn that begins says who has left.
        notifications.owe_leave(game, number, begun)
    if not game.is_solo:
        for seat in sorted(before.awaited - after.awaited):
            notifications.withdraw_turn(game, seats[seat].user_id)
    queue_follow_ups(game, seats, begun, answered=made_by)
    return Played(number, game)


def check_plays_own_seat(seat: Seat) -> None:
    """Raise Conflict if a bot plays the seat of a person now."""
    if seat.level:
        raise Conflict(_("A bot plays your seat now. Take the seat back first."))


def store_step(
    game: Game, seats: Mapping[int, Seat], step: AnyStep, made_by: int | None, request_id: uuid.UUID
) -> None:
    """Append a legal action to the log, with all that follows from it."""
    lock_ratings(game, step.position)
    stored = Action.objects.create(
        game=game,
        number=game.version + 1,
        seat=step.seat,
        payload=entry_to_json(title_named(game.title).rules, step.action),
        made_by_id=made_by,
        request_id=request_id,
    )
    add_to_log(game, stored)
    consequences.follow(Stored(game, seats, step, stored.number, stored.at))


def play_on(
    game: Game, seats: Mapping[int, Seat], position: AnyPosition, begun: frozenset[int]
) -> tuple[AnyPosition, frozenset[int]]:
    """Play what needs no decision: the plan of each player whose turn begins, and actions without a choice.

    Return the position after them, and the awaited seats whose turn has begun. This is part of the
    transaction of the action, or of the start, that led to `position`, so nobody ever sees the game wait for
    a player whose action is known. A plan makes one action at most.
    """
    may_have_plans = bool(begun) and "plans" in facts_of(game)
    plans: dict[int | None, Plan] = (
        {plan.user_id: plan for plan in game.plans.all()} if may_have_plans else {}
    )
    waiting = begun
    for _number in range(MOST_IN_A_ROW):
        for seat in (seats[number] for number in sorted(position.awaited)):
            may_plan = seat.number in waiting and not seat.level and seat.user and not seat.user.is_suspended
            plan = plans.get(seat.user_id) if may_plan else None
            waiting -= {seat.number}
            action = plan.action_for(position) if plan else None
            is_planned = action is not None
            if action is None:
                action = _forced(game, seat, position)
            if action is not None:
                break
        else:
            break
        plans.pop(seat.user_id, None)  # `consequences` deletes it.
        step = position.apply(action)
        store_step(game, seats, step, seat.user_id if is_planned else None, uuid.uuid4())
        if plan and plan.holds_in(position):
            write(seat, {"planned_number" if is_planned else "unplanned_number": game.version})
        new = begun_by(position.awaited, step)
        position = step.position
        waiting = (waiting & position.awaited) | new
        begun = (begun & position.awaited) | new
    return position, begun


def _forced(game: Game, seat: Seat, position: AnyPosition) -> Any:
    """Return the only legal action of a seat if the house plays it; None if the seat decides itself."""
    is_wanted = seat.level or (seat.user is not None and seat.user.plays_forced)
    return position.forced(seat.number) if is_wanted and title_named(game.title).rules.plays_forced else None


def queue_follow_ups(
    game: Game,
    seats: Mapping[int, Seat],
    begun: Collection[int],
    *,
    is_start: bool = False,
    answered: int | None = None,
) -> None:
    """Queue updates of open pages, bots' turns, and notifications for the seats whose turn has begun.

    The user `answered` gets the new board as the answer to their request.
    """
    after_commit.update_open_pages(game, seats=seats.values(), answered=answered)
    bot_queue.queue_turns(game, seats.values())
    if not game.is_solo:
        _owe_notifications(game, seats, begun, is_start=is_start)


def _owe_notifications(
    game: Game, seats: Mapping[int, Seat], begun: Collection[int], *, is_start: bool
) -> None:
    """Store what the players of a game with others are owed after its start or after an action."""
    if game.is_over:
        notifications.owe_end(game)
        notifications.owe_end_to_followers(game)
        match_ends.note_end(game)
        return
    if is_start:
        notifications.owe_start(game)
    for seat in (seats[number] for number in sorted(begun)):
        if seat.user is not None and not seat.caretaker:
            notifications.owe_turn(game, seat.user)
