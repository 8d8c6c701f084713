"""Watches: which game a person without a seat looks at."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.seats import PRESENCE


class WatchQuerySet(models.QuerySet["Watch"]):
    def here(self, now: datetime) -> WatchQuerySet:
        """Return the watches of people who have seen a page of their game within the last minute."""
        return self.seen_between(now - PRESENCE, now + PRESENCE)

    def seen_between(self, after: datetime, before: datetime) -> WatchQuerySet:
        return self.filter(seen_at__gt=after, seen_at__lt=before)


class Watch(models.Model):
    """The game without a seat of theirs that a person has looked at last. Only the number of them is shown.

    A person has one, so they count once, and no row needs to be removed.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="watch", verbose_name=_("person")
    )
    game = models.ForeignKey(Game, models.CASCADE, related_name="watches", verbose_name=_("game"))
    seen_at = models.DateTimeField(_("seen"))

    objects = WatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("watch")
        verbose_name_plural = _("watches")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game_id}"
