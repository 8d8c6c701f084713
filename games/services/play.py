"""Plays actions: each is checked by the engine and appended to the game's log."""

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.log.replay import secret_position
from games.models import Action, Game, Seat
from games.services import after_commit, bot_queue, consequences, match_ends, notifications, presence
from games.services.consequences import Stored
from games.services.errors import Conflict, Gone, Illegal, NotSeated
from games.services.projections.ratings import lock_ratings
from games.titles.actions import Cancel, Resign, on_seat
from games.titles.registry import title_named
from games.titles.rules import AnyPosition, AnyStep, IllegalAction

MOVED_ON = _("The game has moved on since you loaded this page. This is the board now.")
REUSED = _("You have already sent another choice from this page. Please choose again.")


@dataclass(frozen=True)
class Played:
    """An action that was stored in the log, now or by an earlier call."""

    number: int


def play(key: str, user: Viewer, action: object, number: int, request_id: uuid.UUID) -> Played:
    """Append an action of `user` to the log of the game `key`, as action `number`.

    The action is played on the seat of `user`; its own `seat` is ignored. A second call with the same request
    id returns the same value and stores nothing.

    Raises Gone, NotSeated, Conflict (`number` is not the next one in the log, or the request id belongs to
    another action) and Illegal.
    """
    seat = seat_of(user, key)
    with transaction.atomic():
        game = lock_game(key=key)
        own = on_seat(title_named(game.title).rules, action, seat.number)
        return _append(game, own, user.pk, number, request_id)


