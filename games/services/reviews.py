"""Reviews: asked for once a game is over, judged turn by turn by a worker, stored for everybody.

One turn of them all is queued at a time, the next one of the oldest unfinished review: so never more than one
is before a bot's turn or a hint, which somebody waits for. Whoever has stored a judgement queues the next.
"""

import logging
import random
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.engine import Action, Place, Refill, action_to_json
from games.log.replay import Log, public_log
from games.models import Game, Hint, Review
from games.services import after_commit
from games.services.errors import Conflict

logger = logging.getLogger(__name__)

# A judgement is given up after the first, in seconds, and its process killed after the second.
GIVES_UP = 30
KILLED = 40
# Only so long after it was queued or begun is it queued a second time: whoever was at it is dead, and nobody
# left the turn out either.
OVERDUE = timedelta(seconds=KILLED + 5)

# A turn without an estimate, as it is stored.
UNJUDGED: dict[str, object] = {"best": None, "value": None, "lost": None}


def ask(game: Game) -> Review:
    """Return the review of a finished game; who asks first sets it going.

    Raises Conflict for a game that is not over: nobody gets advice while they play.
    """
    if not game.is_over:
        raise Conflict(_("A review comes after the game: this one is not over yet."))
    with transaction.atomic():
        review, is_new = Review.objects.get_or_create(game=game)
        if is_new:
            transaction.on_commit(lambda: _begin(review), robust=True)
    return review


def judge_next(review_id: int, number: int, *, without_search: bool = False) -> None:
    """Judge action `number`, the next one; do nothing if that has been done or others come first.

    `without_search` is without any search, after one that had to be killed: the turn stays unjudged.
    """
    review = Review.objects.filter(pk=review_id, finished_at=None).select_related("game__deal").first()
    if review is None or len(review.turns) != number - 1:
        return
    _sign_of_life(review)
    log = public_log(review.game)
    judgement = UNJUDGED if without_search else _judged(review.game, log, number)
    with transaction.atomic():
        # Alone: of a row joined to it, PostgreSQL would show what it was before the wait for the lock.
        review = Review.objects.select_for_update().get(pk=review_id)
        if len(review.turns) != number - 1:
            return  # another worker was quicker
        review.turns.append(judgement)
        review.judged_at = timezone.now()
        if len(review.turns) == len(log.steps):
            review.finished_at = review.judged_at
        review.save(update_fields=["turns", "judged_at", "finished_at"])
        transaction.on_commit(_go_on, robust=True)


def overdue() -> list[tuple[int, int]]:
    """Return (review, action number) of the turn that is next of all, if nobody has judged it in due time."""
    review = _oldest()
    return [_next_turn(review)] if review and review.judged_at < timezone.now() - OVERDUE else []


def _oldest() -> Review | None:
    return Review.objects.filter(finished_at=None).order_by("pk").first()


def _next_turn(review: Review) -> tuple[int, int]:
    return review.pk, len(review.turns) + 1


def _begin(review: Review) -> None:
    """Queue a new review's first turn, unless somebody is at an older one and will come to it.

    To be called after the commit, like `_go_on`: of two at once, the later one sees what the other has left.
    """
    if review == _oldest():
        _go_on()


def _go_on() -> None:
    """Queue the turn that is next of all. Twice at once does no harm: only one of the two gets stored."""
    if review := _oldest():
        _sign_of_life(review)
        after_commit.queue(after_commit.JUDGE, *_next_turn(review))


def _sign_of_life(review: Review) -> None:
    """Let the sweep know that the review's next turn is queued or begun."""
    Review.objects.filter(pk=review.pk).update(judged_at=timezone.now())


def _judged(game: Game, log: Log, number: int) -> dict[str, object]:
    """Return the judgement of action `number` as it is stored."""
    # Imported here: a process that only asks for reviews needs none of the search in its memory.
    from games.bots import judge

    action = log.steps[number - 1].action
    try:
        judgement = judge(log.at(number - 1), action, random.Random(number))
    except Exception:
        # Better a review without one turn than one that never ends.
        logger.exception("Action %d could not be judged in %s", number, log.at(number - 1).state())
        return UNJUDGED
    if isinstance(action, Place | Refill) and judgement.is_mistake and _was_advised(game, number, action):
        judgement = judgement.with_best(action)
    # The action in the record format, figures to four places.
    return {
        "best": judgement.best and action_to_json(judgement.best),
        "value": judgement.worth and round(judgement.worth.value, 4),
        "lost": judgement.loss and round(judgement.loss.value, 4),
    }


def _was_advised(game: Game, number: int, action: Action) -> bool:
    """Whether a hint said the same: the expert thought for longer about that."""
    return Hint.objects.filter(game=game, number=number, payload=action_to_json(action)).exists()
