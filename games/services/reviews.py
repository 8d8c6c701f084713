"""Reviews of finished games: people with an account ask, a worker judges turn by turn, everybody can see it.

Only one judgement is queued at a time. So at most one judgement is ahead of a bot's turn or a hint, which
players wait for. The worker that stores a judgement queues the next one, for the person who has waited
longest since a turn was judged for them. So a person with many long reviews does not delay the others.
"""

import logging
import random
from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.queueing import queue
from games import search_process
from games.log.replay import Log, log_as_acted, public_log
from games.models import Game, Hint, Review
from games.services import after_commit, training
from games.services.errors import Conflict
from games.titles.actions import numbers_that_count
from games.titles.experts import Luck
from games.titles.registry import Title, title_named
from games.titles.talents import Talent

logger = logging.getLogger(__name__)

# The limits of the task, in seconds.
SOFT_LIMIT = 30
HARD_LIMIT = 40
# A judgement counts as lost if it was queued or started longer ago than this. By then, neither it nor
# its retry without a search can be running.
OVERDUE_AFTER = timedelta(seconds=HARD_LIMIT + 5)
# A turn that cannot be judged is tried again after this time. Until then the reviews of others come first.
LATELY = timedelta(minutes=10)

# One person may have asked for this many reviews that are not finished.
MOST_UNFINISHED = 3

# The stored form of a turn without an estimate.
UNJUDGED: dict[str, object] = {"best": None, "value": None, "lost": None, "line": []}
# Why an action has none: its search ended with an error or was killed, or the expert does not judge it.
# Reviews of earlier versions do not say which.
FAILED = UNJUDGED | {"failed": True}
BEYOND_JUDGEMENT = UNJUDGED | {"failed": False}


def ask(game: Game, user: User) -> Review:
    """Return the review of a finished game. The first call stores that `user` has asked for it.

    Raises UnknownRules, and Conflict if the game is not over, because nobody may get advice while they play,
    or if `user` has asked for too many reviews.
    """
    if not game.is_over:
        raise Conflict(_("This game is not over yet. You can ask for a review when it is."))
    public_log(game, seat=None)
    with transaction.atomic():
        # Locked, so that simultaneous requests of one person are counted one after the other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        review, is_new = Review.objects.get_or_create(game=game, defaults={"asked_by": user})
        if is_new:
            if _unfinished().filter(asked_by=user).count() > MOST_UNFINISHED:
                raise Conflict(
                    _("The expert is working on three reviews for you. Please wait for one of them.")
                )
            transaction.on_commit(_queue_next_turn, robust=True)
    return review


def judge_next(review_id: int, number: int, *, without_search: bool = False) -> None:
    """Judge action `number`; do nothing if it is not the next one of the review.

    Pass `without_search` after a search that was killed: then the turn is stored without a judgement.
    """
    review = Review.objects.filter(pk=review_id, finished_at=None).select_related("game__deal").first()
    if review is None or len(review.turns) != number - 1:
        return
    _mark_queued(review)
    title, log = title_named(review.game.title), log_as_acted(review.game, number)
    judgement = FAILED if without_search else _judge(title, review.game, log, number)
    if judgement is not FAILED:  # After a search that failed, the time of the task may be almost over.
        judgement = judgement | _count_luck(title, log, number)
    with transaction.atomic():
        # No join: after waiting for the lock, PostgreSQL returns joined rows as they were before it.
        review = Review.objects.select_for_update().get(pk=review_id)
        if len(review.turns) != number - 1:
            return  # Another worker was quicker.
        review.judged_at, review.queued_at = timezone.now(), None
        # How long the review still takes is estimated by them.
        judgement = judgement | {"seconds": round((review.judged_at - review.asked_at).total_seconds(), 1)}
        review.turns.append(judgement)
        if len(review.turns) == len(log.steps):
            review.finished_at = review.judged_at
        review.save(update_fields=["turns", "queued_at", "judged_at", "finished_at"])
        if review.finished_at and Talent.TRAINER in title.talents:
            training.take_in(review)
        transaction.on_commit(_queue_next_turn, robust=True)


def overdue_turns() -> list[tuple[int, int]]:
    """Return (review id, action number) of the next turn to judge, if no judgement is queued or running."""
    review = None if _is_turn_queued() else _next_review()
    return [_next_turn(review)] if review else []