def play_by_mail(key: str, user: User, action: object, number: int, request_id: uuid.UUID) -> Played:
    """Append an action of a person who plays by email, as `play` does. Raises what `play` raises.

    The person sees no page, so they do not count as present. If they move again, they are owed an email too.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise NotSeated(_("You have no seat in this game, so you can only watch it."))
        is_new = number == game.version + 1
        own = on_seat(title_named(game.title).rules, action, seat.number)
        played = _append(game, own, user.pk, number, request_id)
        # After a plan of another player, `queue_follow_ups` has stored the notification.
        if is_new and game.to_move == seat.number and game.version == number:
            notifications.owe_turn(game, user, waits=False)
        return played


def play_for_bot(game_id: int, action: object, number: int) -> Played:
    """Append the action that a bot chose, as action `number` of the log.

    A second call stores nothing and raises Conflict, because the log already has this number. Raises Gone and
    Illegal as `play` does.
    """
    with transaction.atomic():
        return _append(lock_game(pk=game_id), action, None, number, uuid.uuid4())


def resign_for(game: Game, seat: Seat, reason: str) -> None:
    """Append the resignation of a seat, whose player did not choose it, in the caller's transaction.

    `reason` is "time" if their time is up, and "absent" if the others have agreed on it. The caller holds the
    lock on the game's row. Raises Illegal.
    """
    played = _append(game, Resign(seat.number, reason), None, game.version + 1, uuid.uuid4())
    notifications.owe_out(game, seat, played.number)


def cancel(game: Game) -> None:
    """Append the cancel on which the players have agreed, in the caller's transaction.

    The caller holds the lock on the game's row. Raises Illegal.
    """
    _append(game, Cancel(), None, game.version + 1, uuid.uuid4())


def seat_of(user: Viewer, key: str) -> Seat:
    """Return the seat of `user` in the game `key`, and mark them as present. Raises NotSeated.

    Call this before locking, so that spectators never block players; a running game keeps its players.
    """
    if not user.is_authenticated:
        raise NotSeated(_("You are not logged in. Please log in to play."))
    seat = Seat.objects.filter(game__key=key, user=user.pk).first()
    if seat is None:
        raise NotSeated(_("You have no seat in this game, so you can only watch it."))
    presence.mark_seats([seat])
    return seat


def lock_game(**lookup: object) -> Game:
    """Return a game with its row locked until the transaction ends. Raises Gone if it does not exist.

    No join: after waiting for the lock, PostgreSQL returns joined rows as they were before it.
    """
    try:
        return Game.objects.select_for_update().get(**lookup)
    except Game.DoesNotExist:
        raise Gone from None


def _append(game: Game, action: object, made_by: int | None, number: int, request_id: uuid.UUID) -> Played:
    payload = title_named(game.title).rules.action_to_json(action)
    earlier = Action.objects.filter(game=game, request_id=request_id).first()
    if earlier is not None:
        if (earlier.number, earlier.payload, earlier.made_by_id) != (number, payload, made_by):
            raise Conflict(REUSED)
        return Played(number)
    if game.is_open:
        raise Conflict(_("This game has not started yet, because a seat is still free."))
    if number != game.version + 1:
        raise Conflict(MOVED_ON)
    if made_by is not None and not isinstance(action, Resign):
        check_plays_own_seat(game, made_by)
    before: AnyPosition = secret_position(game)
    try:
        step = before.apply(action)
    except IllegalAction as error:
        raise Illegal(game.title, error) from error
    _store(game, step, made_by, request_id)
    turn_begins = bool(step.position.awaited - before.awaited)
    after = _play_plans(game, before, step.position)
    if isinstance(action, Resign) and game.to_move is not None:
        # The email about the turn that begins says who has left.
        notifications.owe_leave(game, number, turn_begins=turn_begins)
    if not game.is_solo:
        for seat in sorted(before.awaited - after.awaited):
            notifications.withdraw_turn(game, seat)
    queue_follow_ups(game, turn_begins=turn_begins)
    return Played(number)


def check_plays_own_seat(game: Game, user_id: int) -> None:
    """Raise Conflict if a bot plays the seat of this person now."""
    if game.seats.filter(user=user_id).played_by_bots().exists():
        raise Conflict(_("A bot plays your seat now. Take it back first."))


def _store(game: Game, step: AnyStep, made_by: int | None, request_id: uuid.UUID) -> None:
    """Append a legal action to the log, with all that follows from it."""
    lock_ratings(game, step.position)
    stored = Action.objects.create(
        game=game,
        number=game.version + 1,
        seat=step.seat,
        payload=title_named(game.title).rules.action_to_json(step.action),
        made_by_id=made_by,
        request_id=request_id,
    )
    consequences.follow(Stored(game, step, stored.number, stored.at))


def _play_plans(game: Game, before: AnyPosition, after: AnyPosition) -> AnyPosition:
    """Play the plan of each player whose turn begins, one action each; return the position after them.

    This is part of the transaction of the action that led to `after`, so nobody ever sees the game wait for a
    player whose plan is played.
    """
    begun = after.awaited - before.awaited
    while begun:
        seat = game.seats.get(number=min(begun))
        begun -= {seat.number}
        plan = None if seat.level else game.plans.filter(user=seat.user_id).first()
        action = plan.action_for(after) if plan else None
        if action is not None:
            step = after.apply(action)
            _store(game, step, seat.user_id, uuid.uuid4())
            game.seats.filter(pk=seat.pk).update(planned_number=game.version)
            begun = (begun & step.position.awaited) | (step.position.awaited - after.awaited)
            after = step.position
    return after


def queue_follow_ups(game: Game, *, is_start: bool = False, turn_begins: bool = True) -> None:
    """Queue updates of open pages, bots' turns, and the next player's notification."""
    after_commit.update_open_pages(game)
    bot_queue.queue_turns(game)
    if not game.is_solo:
        _owe_notifications(game, is_start=is_start, turn_begins=turn_begins)


def _owe_notifications(game: Game, *, is_start: bool, turn_begins: bool) -> None:
    """Store what the players of a game with others are owed after its start or after an action."""
    if game.to_move is None:
        notifications.owe_end(game)
        match_ends.note_end(game)
        return
    if is_start:
        notifications.owe_start(game)
    seat = game.seats.select_related("user").get(number=game.to_move)
    if seat.user is not None and not seat.caretaker and turn_begins:
        notifications.owe_turn(game, seat.user)
