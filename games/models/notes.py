"""Private notes of players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game

LONGEST_NOTE = 5000  # characters


class PrivateNote(models.Model):
    """What a player has noted about a game. Nobody else may learn that it exists, not even administrators."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="private_notes", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="private_notes",
        verbose_name=_("player"),
    )
    text = models.TextField(_("text"), max_length=LONGEST_NOTE)

    class Meta:
        verbose_name = _("private note")
        verbose_name_plural = _("private notes")
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="private_note_once_a_player")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.user_id}"
