"""What people hide on their profiles, and whom and which games they follow."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class ProfilePart(models.TextChoices):
    """The parts of a profile that its owner can hide from everybody else."""

    RATING = "rating", _("Rating over time")
    RESULTS = "results", _("Results by number of players")
    SOLO = "solo", _("Solo scores")
    RELIABILITY = "reliability", _("Reliability and how fast you usually answer")
    BEST = "best", _("Best games")
    RUNNING = "running", _("Games in progress")
    FINISHED = "finished", _("Finished games")
    AGAINST = "against", _("Results between you and the visitor")


class HiddenPart(models.Model):
    """A part of their profile that a person hides."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="hidden_parts", verbose_name=_("person")
    )
    part = models.CharField(_("part"), max_length=12, choices=ProfilePart)

    class Meta:
        verbose_name = _("hidden part of a profile")
        verbose_name_plural = _("hidden parts of profiles")
        constraints = [models.UniqueConstraint(fields=["user", "part"], name="hidden_part_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.part}"


class Follow(models.Model):
    """That a person follows another, to find them on the leaderboards. Nobody else knows."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="follows",
        db_index=False,  # The constraint below serves as well.
        verbose_name=_("person"),
    )
    followed = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("follows")
    )

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="follow_once"),
            models.CheckConstraint(condition=~Q(user=F("followed")), name="follow_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.followed_id}"


class FollowedGame(models.Model):
    """That a person follows a game in which they have no seat. Nobody else knows."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="followed_games",
        db_index=False,  # The constraint below serves as well.
        verbose_name=_("person"),
    )
    game = models.ForeignKey(Game, models.CASCADE, related_name="followers", verbose_name=_("game"))

    class Meta:
        verbose_name = _("followed game")
        verbose_name_plural = _("followed games")
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="followed_game_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game_id}"
