"""The trainer: positions of finished games return to the players who gave something away in them.

A worker judges a position before its player sees it, so that most answers need no search. Only one search is
queued at a time, so that at most one is ahead of a bot's turn or a hint.
"""

import logging
import random
import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.queueing import queue
from games.log.replay import log_as_acted
from games.models import (
    DISTANCES,
    MOST_A_DAY,
    UNJUDGED,
    Action,
    Game,
    Review,
    Seat,
    TrainingPosition,
    costly_actions,
    today,
)
from games.services import after_commit, searches
from games.services.errors import Conflict, Illegal, NotSeated
from games.services.play import REUSED
from games.titles.actions import on_seat
from games.titles.experts import Estimate
from games.titles.registry import title_named
from games.titles.rules import AnyPosition, AnyRules, AnyStep, IllegalAction

logger = logging.getLogger(__name__)

# The limits of the task, in seconds. A judgement takes up to nine of processor time.
SOFT_LIMIT = 40
HARD_LIMIT = 50
OVERDUE_AFTER = timedelta(seconds=HARD_LIMIT + 5)

MOST_OF_A_GAME = 3
MOST_POSITIONS = 100  # that a player has not learned


def take_in(review: Review, *users: User) -> None:
    """Store, in the caller's transaction, the most costly turns of these players in a reviewed game.

    Without `users`, of all its players. What is stored already stays as it is. A turn belongs to the person
    who made it, if they still have the seat at the end.
    """
    costs = costly_actions(review)
    seats = Seat.objects.filter(game=review.game_id).exclude(user=None)
    for seat in seats.filter(user__in=users) if users else seats:
        assert seat.user_id is not None
        made = Action.objects.filter(game=review.game_id, number__in=costs, made_by=seat.user_id)
        numbers = sorted(made.values_list("number", flat=True), key=lambda number: -costs[number])
        own = TrainingPosition.objects.filter(user=seat.user_id)
        free = MOST_POSITIONS - own.unlearned().count()
        TrainingPosition.objects.bulk_create(
            [
                TrainingPosition(
                    user_id=seat.user_id,
                    game_id=review.game_id,
                    number=number,
                    cost=costs[number],
                    due_on=today(),
                )
                for number in numbers[: max(0, min(MOST_OF_A_GAME, free))]
            ],
            ignore_conflicts=True,
        )
    transaction.on_commit(_queue_next, robust=True)


def train(game: Game, user: User) -> None:
    """Store the most costly turns of `user` in a reviewed game, which may be older than the trainer.

    Raises NotSeated, and Conflict if the game has no finished review.
    """
    if not Seat.objects.of(user).filter(game=game).exists():
        raise NotSeated(_("Only the players of a game can train its turns."))
    review = Review.objects.filter(game=game).exclude(finished_at=None).select_related("game").first()
    if review is None:
        raise Conflict(_("This game has no finished review yet."))
    with transaction.atomic():
        take_in(review, user)


def answer(user: User, position_id: int, action: object, request_id: uuid.UUID) -> TrainingPosition:
    """Store what `user` plays in a position of theirs; return it, judged if the expert knows the action.

    A repeated request returns the same. A turn that they have not solved today can be answered again, which
    does not change when it returns. Raises DoesNotExist, Illegal, and Conflict if the position is not due, if
    the same request has sent another answer, or if `user` has answered enough today.
    """
    with transaction.atomic():
        # Locked, so that simultaneous answers of one person are counted one after the other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        own = TrainingPosition.objects.filter(user=user)
        stored = own.select_for_update().get(pk=position_id)
        rules, (before, step) = title_named(stored.game.title).rules, turn_of(stored)
        assert step.seat is not None, "nobody trains what nobody did"
        played = on_seat(rules, action, step.seat)
        if stored.request_id == request_id and stored.answer == rules.action_to_json(played):
            return stored
        if not (stored.is_due or stored.can_answer_again):
            raise Conflict(_("You have answered this turn already. It returns on another day."))
        if stored.request_id == request_id:
            raise Conflict(REUSED)
        if stored.can_answer_again:
            stored.distance = 0  # So it returns after the first distance, also if it is solved now.
        elif own.answered_today().count() >= MOST_A_DAY:
            raise Conflict(_("That is enough for today. The next turns wait until tomorrow."))
        try:
            # A guess, because the player need not know what the action reveals.
            before.guess(step.seat, random.Random(0)).apply(played)
        except IllegalAction as error:
            raise Illegal(stored.game.title, error) from None
        stored.answer, stored.request_id = rules.action_to_json(played), request_id
        # Not due again today, even while the answer waits for the expert.
        stored.answered_on, stored.due_on, stored.is_solved = today(), today() + timedelta(days=1), None
        _settle(stored)
        stored.save()
        if stored.is_answer_awaited:
            transaction.on_commit(_queue_next, robust=True)
    return stored


