"""The expert's advice: hints during a game, and the review after it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class Hint(models.Model):
    """The expert's advice for one turn, for one player. `payload` is null until a worker stores it."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="hints", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"), help_text=_("of the action that it is for"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    payload = models.JSONField(_("action"), null=True, help_text=_("in the record format"))
    value = models.FloatField(_("value"), null=True, help_text=_("chance to win, or solo score"))

    class Meta:
        verbose_name = _("hint")
        verbose_name_plural = _("hints")
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="hint_once_a_turn")]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"


class Review(models.Model):
    """The expert's judgement of each action in a finished game. A worker adds one at a time to `turns`."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="review", verbose_name=_("game"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("asked by")
    )
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    # When the next turn was queued or started; null while no turn is.
    queued_at = models.DateTimeField(_("next turn queued"), null=True)
    judged_at = models.DateTimeField(_("last turn judged"), auto_now_add=True)
    turns = models.JSONField(_("turns"), default=list, help_text=_("a judgement for each action, in order"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        indexes = [
            models.Index(fields=["judged_at"], name="review_unfinished", condition=Q(finished_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.game_id}"
