"""Notifications that players are owed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class NotificationQuerySet(models.QuerySet["Notification"]):
    def pending(self) -> NotificationQuerySet:
        return self.filter(sent_at=None, dropped_at=None)


class Notification(models.Model):
    """A message that a player is owed. It is stored with the action that causes it, and sent later."""

    class Kind(models.TextChoices):
        TURN = "turn", _("your turn")
        TABLE = "table", _("table closes soon")
        INVITATION = "invite", _("invitation")

    game = models.ForeignKey(Game, models.CASCADE, related_name="notifications", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    version = models.PositiveIntegerField(_("actions"), help_text=_("stored when the turn began"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    error = models.TextField(_("last error"), blank=True)
    refused_at = models.DateTimeField(
        _("refused"), null=True, help_text=_("since when the server refuses the address")
    )
    sent_at = models.DateTimeField(_("sent"), null=True)
    dropped_at = models.DateTimeField(_("dropped"), null=True)
    why_dropped = models.CharField(_("why dropped"), max_length=20, blank=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "kind", "version"], name="notification_once_a_turn"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="notification_due", condition=Q(sent_at=None, dropped_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id}#{self.version}"
