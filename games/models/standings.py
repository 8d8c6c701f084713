"""Solo results and standings: rows from which pages read ranks, without a look at all games."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game

FIRST_DAY = date(2000, 1, 1)  # of the period that never ends
LEAST_FOR_AVERAGE = 10  # results


class SoloResultQuerySet(models.QuerySet["SoloResult"]):
    def counted(self) -> SoloResultQuerySet:
        """Return the results that count for standings: listed, without hints, and no practice."""
        counted = self.filter(is_without_hints=True, game__is_unlisted=False)
        return counted.exclude(kind=SoloResult.Kind.PRACTICE)


class SoloResult(models.Model):
    """The score of a finished solo game. A projection of its log.

    A player whose account is gone keeps no name, but the score still counts among all scores.
    """

    class Kind(models.TextChoices):
        """Games whose scores are ranked together. Each free game has a deal of its own."""

        FREE = "free", _("solo games")
        DAILY = "daily", _("daily deals")
        PRACTICE = "practice", _("practice on daily deals")

    game = models.OneToOneField(
        Game, models.CASCADE, primary_key=True, related_name="result", verbose_name=_("game")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="solo_results",
        db_index=False,  # The index below serves as well.
        verbose_name=_("player"),
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.FREE)
    score = models.PositiveSmallIntegerField(_("score"))
    # A figure of the title that decides between equal scores: less is better. 0 in titles without one.
    tie_break = models.PositiveSmallIntegerField(_("tie-break"), db_column="tiles")
    ended_at = models.DateTimeField(_("ended"))
    is_without_hints = models.BooleanField(
        _("rated"), db_column="is_rated", help_text=_("finished without hints")
    )

    objects = SoloResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("solo result")
        verbose_name_plural = _("solo results")
        indexes = [models.Index(fields=["user", "ended_at"], name="solo_result_of_player")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.score}"

    @property
    def counts(self) -> bool:
        """Whether it counts for standings, as in `SoloResultQuerySet.counted`."""
        is_listed = self.is_without_hints and not self.game.is_unlisted
        return is_listed and self.kind != self.Kind.PRACTICE


class LeaderboardKey(NamedTuple):
    """Names a leaderboard: of one kind of games, by one measure, over the period that starts on this day."""

    kind: str
    measure: str
    period: str
    starts_on: date


def leaderboard_of_day(day: date) -> LeaderboardKey:
    """Return the board of the attempts at the daily deal of this day."""
    return LeaderboardKey(SoloResult.Kind.DAILY, Standing.Measure.BEST, Standing.Period.DAY, day)


class StandingQuerySet(models.QuerySet["Standing"]):
    def on(self, board: LeaderboardKey) -> StandingQuerySet:
        """Return the standings on a board, with those that are not listed."""
        return self.filter(**board._asdict())

    def listed(self) -> StandingQuerySet:
        """Return the standings that everybody sees: of people with an account."""
        return self.filter(is_listed=True)

    def best_first(self) -> StandingQuerySet:
        """Order by score; equal scores by the tie-break, then by who was first."""
        return self.order_by("score", "tie_break", "reached_at", "pk")

    def better_than(self, standing: Standing) -> StandingQuerySet:
        """Return the standings that `best_first` has before this one."""
        same_score = Q(score=standing.score)
        is_tied = same_score & Q(tie_break=standing.tie_break)
        return self.filter(
            Q(score__lt=standing.score)
            | same_score & Q(tie_break__lt=standing.tie_break)
            | is_tied & Q(reached_at__lt=standing.reached_at)
            | is_tied & Q(reached_at=standing.reached_at, pk__lt=standing.pk),
            # Implied by the rest, but so the database reads a range of the index only.
            score__lte=standing.score,
        )


class Standing(models.Model):
    """What one player has reached on one board. A projection of their solo results.

    The average counts from ten results on, so a player with fewer has no standing on its boards.
    """

    class Measure(models.TextChoices):
        BEST = "best", _("best")
        AVERAGE = "average", _("average")

    class Period(models.TextChoices):
        DAY = "day", _("today")
        WEEK = "week", _("this week")
        MONTH = "month", _("this month")
        ALL = "all", _("all time")

        def start(self, moment: datetime) -> date:
            """Return the first day (UTC) of the period that this moment is in."""
            day = moment.astimezone(UTC).date()
            starts = {
                Standing.Period.DAY: day,
                Standing.Period.WEEK: day - timedelta(days=day.weekday()),
                Standing.Period.MONTH: day.replace(day=1),
            }
            return starts.get(self, FIRST_DAY)

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="standings",
        db_index=False,  # The constraint below serves as well.
        verbose_name=_("player"),
    )
    kind = models.CharField(_("kind"), max_length=8, choices=SoloResult.Kind)
    measure = models.CharField(_("measure"), max_length=8, choices=Measure)
    period = models.CharField(_("period"), max_length=8, choices=Period)
    starts_on = models.DateField(_("first day"))
    # The best result, or the average of all, rounded to two decimals.
    score = models.FloatField(_("score"))
    tie_break = models.FloatField(_("tie-break"), db_column="tiles")
    reached_at = models.DateTimeField(_("reached"))
    played = models.PositiveIntegerField(_("results"))
    game = models.ForeignKey(
        Game, models.CASCADE, null=True, related_name="+", verbose_name=_("game with the best score")
    )
    is_listed = models.BooleanField(_("listed"), help_text=_("the player has an account"))

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind", "measure", "period", "starts_on"], name="standing_once_a_board"
            )
        ]
        indexes = [
            models.Index(
                fields=["kind", "measure", "period", "starts_on", "score", "tie_break", "reached_at", "id"],
                name="standing_rank",
                condition=Q(is_listed=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}/{self.measure}/{self.period} {self.starts_on}: {self.score:g}"

    @property
    def board(self) -> LeaderboardKey:
        return LeaderboardKey(self.kind, self.measure, self.period, self.starts_on)


class ScoreCount(models.Model):
    """How many solo games that count have ended with this score. A projection of the solo results."""

    kind = models.CharField(_("kind"), max_length=8, choices=SoloResult.Kind)
    score = models.PositiveSmallIntegerField(_("score"))
    number = models.PositiveIntegerField(_("games"), default=0)

    class Meta:
        verbose_name = _("number of games with a score")
        verbose_name_plural = _("numbers of games with a score")
        constraints = [models.UniqueConstraint(fields=["kind", "score"], name="score_count_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.score}: {self.number}"
