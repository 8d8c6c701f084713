"""Reviews of finished games: anybody can ask for one, a worker judges it turn by turn, everybody can see it.

Only one judgement is queued at a time, for the next turn of the oldest unfinished review. So at most
one judgement is ahead of a bot's turn or a hint, which players wait for. The worker that stores a judgement
queues the next one.
"""

import logging
import random
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.engine import Action, Place, Refill, action_to_json, rules
from games.log.replay import Log, public_log
from games.models import Game, Hint, Review
from games.services import after_commit
from games.services.errors import Conflict

logger = logging.getLogger(__name__)

# The limits of the task, in seconds.
SOFT_LIMIT = 30
HARD_LIMIT = 40
# The sweep queues a judgement again if it was queued or started longer ago than this. By then, neither it nor
# its retry without a search can be running.
OVERDUE_AFTER = timedelta(seconds=HARD_LIMIT + 5)

# The stored form of a turn without an estimate.
UNJUDGED: dict[str, object] = {"best": None, "value": None, "lost": None}


def ask(game: Game) -> Review:
    """Return the review of a finished game. The first call queues its first turn.

    Raises Conflict for a game that is not over, because nobody may get advice while they play, and
    UnknownRules.
    """
    if not game.is_over:
        raise Conflict(_("This game is not over yet. You can ask for a review when it is."))
    rules(game.rules_version)
    with transaction.atomic():
        review, is_new = Review.objects.get_or_create(game=game)
        if is_new:
            transaction.on_commit(lambda: _queue_first_turn(review), robust=True)
    return review


def judge_next(review_id: int, number: int, *, without_search: bool = False) -> None:
    """Judge action `number`; do nothing if it is not the next one of the review.

    Pass `without_search` after a search that was killed: then the turn is stored without a judgement.
    """
    review = Review.objects.filter(pk=review_id, finished_at=None).select_related("game__deal").first()
    if review is None or len(review.turns) != number - 1:
        return
    _mark_active(review)
    log = public_log(review.game)
    judgement = UNJUDGED if without_search else _judge(review.game, log, number)
    with transaction.atomic():
        # No join: after waiting for the lock, PostgreSQL returns joined rows as they were before it.
        review = Review.objects.select_for_update().get(pk=review_id)
        if len(review.turns) != number - 1:
            return  # Another worker was quicker.
        review.turns.append(judgement)
        review.judged_at = timezone.now()
        if len(review.turns) == len(log.steps):
            review.finished_at = review.judged_at
        review.save(update_fields=["turns", "judged_at", "finished_at"])
        transaction.on_commit(_queue_next_turn, robust=True)


def overdue_turns() -> list[tuple[int, int]]:
    """Return (review id, action number) of the next turn to judge, if no worker has judged it in time."""
    review = _oldest_unfinished()
    return [_next_turn(review)] if review and review.judged_at < timezone.now() - OVERDUE_AFTER else []


def _oldest_unfinished() -> Review | None:
    # A review of a game under unknown rules waits for an update of the site, and must not hold up the others.
    games = Game.objects.under_known_rules()
    return Review.objects.filter(finished_at=None, game__in=games).order_by("pk").first()


def _next_turn(review: Review) -> tuple[int, int]:
    return review.pk, len(review.turns) + 1


def _queue_first_turn(review: Review) -> None:
    """Queue the first turn of a new review. An unfinished older review queues it at its end instead.

    Call this and `_queue_next_turn` after the commit. Then the later one of two simultaneous transactions
    sees what the other has stored.
    """
    if review == _oldest_unfinished():
        _queue_next_turn()


def _queue_next_turn() -> None:
    """Queue the next turn of the oldest unfinished review. If a turn is queued twice, it is stored once."""
    if review := _oldest_unfinished():
        _mark_active(review)
        after_commit.queue(after_commit.JUDGE, *_next_turn(review))


def _mark_active(review: Review) -> None:
    """Store that the next turn of the review was queued or started now, so that the sweep skips it."""
    Review.objects.filter(pk=review.pk).update(judged_at=timezone.now())


def _judge(game: Game, log: Log, number: int) -> dict[str, object]:
    """Return the judgement of action `number` in its stored form.

    `best` is an action in the record format; `value` and `lost` are chances or points with four decimals.
    """
    # Imported here to save memory: processes that only store requests for reviews don't need the search.
    from games.bots import judge

    action = log.steps[number - 1].action
    try:
        judgement = judge(log.at(number - 1), action, random.Random(number))
    except Exception:
        # A review without one turn is better than a review that never ends.
        logger.exception("Action %d could not be judged in %s", number, log.at(number - 1).state())
        return UNJUDGED
    if isinstance(action, Place | Refill) and judgement.is_mistake and _was_hinted(game, number, action):
        judgement = judgement.with_best(action)
    return {
        "best": judgement.best and action_to_json(judgement.best),
        "value": judgement.worth and round(judgement.worth.value, 4),
        "lost": judgement.loss and round(judgement.loss.value, 4),
    }


def _was_hinted(game: Game, number: int, action: Action) -> bool:
    """Return whether a hint advised this action. A hint outranks a judgement, because it searches longer."""
    return Hint.objects.filter(game=game, number=number, payload=action_to_json(action)).exists()
