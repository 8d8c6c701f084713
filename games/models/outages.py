"""When the site was up: the parts of the site that work now, and the times in which one of them was down."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.clocks import NO_PAUSES, Kind, Pause, deadline, latest_start


class SitePart(models.Model):
    """A part of the site. It renews its row every second while it works, and nothing else does."""

    class Name(models.TextChoices):
        SWEEP = "sweep", _("sweep")  # with Celery beat, which starts it
        WEB = "web", _("web pages")
        MAILS = "mails", _("notifications")
        QUICK = "quick", _("short tasks")

    name = models.CharField(_("name"), max_length=8, choices=Name, primary_key=True)
    # Since then it has been seen without a longer break.
    up_since = models.DateTimeField(_("up since"))
    seen_at = models.DateTimeField(_("last seen"))

    class Meta:
        verbose_name = _("part of the site")
        verbose_name_plural = _("parts of the site")

    def __str__(self) -> str:
        return self.name


class OutageQuerySet(models.QuerySet["Outage"]):
    def pending(self) -> OutageQuerySet:
        """Return the outages whose time some clocks have not got back yet."""
        return self.filter(given_to__isnull=False)

    def real(self) -> OutageQuerySet:
        """Return the outages without those that were none, because only the clock was wrong."""
        return self.filter(ended_at__gt=models.F("started_at"))


class Outage(models.Model):
    """A time in which a part of the site was down, so that no clock ran. Those of several parts overlap."""

    started_at = models.DateTimeField(_("start"))
    ended_at = models.DateTimeField(_("end"))
    # Whether nobody knows if the site was down: it noted nothing before. Players read nothing about it.
    is_assumed = models.BooleanField(_("assumed"), default=False, db_default=False)
    # The games up to this id have their time back; null when all have.
    given_to = models.BigIntegerField(_("given back to"), null=True, default=0)

    objects = OutageQuerySet.as_manager()

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["ended_at", "pk"]
        indexes = [
            models.Index(fields=["ended_at"], name="outage_ended"),
            models.Index(
                fields=["given_to"], name="outage_pending", condition=models.Q(given_to__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.started_at}: {self.ended_at - self.started_at}"

    @property
    def pause(self) -> Pause:
        """The outage as a pause of everybody's clocks."""
        return Pause(self.started_at, self.ended_at, (Kind.OUTAGE,))


def outages_since(
    start: datetime, until: datetime | None = None, *, only_known: bool = False
) -> tuple[Pause, ...]:
    """Return the outages that ended after an instant, in the order of their ends. They may overlap.

    With `until`, later ones are left out. Clocks also get the time of those back that are only assumed.
    """
    outages = Outage.objects.real().filter(ended_at__gt=start)
    if until is not None:
        outages = outages.filter(started_at__lt=until)
    return tuple(outage.pause for outage in outages if not (only_known and outage.is_assumed))


def time_before(now: datetime, span: timedelta) -> datetime:
    """Return the instant since which the site has been up for a span of time.

    Who has this span to answer, and was asked before that instant, has had it with a site that answers.
    """
    outages = Outage.objects.real().order_by("-ended_at")
    return latest_start((outage.pause for outage in outages.iterator(chunk_size=100)), now, span)


def time_after(start: datetime, span: timedelta) -> datetime:
    """Return when the site has been up for a span of time since an instant, as far as is known now."""
    return deadline(replace(NO_PAUSES, outages=outages_since(start)), start, span)
