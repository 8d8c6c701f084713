"""When the time of players does not count: for the others, and for the page on which they choose it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import User
from games.board.clocks import describe_pauses, describe_vacation
from games.clocks import PACES, VACATION_DAYS, Change, Hours
from games.models import Game, Seat, calendars_of


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


def pauses_of(game: Game, seats: Iterable[Seat]) -> dict[int | None, str]:
    """Return the pauses of the people on these seats in words, by user; none where all time counts."""
    if game.is_over or game.pace not in PACES or not PACES[game.pace].has_pauses:
        return {}
    now = timezone.now()
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    return {user: describe_pauses(calendar, now) for user, calendar in calendars_of(people).items()}