def _unfinished() -> QuerySet[Review]:
    # A review of a game under unknown rules waits for an update of the site, and must not hold up the others.
    return Review.objects.filter(finished_at=None, game__in=Game.objects.under_known_rules())


def _next_review() -> Review | None:
    """Return the unfinished review of the person who has waited longest since a turn was judged for them.

    A review whose turn was queued lately and not judged comes last, so that it does not block the others.
    """
    of_person = Review.objects.filter(asked_by=OuterRef("asked_by")).order_by("-judged_at")
    judged_for_person_at = Coalesce(Subquery(of_person.values("judged_at")[:1]), "judged_at")
    was_queued_lately = When(queued_at__gt=timezone.now() - LATELY, then=1)
    return _unfinished().order_by(Case(was_queued_lately, default=0), judged_for_person_at, "pk").first()


def _next_turn(review: Review) -> tuple[int, int]:
    return review.pk, len(review.turns) + 1


def _is_turn_queued() -> bool:
    """Return whether a judgement is queued or running, as far as is known."""
    now = timezone.now()
    # A time far in the future is from before the clock was set back.
    return _unfinished().filter(queued_at__range=(now - OVERDUE_AFTER, now + OVERDUE_AFTER)).exists()


def _queue_next_turn() -> None:
    """Queue the next turn to judge, unless a turn is queued. If a turn is queued twice, it is stored once.

    Call this after the commit. Then the later one of two simultaneous transactions sees what the other has
    stored.
    """
    if not _is_turn_queued() and (review := _next_review()):
        _mark_queued(review)
        queue(after_commit.JUDGE, *_next_turn(review))


def _mark_queued(review: Review) -> None:
    """Store that the next turn of the review was queued or started now."""
    Review.objects.filter(pk=review.pk).update(queued_at=timezone.now())


def _judge(title: Title, game: Game, log: Log, number: int) -> dict[str, object]:
    """Return the judgement of action `number` in its stored form.

    `best` is an action in the record format, `line` is a list of them; `value` and `lost` are values of the
    title with four decimals. Judgements of earlier versions have no `line`. Actions that were taken back are
    not judged.
    """
    action = log.steps[number - 1].action
    if number not in numbers_that_count(step.action for step in log.steps):
        return UNJUDGED
    try:
        rng = random.Random(number)
        judgement = search_process.run(title.judge.judge, log.at(number - 1), action, rng)
    except Exception:
        # A review without one turn is better than a review that never ends.
        logger.exception("Action %d of %s could not be judged", number, game.key)
        return FAILED
    if judgement.value is None:
        return BEYOND_JUDGEMENT
    to_json = title.rules.action_to_json
    if judgement.is_mistake and _was_hinted(game, number, to_json(action)):
        judgement = judgement.with_best(action)
    return {
        "best": None if judgement.best is None else to_json(judgement.best),
        "value": _rounded(judgement.value),
        "lost": _rounded(judgement.lost),
        "line": [to_json(one) for one in judgement.line],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _count_luck(title: Title, log: Log, number: int) -> dict[str, object]:
    """Return the luck of what action `number` revealed in its stored form, and with the first one the deal's.

    It is empty for other actions, and if the title cannot count it. The form is {"version": 1, "before": […],
    "after": […], "errors": […]}: for each seat its mean value over all that could have been revealed, with
    what was revealed, and the standard error of the difference. Reviews of earlier versions of the site have
    none.
    """
    judge, rng = title.judge, random.Random(f"luck {number}")
    before, step = log.at(number - 1), log.steps[number - 1]
    found: dict[str, Luck | None] = {}
    try:
        if number == 1:
            found["deal"] = search_process.run(judge.luck_of_deal, log.start, rng)
        found["luck"] = search_process.run(judge.luck_of_action, before, step.action, step.position, rng)
    except Exception:
        logger.exception("The luck of action %d could not be counted", number)
        return {}
    return {
        name: {
            "version": judge.luck_version,
            "before": [round(value, 4) for value in luck.before],
            "after": [round(value, 4) for value in luck.after],
            "errors": [round(value, 4) for value in luck.errors],
        }
        for name, luck in found.items()
        if luck is not None
    }


def _was_hinted(game: Game, number: int, payload: Mapping[str, object]) -> bool:
    """Return whether a hint advised this action. A hint outranks a judgement, because it searches longer."""
    return Hint.objects.filter(game=game, number=number, payload=payload).exists()
