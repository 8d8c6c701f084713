"""Time zones, instants and local days.

An instant is an aware datetime in UTC. Functions of this library accept any aware datetime and convert it
first, because Python compares and subtracts two datetimes with the same zone by their wall clocks, which is
wrong across a change to summer time (https://docs.python.org/3/library/datetime.html, "aware").

Zones are those of the IANA database (https://www.iana.org/time-zones, theory.html).
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from games.clocks.errors import UnknownZone

ONE_DAY = timedelta(days=1)


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone with this name. Raises UnknownZone if there is none.

    >>> zone_named("Europe/Berlin")
    zoneinfo.ZoneInfo(key='Europe/Berlin')
    >>> zone_named("Europe/Atlantis")
    Traceback (most recent call last):
    games.clocks.errors.UnknownZone: There is no time zone “Europe/Atlantis”.
    """
    try:
        return ZoneInfo(name)
    # A name such as "../x" is a ValueError, "Europe" is a directory, and some systems refuse long names.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(f"There is no time zone “{name}”.") from None


def as_instant(moment: datetime) -> datetime:
    """Return an aware datetime in UTC. Raises ValueError for a datetime without a zone."""
    if moment.tzinfo is None:
        raise ValueError("An instant needs a time zone.")
    return moment.astimezone(UTC)


def instant_at(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the instant at which clocks in the zone show this date and time.

    If they show it twice, it is the first time. If they skip it, it is read with the UTC offset before the
    gap. Both are the definition of RFC 5545, section 3.3.5, "Form #3: date with local time and time zone
    reference"; and what Python does with `fold=0` (PEP 495).

    >>> new_york = ZoneInfo("America/New_York")
    >>> instant_at(date(2007, 11, 4), time(1, 30), new_york).isoformat()  # the first of two
    '2007-11-04T05:30:00+00:00'
    >>> instant_at(date(2007, 3, 11), time(2, 30), new_york).isoformat()  # skipped: 3:30 in summer time
    '2007-03-11T07:30:00+00:00'
    """
    return datetime.combine(day, at, zone).astimezone(UTC)


@lru_cache(maxsize=4096)
def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant at which a local day starts.

    If the zone skips the whole day, the day starts when the next one does, and is empty.

    >>> apia = ZoneInfo("Pacific/Apia")
    >>> midnight(date(2011, 12, 30), apia) == midnight(date(2011, 12, 31), apia)
    True
    """
    return instant_at(day, time.min, zone)


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    """Return the local day of an instant: the last one that has started.

    This is the date on local clocks, except where they are set back over midnight (America/St_Johns went from
    0:01 to 23:01 until 2011): the new day has started there, and does not start a second time.

    >>> st_johns = ZoneInfo("America/St_Johns")
    >>> second_evening = datetime(2010, 11, 7, 3, tzinfo=UTC)
    >>> second_evening.astimezone(st_johns).isoformat()
    '2010-11-06T23:30:00-03:30'
    >>> local_day(second_evening, st_johns)
    datetime.date(2010, 11, 7)
    """
    day = instant.astimezone(zone).date()
    while midnight(day + ONE_DAY, zone) <= instant:
        day += ONE_DAY
    while midnight(day, zone) > instant:
        day -= ONE_DAY
    return day


def days_from(day: date, step: int = 1) -> Iterator[date]:
    """Yield the day and every `step`-th day after it, without end."""
    while True:
        yield day
        day += timedelta(days=step)
