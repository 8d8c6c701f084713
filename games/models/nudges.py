"""Nudges: by one press, a player asks another who has not moved for a day to move."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.actions import choice_began_at
from games.models.calendars import Vacation
from games.models.games import Game
from games.models.outages import time_after
from games.models.seats import Seat

# A nudge is possible this long after the last action, and this long after the last nudge.
PATIENCE = timedelta(days=1)


class Nudge(models.Model):
    """A nudge of an awaited player. Rows never change."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="nudges", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("nudged player")
    )
    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("sender")
    )
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("nudge")
        verbose_name_plural = _("nudges")
        ordering = ["game", "pk"]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.at}"


def may_nudge_from(seat: Seat) -> datetime:
    """Return when the others may nudge the player of an awaited seat: after a day, or a day after a nudge.

    The day begins later if the player got their seat later. Nobody nudges a player on vacation, and time in
    which the site was down does not count.
    """
    game, user = seat.game, seat.user_id
    nudged_at = game.nudges.filter(user=user).values_list("at", flat=True)
    seated_at = game.seat_changes.filter(user=user).values_list("at", flat=True)
    last = max([choice_began_at(seat), *nudged_at, *seated_at])
    start = time_after(last, PATIENCE)
    away = Vacation.objects.filter(user=user, starts_at__lte=max(start, timezone.now()), ends_at__gt=start)
    return max([start, *away.values_list("ends_at", flat=True)])
