"""Times of day in a person's own time zone."""

from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings

A_DAY = timedelta(days=1)


@cache
def zone_names() -> list[str]:
    """Return the names of the time zones that people can choose: UTC, and places such as Europe/Berlin."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ["UTC", *sorted(places)]


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with this name; without a name, the zone of the site."""
    return ZoneInfo(name or settings.TIME_ZONE)


def next_at(hour: int, zone_name: str, now: datetime) -> datetime:
    """Return the first moment after `now` at which a clock in the zone shows this hour.

    On a day whose clocks skip the hour, the moment is an hour later by the clock.

    >>> next_at(18, "Europe/Berlin", datetime(2026, 11, 22, 17, 0, tzinfo=UTC)).isoformat()
    '2026-11-23T17:00:00+00:00'
    """
    zone = zone_of(zone_name)
    day = now.astimezone(zone).date()
    moment = _moment(datetime.combine(day, time(hour)), zone)
    return moment if moment > now else _moment(datetime.combine(day, time(hour)) + A_DAY, zone)


def _moment(local: datetime, zone: ZoneInfo) -> datetime:
    # Arithmetic on local times ignores changes of the clock, so the result is in UTC.
    return local.replace(tzinfo=zone).astimezone(UTC)
