"""When the time of a person does not count, for the page on which they choose it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import User
from games.clocks import (
    VACATION_DAYS,
    Calendar,
    Change,
    Hours,
    TurnInProgress,
    first_deadline,
    start_of_change,
)
from games.models import Vacation, calendars_of, turns_in_progress
from games.shown.clocks import describe_vacation


@dataclass(frozen=True)
class VacationRow:
    """A vacation that is not over, in words, and what happens if the person ends it now.

    It would end now, or `later` if that is an instant; then the first clock of the person runs out at
    `deadline`. It can't end earlier than planned if `is_fixed`.
    """

    pk: int
    text: str
    has_started: bool
    later: datetime | None
    deadline: datetime | None
    is_fixed: bool


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
    now, calendar = timezone.now(), _calendar_of(user)
    newest = calendar.changes[-1] if calendar.changes else Change(now, calendar.hours)
    turns = turns_in_progress(user.pk)
    year = now.astimezone(newest.hours.zone).year
    return OwnCalendar(
        hours=newest.hours,
        since=newest.start if newest.start > now else None,
        vacations=[_row(row, calendar, turns, now) for row in user.vacations.filter(ends_at__gt=now)],
        days_left=VACATION_DAYS - calendar.vacation_days(year),
        year=year,
    )


def first_own_deadline(user: User) -> datetime | None:
    """Return when the first of the clocks of a person runs out; None if none runs."""
    return first_deadline(_calendar_of(user), turns_in_progress(user.pk))


def _calendar_of(user: User) -> Calendar:
    calendar = calendars_of([user.pk])[user.pk]
    return calendar if calendar.changes else replace(calendar, hours=Hours(zone_of(user.time_zone)))


def _row(row: Vacation, calendar: Calendar, turns: Sequence[TurnInProgress], now: datetime) -> VacationRow:
    end = partial(calendar.with_vacation_ended, row.span)
    at = start_of_change(end, calendar, turns, now)
    has_started = row.starts_at <= now
    return VacationRow(
        pk=row.pk,
        text=describe_vacation(row.span, now),
        has_started=has_started,
        later=at if at > max(now, row.starts_at) else None,
        deadline=first_deadline(end(at), turns),
        is_fixed=row.span.ended(at).end == row.span.end,
    )
