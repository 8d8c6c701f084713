"""How people took part in games that are over, and how reliable that shows them to be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from games.clocks import GAMES_COUNTED, Attended, Reliability
from games.models.games import Game


class Attendance(models.Model):
    """How a person took part in a game that is over.

    It is a projection of the log, of the changes of seats and of the calendar of the person.
    `games/services/projections/attendances.py` says which games have rows.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="attendances", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="attendances",
        db_index=False,  # The index below serves as well.
        verbose_name=_("player"),
    )
    ended_at = models.DateTimeField(_("end of the game"))
    has_finished = models.BooleanField(_("finished"))
    answers = models.JSONField(_("answers"), default=list, help_text=_("seconds of each, in counted time"))

    class Meta:
        verbose_name = _("attendance")
        verbose_name_plural = _("attendances")
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="attendance_once_a_game")]
        indexes = [models.Index(fields=["user", "-ended_at"], name="attendance_latest")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id}"


def reliabilities_of(
    user_ids: Iterable[int | None], *, are_stored: bool = True
) -> dict[int | None, Reliability]:
    """Return the reliability of each of these people in their latest games, with one query.

    If none `are_stored`, as the caller knows, there is no query.
    """
    ids = set(user_ids) - {None}
    if not are_stored:
        return {pk: Reliability.of([]) for pk in ids}
    newest_first = Window(RowNumber(), partition_by="user", order_by=["-ended_at", "-pk"])
    stored = Attendance.objects.filter(user__in=ids)
    latest = stored.annotate(nth=newest_first).filter(nth__lte=GAMES_COUNTED)
    games: defaultdict[int | None, list[Attended]] = defaultdict(list)
    for user, has_finished, answers in latest.values_list("user", "has_finished", "answers"):
        games[user].append(Attended(has_finished, answers))
    return {pk: Reliability.of(games[pk]) for pk in ids}