def judge(position_id: int, *, without_search: bool = False) -> None:
    """Judge a position, or the answer to it; do nothing if neither waits for that.

    Pass `without_search` after a search that was killed: then the position is removed, or the answer.
    """
    waiting = TrainingPosition.objects.filter(UNJUDGED, pk=position_id).select_related("game__deal").first()
    if waiting is None:
        return
    _mark_queued(waiting)
    judgement = None if without_search else _judge(waiting)
    with transaction.atomic():
        stored = TrainingPosition.objects.select_for_update().filter(UNJUDGED, pk=position_id).first()
        if stored is None or (stored.judgement is None, stored.answer) != (
            waiting.judgement is None,
            waiting.answer,
        ):
            return  # Another worker was quicker.
        stored.queued_at = None
        if judgement is not None:
            stored.judgement = judgement
            _settle(stored)
            stored.save()
        elif stored.judgement is None:
            stored.delete()
        else:
            # The player can answer with another action.
            stored.answer, stored.answered_on, stored.due_on = None, None, stored.answered_on
            stored.save()
        transaction.on_commit(_queue_next, robust=True)


def overdue_ids() -> list[int]:
    """Return the id of the next position to judge, if none is queued or being judged."""
    waiting = None if _is_one_queued() else _next()
    return [waiting.pk] if waiting else []


def turn_of(stored: TrainingPosition) -> tuple[AnyPosition, AnyStep]:
    """Return the position in which the player chooses, and the step that they made, as they saw both."""
    log = log_as_acted(stored.game, stored.number)
    return log.at(stored.number - 1), log.steps[stored.number - 1]


def _settle(stored: TrainingPosition) -> None:
    """Say whether the answer is solved, and when the position returns, if the judgement has the answer."""
    values, action = dict(stored.values), stored.answered_action
    if action is None or action not in values or stored.answered_on is None:
        return
    trainer, best = title_named(stored.game.title).trainer, next(iter(values.values()))
    stored.is_solved = trainer.is_solved(best, values[action], stored.game.seat_count)
    distance = stored.next_distance if stored.is_solved else DISTANCES[0]
    stored.distance = DISTANCES[-1] if distance is None else distance
    stored.due_on = None if distance is None else stored.answered_on + timedelta(days=distance)


def _judge(stored: TrainingPosition) -> dict[str, object] | None:
    """Return the judgement of a position with its answer; None if there is none.

    There is none if the search fails, or if it finds that the player gave nothing away in the game.
    """
    title, rng = title_named(stored.game.title), random.Random(stored.pk)
    position, step = turn_of(stored)
    try:
        if stored.judgement is None:
            found = searches.run(SOFT_LIMIT, title.trainer.compare, position, step.action, rng)
            return None if found is None else _to_json(title.rules, found.values, found.line)
        best, action = Estimate(*stored.values[0]), stored.answered_action
        value = searches.run(SOFT_LIMIT, title.trainer.value_beside, position, best, action, rng)
    except Exception:
        # A trainer without one position is better than one that waits for ever.
        logger.exception("Training position %d could not be judged", stored.pk)
        return None
    return _to_json(title.rules, [*stored.values, (action, value)], stored.line)


def _to_json(
    rules: AnyRules, values: Sequence[tuple[object, float]], line: Sequence[object]
) -> dict[str, object]:
    """Return a judgement in its stored form: `answers` has actions with their values, the best one first."""
    return {
        "answers": [[rules.action_to_json(one), round(value, 4)] for one, value in values],
        "line": [rules.action_to_json(one) for one in line],
    }


def _waiting() -> QuerySet[TrainingPosition]:
    # A position of a game under unknown rules waits for an update of the site.
    return TrainingPosition.objects.filter(UNJUDGED, game__in=Game.objects.under_known_rules())


def _next() -> TrainingPosition | None:
    """Return the next position to judge: first those whose players wait, then the oldest."""
    is_awaited = When(Q(answer__isnull=False), then=0)
    return _waiting().order_by(Case(is_awaited, default=1), "pk").first()


def _is_one_queued() -> bool:
    """Return whether a position is queued or being judged, as far as is known."""
    now = timezone.now()
    # A time far in the future is from before the clock was set back.
    return _waiting().filter(queued_at__range=(now - OVERDUE_AFTER, now + OVERDUE_AFTER)).exists()


def _queue_next() -> None:
    """Queue the next position to judge, unless one is queued. Call this after the commit."""
    if not _is_one_queued() and (waiting := _next()):
        _mark_queued(waiting)
        queue(after_commit.TRAIN, waiting.pk)


def _mark_queued(waiting: TrainingPosition) -> None:
    TrainingPosition.objects.filter(pk=waiting.pk).update(queued_at=timezone.now())
