"""Times of day in a person's own time zone."""

from datetime import UTC, datetime, time, timedelta
from functools import cache
from math import ceil
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.models import User

A_DAY = timedelta(days=1)
# A longer wait is said in hours.
LONGEST_IN_MINUTES = 90
# The zone of the device, which `zone.js` stores for people who have not chosen a zone.
COOKIE = "zone"


@cache
def zone_names() -> list[str]:
    """Return the names of the time zones that people can choose: UTC, and places such as Europe/Berlin."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ["UTC", *sorted(places)]


def zone_choices(stored: str) -> list[tuple[str, str]]:
    """Return the choices of a form for a time zone, with the stored one, whether or not others can choose it.

    Without it, the form would show another one, and store that.
    """
    others = [] if stored in ("", *zone_names()) else [stored]
    return [(name, name.replace("_", " ")) for name in [*others, *zone_names()]]


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with this name; the zone of the site without a name, or if there is none.

    A stored name can be missing in the time zone database of another server or a later year.
    """
    try:
        return ZoneInfo(name or settings.TIME_ZONE)
    # A name such as "../x" is a ValueError, and "Europe" is a directory.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(settings.TIME_ZONE)


def zone_name_of(request: HttpRequest) -> str:
    """Return the name of the time zone in which a person reads pages; empty if nothing is known.

    It is the one that they have chosen. Visitors have that of their device.
    """
    if isinstance(request.user, User):
        return request.user.time_zone
    return device_zone_of(request)


def device_zone_of(request: HttpRequest) -> str:
    """Return the name of the time zone of the device; empty if its browser has not sent a known one."""
    name = request.COOKIES.get(COOKIE, "")
    return name if name in zone_names() else ""


@receiver(user_logged_in)
def keep_device_zone(request: HttpRequest, user: User, **_signal: object) -> None:
    """Store the time zone of the device for a person who has none: a new guest or account, or a log-in."""
    if not user.time_zone and (zone := device_zone_of(request)):
        user.time_zone = zone
        User.objects.filter(pk=user.pk, time_zone="").update(time_zone=zone)


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


def when_again(wait: timedelta) -> str:
    """Return the sentence that says when somebody may try again what a limit refuses now.

    >>> when_again(timedelta(seconds=61))
    'Please try again in 2 minutes.'
    """
    minutes = max(1, ceil(wait / timedelta(minutes=1)))
    if minutes <= LONGEST_IN_MINUTES:
        text = ngettext(
            "Please try again in %(count)d minute.", "Please try again in %(count)d minutes.", minutes
        )
        return text % {"count": minutes}
    hours = ceil(wait / timedelta(hours=1))
    text = ngettext("Please try again in %(count)d hour.", "Please try again in %(count)d hours.", hours)
    return text % {"count": hours}


def _moment(local: datetime, zone: ZoneInfo) -> datetime:
    # Arithmetic on local times ignores changes of the clock, so the result is in UTC.
    return local.replace(tzinfo=zone).astimezone(UTC)
