"""The calendars of people: the hours and vacations in which their time does not count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.clock import zone_of
from games.clocks import PACES, Calendar, Change, Hours, Sleep, TurnInProgress
from games.clocks import Vacation as ClockVacation
from games.models.games import Game
from games.models.outages import outages_since
from games.models.seats import Seat

UTC = Hours(zone_of("UTC"))


class HoursChange(models.Model):
    """The sleeping hours and the day off of a person from an instant on. Those of the past never change."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="hours_changes", verbose_name=_("player")
    )
    starts_at = models.DateTimeField(_("start"))
    time_zone = models.CharField(_("time zone"), max_length=40)
    sleep_start = models.TimeField(_("sleeps from"), null=True)
    sleep_end = models.TimeField(_("sleeps until"), null=True)
    day_off = models.PositiveSmallIntegerField(_("day off"), null=True, help_text=_("0 is Monday"))

    class Meta:
        verbose_name = _("change of hours")
        verbose_name_plural = _("changes of hours")
        constraints = [models.UniqueConstraint(fields=["user", "starts_at"], name="hours_change_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.starts_at}"

    @property
    def hours(self) -> Hours:
        """The hours as a value."""
        sleep = None
        if self.sleep_start is not None and self.sleep_end is not None:
            sleep = Sleep(self.sleep_start, self.sleep_end)
        return Hours(zone_of(self.time_zone), sleep, self.day_off)


class Vacation(models.Model):
    """A vacation of a person: planned, or started by itself instead of losing on time."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations", verbose_name=_("player")
    )
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"))
    time_zone = models.CharField(_("time zone"), max_length=40)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering = ["starts_at", "pk"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.starts_at}"

    @property
    def span(self) -> ClockVacation:
        """The vacation as a value."""
        return ClockVacation(self.starts_at, self.ends_at, zone_of(self.time_zone))


def calendars_of(user_ids: Iterable[int | None], *, are_stored: bool = True) -> dict[int | None, Calendar]:
    """Return the calendar of each of these people, with two queries; None has one without pauses.

    If none of theirs `are_stored`, as the caller knows, there is no query.
    """
    ids = set(user_ids)
    if not are_stored:
        return {pk: Calendar(UTC) for pk in ids}
    changes: defaultdict[int | None, list[Change]] = defaultdict(list)
    vacations: defaultdict[int | None, list[ClockVacation]] = defaultdict(list)
    for change in HoursChange.objects.filter(user__in=ids - {None}).order_by("starts_at"):
        changes[change.user_id].append(Change(change.starts_at, change.hours))
    for vacation in Vacation.objects.filter(user__in=ids - {None}):
        vacations[vacation.user_id].append(vacation.span)
    return {pk: Calendar(UTC, tuple(changes[pk]), tuple(vacations[pk])) for pk in ids}


def turns_in_progress(user_id: int) -> list[TurnInProgress]:
    """Return the turns of a person whose clock runs."""
    seats = Seat.objects.filter(
        user=user_id, game__status=Game.Status.RUNNING, clock_started_at__isnull=False
    )
    rows = seats.values_list("game__pace", "bank", "clock_started_at")
    turns = [(pace, bank, start) for pace, bank, start in rows if bank is not None and start is not None]
    outages = outages_since(min(start for *_, start in turns)) if turns else ()
    return [TurnInProgress(PACES[pace], bank, start, outages) for pace, bank, start in turns]
