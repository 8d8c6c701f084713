"""When the time of a person does not count, for the page on which they choose it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import User
from games.board.clocks import describe_vacation
from games.clocks import VACATION_DAYS, Change, Hours
from games.models import calendars_of


@dataclass(frozen=True)
class VacationRow:
    """A vacation that is not over, in words."""

    pk: int
    text: str
    has_started: bool


@dataclass(frozen=True)
class OwnCalendar:
    """The calendar of a person as they see it.

    `hours` are the newest ones. They apply `since` an instant, which is None if they apply already.
    """

    hours: Hours
    since: datetime | None
    vacations: Sequence[VacationRow]
    days_left: int
    year: int


def own_calendar(user: User) -> OwnCalendar:
    """Return the calendar of a person as they see it."""
    now, calendar = timezone.now(), calendars_of([user.pk])[user.pk]
    newest = calendar.changes[-1] if calendar.changes else Change(now, Hours(zone_of(user.time_zone)))
    rows = user.vacations.filter(ends_at__gt=now)
    year = now.astimezone(newest.hours.zone).year
    return OwnCalendar(
        hours=newest.hours,
        since=newest.start if newest.start > now else None,
        vacations=[
            VacationRow(row.pk, describe_vacation(row.span, now), row.starts_at <= now) for row in rows
        ],
        days_left=VACATION_DAYS - calendar.vacation_days(year),
        year=year,
    )
