"""Hints: a player asks for one during a turn, a worker searches for it, and only that player sees it."""

import logging
import random
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.log.replay import public_log
from games.models import Game, Hint, Seat
from games.services import after_commit, searches
from games.services.bots import choose_without_search
from games.services.errors import Conflict
from games.services.play import MOVED_ON, lock_game, seat_of
from games.titles.experts import Estimate
from games.titles.registry import Title, title_named
from games.titles.rules import AnyPosition

logger = logging.getLogger(__name__)

# The limits of the task, in seconds.
SOFT_LIMIT = 10
HARD_LIMIT = 15
# After this time neither the search nor the retry without it can be running, so the sweep queues the hint.
OVERDUE_AFTER = timedelta(seconds=HARD_LIMIT + 5)


def ask(key: str, user: Viewer, number: int) -> Hint:
    """Return the hint for action `number` of the game `key`, which `compute` fills in later.

    The first hint makes the game unrated. A second request for the same turn returns the same hint. Raises
    NotSeated, and Conflict if there can be no hint: other people have seats, the game is rated, over or of a
    duplicate match, it is not the turn of `user`, `number` is not the next one in the log, or a hint for
    `user` in another game is being computed. Raises UnknownRules before it stores anything.
    """
    seat = seat_of(user, key)
    assert seat.user_id is not None
    if Seat.objects.filter(game=seat.game_id, bot="").exclude(pk=seat.pk).exists():
        raise Conflict(
            _("There are no hints in games with other people, only in solo games and games against bots.")
        )
    if seat.game.changes_ratings:
        raise Conflict(_("There are no hints in rated games."))
    if seat.game.duplicate:
        raise Conflict(_("There are no hints in duplicate matches."))
    with transaction.atomic():
        # Locked, so that simultaneous requests of one person are checked one after the other.
        User.objects.select_for_update(no_key=True).get(pk=seat.user_id)
        game = lock_game(pk=seat.game_id)
        if game.is_over:
            raise Conflict(_("This game is over. Its review shows what the expert would have played."))
        if number != game.version + 1:
            raise Conflict(MOVED_ON)
        if not game.seats.awaited().filter(pk=seat.pk).exists():
            raise Conflict(_("It is not your turn. You can ask for a hint when it is."))
        public_log(game, seat=None)
        hint, is_new = Hint.objects.get_or_create(game=game, number=number, defaults={"seat": seat.number})
        if is_new:
            _check_others(hint, user)
            game.is_without_hints = False
            game.save(update_fields=["is_without_hints"])
            after_commit.queue_hint(hint)
        return hint


def _check_others(hint: Hint, user: Viewer) -> None:
    """Raise Conflict while another hint for this person is computed: bots wait for one hint of each."""
    games = Game.objects.filter(seats__user=user.pk)
    if _hints_to_compute().filter(game__in=games).exclude(pk=hint.pk).exists():
        raise Conflict(
            _("You are already waiting for a hint in another game. Please ask again when you have it.")
        )


def compute(hint_id: int, *, without_search: bool = False) -> None:
    """Store the expert's action in a hint; do nothing if that is done, or if the turn is over.

    Pass `without_search` after a search that was killed.
    """
    hint = _hints_to_compute().filter(pk=hint_id).select_related("game__deal").first()
    if hint is None:
        return
    log = public_log(hint.game, seat=hint.seat)
    if len(log.steps) != hint.number - 1:
        return  # The player has played in the meantime.
    title = title_named(hint.game.title)
    best = None if without_search else _best_action(title, hint, log.position)
    if best:
        action, value = best.action, round(best.value, 4)
    else:
        action, value = choose_without_search(title, log.position, hint.seat), None
    payload = title.rules.action_to_json(action)
    # The player may have seen the action that another worker stored first, so it is never replaced.
    Hint.objects.filter(pk=hint_id, payload__isnull=True).update(payload=payload, value=value)


def overdue_ids() -> list[int]:
    """Return the ids of hints that no worker has computed in time, oldest first, at most 100."""
    now = timezone.now()
    # A time far in the future is from before the clock was set back.
    overdue = _hints_to_compute().exclude(asked_at__range=(now - OVERDUE_AFTER, now + OVERDUE_AFTER))
    return list(overdue.order_by("asked_at").values_list("pk", flat=True)[:100])


def _hints_to_compute() -> QuerySet[Hint]:
    """Return the hints that have no action yet and whose turn is not over.

    Hints in games whose rules this site does not have are left out.
    """
    games = Game.objects.running().under_known_rules()
    return Hint.objects.filter(payload__isnull=True, game__in=games, game__version=F("number") - 1)


def _best_action(title: Title, hint: Hint, position: AnyPosition) -> Estimate | None:
    """Return the expert's action in a position as the seat of the hint sees it; None if the search fails."""
    try:
        best = searches.run(SOFT_LIMIT, title.adviser.advise, position, hint.seat, random.Random())
        if best is None:
            logger.info("The expert has no estimate. Seat %d gets a hint without a search.", hint.seat)
        elif position.is_legal(best.action):
            return best
        else:
            logger.error("The expert's hint %d is an illegal action", hint.pk)
    except Exception:
        # This includes the soft limit of the task, which can interrupt the search anywhere.
        logger.exception("The expert found no action for hint %d", hint.pk)
    return None
