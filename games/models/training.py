"""The trainer: positions from a player's own games, which return until the player has learned them."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.advice import Review
from games.models.daily import today
from games.models.games import Game
from games.titles.registry import title_named, titles_with
from games.titles.talents import Talent

# Days from an answer to the next one. A position is learned when it was solved after each of them in turn.
DISTANCES = (1, 3, 7, 21)
MOST_A_DAY = 10  # answers of a person
# Positions that are to be judged for the first time, and those with an answer that is to be judged.
UNJUDGED = Q(judgement__isnull=True) | Q(answer__isnull=False, is_solved=None)


def least_loss(game: Game) -> float:
    """Return the least loss of a turn of this game that is trained."""
    return title_named(game.title).trainer.least_loss(game.seat_count)


def costly_actions(review: Review) -> dict[int, float]:
    """Return {action number: cost} of the actions in a finished review that are worth training."""
    least = least_loss(review.game)
    losses = {number: turn["lost"] or 0.0 for number, turn in enumerate(review.turns, 1)}
    return {number: loss / least for number, loss in losses.items() if loss >= least}


class TrainingPositionQuerySet(models.QuerySet["TrainingPosition"]):
    """Queries for positions of the trainer."""

    def trainable(self) -> TrainingPositionQuerySet:
        """Return the positions of games whose title, which may be gone from the site, has a trainer."""
        return self.filter(game__title__in=titles_with(Talent.TRAINER))

    def unlearned(self) -> TrainingPositionQuerySet:
        return self.exclude(due_on=None)

    def due(self) -> TrainingPositionQuerySet:
        """Return the positions that can be answered now, the most costly turn first."""
        return self.filter(due_on__lte=today(), judgement__isnull=False).order_by("-cost", "pk")

    def answered_today(self) -> TrainingPositionQuerySet:
        return self.filter(answered_on=today())


class TrainingPosition(models.Model):
    """A position in which a player gave something away, with their latest answer. Only the player sees it.

    `services.training` writes it. Its days are in UTC.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="training_positions",
        db_index=False,  # The constraint and the index below serve as well.
        verbose_name=_("player"),
    )
    game = models.ForeignKey(Game, models.CASCADE, related_name="training_positions", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"), help_text=_("of the action that gave something away"))
    cost = models.FloatField(
        _("cost"), help_text=_("the loss, as a multiple of the least loss that is trained")
    )
    # Null until a worker stores it: the best action, its expected line, and the worth of each answer.
    judgement = models.JSONField(_("judgement"), null=True)
    queued_at = models.DateTimeField(_("queued"), null=True)
    due_on = models.DateField(_("due"), null=True, help_text=_("empty when the position is learned"))
    distance = models.PositiveSmallIntegerField(
        _("distance"),
        default=0,
        help_text=_("days from the latest answer to the next one; 0 before the first"),
    )
    answer = models.JSONField(_("answer"), null=True, help_text=_("in the record format"))
    answered_on = models.DateField(_("answered"), null=True)
    request_id = models.UUIDField(_("request id"), null=True)
    is_solved = models.BooleanField(_("solved"), null=True, help_text=_("empty until the answer is judged"))

    objects = TrainingPositionQuerySet.as_manager()

    class Meta:
        verbose_name = _("training position")
        verbose_name_plural = _("training positions")
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "number"], name="training_once_an_action")
        ]
        indexes = [
            models.Index(fields=["user", "due_on"], name="training_due"),
            models.Index(fields=["id"], name="training_unjudged", condition=UNJUDGED),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number} {self.user_id}"

    @property
    def lost(self) -> float:
        """What the turn gave away by the review."""
        return self.cost * least_loss(self.game)

    @property
    def values(self) -> list[tuple[Any, float]]:
        """The judged actions with their values, the best one first."""
        found = self.judgement["answers"] if self.judgement else []
        return [(self._action(payload), value) for payload, value in found]

    @property
    def line(self) -> list[Any]:
        """The actions that the expert expects after the best one."""
        return [self._action(payload) for payload in self.judgement["line"]] if self.judgement else []

    @property
    def answered_action(self) -> Any:
        """The latest answer; None if there is none."""
        return None if self.answer is None else self._action(self.answer)

    def _action(self, payload: object) -> Any:
        return title_named(self.game.title).rules.action_from_json(payload)

    @property
    def is_learned(self) -> bool:
        return self.due_on is None

    @property
    def is_due(self) -> bool:
        """Whether the player can answer now."""
        return self.judgement is not None and self.due_on is not None and self.due_on <= today()

    @property
    def can_answer_again(self) -> bool:
        """Whether the player has answered today and not solved it."""
        return self.is_solved is False and self.answered_on == today()

    @property
    def is_answer_awaited(self) -> bool:
        """Whether the latest answer is not judged yet."""
        return self.answer is not None and self.is_solved is None

    @property
    def next_distance(self) -> int | None:
        """The days after which the position returns if it is solved now; None if it is learned then."""
        return next((days for days in DISTANCES if days > self.distance), None)

    @property
    def days_left(self) -> int:
        """How many days from today the position returns."""
        left: date | None = self.due_on
        return 0 if left is None else (left - today()).days
