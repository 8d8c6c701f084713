"""Private notes of players, and the lines that they have tried."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game

LONGEST_NOTE = 5000  # characters
MOST_LINES = 20  # that a player can keep in a game
LONGEST_LINE_TEXT = 1000  # characters
LONGEST_LINE_NAME = 120  # characters


def version_of_note(text: str) -> str:
    """Return what tells the text of a note from other texts: 16 digits of its hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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


class TryLine(models.Model):
    """A line that a player has tried. Nobody else may learn that it exists, not even administrators."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="try_lines", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="try_lines", verbose_name=_("player")
    )
    start = models.PositiveIntegerField(
        _("start"), help_text=_("the number of the action after which it begins")
    )
    text = models.CharField(
        _("actions"), max_length=LONGEST_LINE_TEXT, help_text=_("as in the address of its page")
    )
    name = models.CharField(_("name"), max_length=LONGEST_LINE_NAME, blank=True)

    class Meta:
        verbose_name = _("try line")
        verbose_name_plural = _("try lines")
        ordering = ("start", "pk")
        constraints = [
            models.UniqueConstraint(fields=["game", "user", "start", "text"], name="try_line_once_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.user_id} {self.start}"
