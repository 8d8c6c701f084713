"""Actions: the entries of each game's log."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class Action(models.Model):
    """One entry of a game's log. `services.play` appends it; nothing changes or deletes it."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="actions", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"), help_text=_("from 1, without gaps"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    payload = models.JSONField(_("action"), help_text=_("in the record format"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("made by")
    )
    request_id = models.UUIDField(_("request"))
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="action_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "request_id"], name="action_request_once_a_game"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"
