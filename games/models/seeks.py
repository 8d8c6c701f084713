"""Seeks: people who look for somebody to play a live game with immediately."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.paces import Pace

SEEK_TIME = timedelta(minutes=1)
# After a search, its page says for so long that nobody came; later it is a new page.
IN_VAIN_SHOWN = timedelta(minutes=10)
# Since the page of a person has last asked. It asks every two seconds, without scripts every four.
SEEK_PRESENCE = timedelta(seconds=8)


class SeekQuerySet(models.QuerySet["Seek"]):
    def waiting(self, now: datetime) -> SeekQuerySet:
        """Return those that wait, on pages that have asked lately."""
        return self.filter(game=None, at__gt=now - SEEK_TIME, seen_at__gt=now - SEEK_PRESENCE)


class Seek(models.Model):
    """A person who looks for others, or the `game` that was found. A person has one, the latest."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="seek", verbose_name=_("person")
    )
    title = models.CharField(_("title"), max_length=24)
    # Processes of the release before store no pace.
    pace = models.CharField(
        _("pace"), max_length=8, choices=Pace, default=Pace.LIVE_5, db_default=Pace.LIVE_5
    )
    request_id = models.UUIDField(_("request"))
    nonce = models.CharField(_("nonce"), max_length=64, blank=True)
    at = models.DateTimeField(_("time"))
    seen_at = models.DateTimeField(_("seen"))
    game = models.ForeignKey(
        Game, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("game")
    )

    objects = SeekQuerySet.as_manager()

    class Meta:
        verbose_name = _("seek")
        verbose_name_plural = _("seeks")
        ordering = ["at", "pk"]
        # A row stays for each person who has ever found somebody.
        indexes = [models.Index(fields=["at"], condition=models.Q(game=None), name="seek_waiting")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.title}"

    def waits(self, now: datetime) -> bool:
        """Return whether the person still waits for others."""
        return self.game_id is None and self.at > now - SEEK_TIME

    def was_in_vain(self, now: datetime) -> bool:
        """Return whether the person waited to the end of the search, a short while ago, and nobody came."""
        waited = self.seen_at - self.at > SEEK_TIME - SEEK_PRESENCE
        return waited and self.game_id is None and SEEK_TIME <= now - self.at < SEEK_TIME + IN_VAIN_SHOWN

    def has_waited(self, now: datetime) -> timedelta:
        """Return for how long the person has waited."""
        return max(now - self.at, timedelta(0))
