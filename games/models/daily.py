"""Daily deals: the same deal for everybody on one day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.deals import Deal


def today() -> date:
    """Return the day in UTC."""
    return timezone.now().astimezone(UTC).date()


class DailyDeal(models.Model):
    """The deal of one day for everybody, which is secret until the day is over."""

    day = models.DateField(_("day"), unique=True, help_text=_("in UTC"))
    deal = models.OneToOneField(Deal, models.PROTECT, related_name="daily", verbose_name=_("deal"))

    class Meta:
        verbose_name = _("daily deal")
        verbose_name_plural = _("daily deals")
        ordering = ["-day"]

    def __str__(self) -> str:
        return self.day.isoformat()

    @property
    def ends_at(self) -> datetime:
        """The midnight at the end of the day."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC)

    @property
    def is_over(self) -> bool:
        return timezone.now() >= self.ends_at
