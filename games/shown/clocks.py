"""Clocks in words: paces, deadlines, and when the time of a player does not count."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.clocks import VACATION_DAYS, Calendar, Estimate, Vacation, local_day
from games.shown.words import join_words

# For the form of a new table. "none" is a game without a clock.
PACE_LABELS = {
    "slow": gettext_lazy("Slow: 7 days, +2 days a turn"),
    "day": gettext_lazy("A day: 24 hours, +12 hours a turn"),
    "live": gettext_lazy("Live: 10 min, +30 s a turn"),
    "live5": gettext_lazy("Live: 5 min, +10 s a turn"),
    "live3": gettext_lazy("Live: 3 min, +5 s a turn"),
    "none": gettext_lazy("No clock: nobody has to hurry"),
}
# For lists and tables.
PACE_FACTS = {
    "": gettext_lazy("no clock"),
    "live": gettext_lazy("10 minutes, +30 seconds a turn"),
    "live5": gettext_lazy("5 minutes, +10 seconds a turn"),
    "live3": gettext_lazy("3 minutes, +5 seconds a turn"),
    "day": gettext_lazy("1 day, +12 hours a turn"),
    "slow": gettext_lazy("7 days, +2 days a turn"),
}
# For buttons, the live paces only, the fastest first.
BRIEF_PACES = {
    "live3": gettext_lazy("3 min + 5 s"),
    "live5": gettext_lazy("5 min + 10 s"),
    "live": gettext_lazy("10 min + 30 s"),
}
A_MINUTE, AN_HOUR, A_DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def describe_time_left(left: timedelta) -> str:
    """Return how much time is left, rounded, in the largest unit of which there are at least two.

    `deadlines.js` writes the same words in the browser's language.

    >>> describe_time_left(timedelta(days=6, hours=23)), describe_time_left(timedelta(minutes=119))
    ('7 days left', '119 minutes left')
    """
    if left < A_MINUTE:
        return _("less than a minute left") if left > timedelta(0) else _("clock has run out")
    if left < 2 * AN_HOUR:
        minutes = round(left / A_MINUTE)
        return ngettext("%(count)d minute left", "%(count)d minutes left", minutes) % {"count": minutes}
    if left < 2 * A_DAY:
        return _("%(count)d hours left") % {"count": round(left / AN_HOUR)}
    return _("%(count)d days left") % {"count": round(left / A_DAY)}


def clock_face(left: timedelta) -> str:
    """Return a time as a clock shows it; `deadlines.js` adds tenths in the last ten seconds.

    >>> clock_face(timedelta(minutes=9, seconds=41)), clock_face(timedelta(hours=1, seconds=5))
    ('9:41', '1:00:05')
    >>> clock_face(timedelta(seconds=-1))
    '0:00'
    """
    minutes, seconds = divmod(max(left // timedelta(seconds=1), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def describe_move_by(deadline: datetime, zone: ZoneInfo) -> str:
    """Return until when the player to move has time, on the clocks of a zone.

    Messages are read at any time, so they never say how long that is.

    >>> from datetime import UTC
    >>> describe_move_by(datetime(2026, 6, 4, 12, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
    'Move by Thu 4 Jun, 14:00 (Europe/Berlin)'
    """
    return _("Move by %(when)s") % {"when": format_with_zone(deadline, zone)}


def describe_timeout(caretaker: str, levels: Mapping[str, object]) -> str:
    """Return what happens to a player whose time is up."""
    if caretaker:
        return _("If a player's time runs out, a bot (%(level)s) plays until they take the seat back.") % {
            "level": levels[caretaker]
        }
    return _("If a player's time runs out, that player loses and leaves the game.")


def describe_pauses(calendar: Calendar, now: datetime) -> str:
    """Return when the time of a person does not count, as the others read it; empty if it always counts.

    Times are those of the person: "Sleeps 22:00–08:00 (Europe/Berlin), Sunday off, on vacation until 3 June".
    """
    hours, parts = calendar.hours_at(now), []
    if hours.sleep:
        words = {
            "start": _format_time(hours.sleep.start),
            "end": _format_time(hours.sleep.end),
            "zone": hours.zone.key.replace("_", " "),
        }
        parts.append(_("sleeps %(start)s–%(end)s (%(zone)s)") % words)
    if hours.day_off is not None:
        parts.append(_("%(day)s off") % {"day": WEEKDAYS[hours.day_off]})
    parts += [
        describe_vacation(vacation, now)
        for vacation in sorted(calendar.vacations, key=lambda one: one.start)
        if vacation.end > now
    ]
    days = VACATION_DAYS - calendar.vacation_days(now.astimezone(hours.zone).year)
    if calendar.automatic_vacation and days > 0:
        parts.append(
            ngettext(
                "takes a vacation day automatically (%(count)d left)",
                "takes vacation days automatically (%(count)d left)",
                days,
            )
            % {"count": days}
        )
    text = join_words(parts)
    return text[:1].upper() + text[1:]


def describe_vacation(vacation: Vacation, now: datetime) -> str:
    """Return when a vacation is, as "on vacation until 3 June" or "on vacation from 1 to 3 June"."""
    last = date_format(local_day(vacation.end - timedelta.resolution, vacation.zone), "MONTH_DAY_FORMAT")
    if vacation.start <= now:
        return _("on vacation until %(last)s") % {"last": last}
    first = date_format(local_day(vacation.start, vacation.zone), "MONTH_DAY_FORMAT")
    return _("on vacation from %(first)s to %(last)s") % {"first": first, "last": last}


def describe_outage(start: datetime, end: datetime, zone: ZoneInfo) -> str:
    """Return how long the site was down, on which day of a zone.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    >>> describe_outage(noon, noon + timedelta(hours=3), ZoneInfo("UTC"))
    'The site was down for 3 hours on Mon 1 Jun. No clock ran.'
    """
    length, day = end - start, date_format(start.astimezone(zone), "D j M")
    if length < 2 * AN_HOUR:
        count = max(round(length / A_MINUTE), 1)
        words = ngettext(
            "The site was down for %(count)d minute on %(day)s. No clock ran.",
            "The site was down for %(count)d minutes on %(day)s. No clock ran.",
            count,
        )
    elif length < 2 * A_DAY:
        count = round(length / AN_HOUR)
        words = _("The site was down for %(count)d hours on %(day)s. No clock ran.")
    else:
        count = round(length / A_DAY)
        words = _("The site was down for %(count)d days from %(day)s on. No clock ran.")
    return words % {"count": count, "day": day}


def describe_estimate(turn: Estimate, zone: ZoneInfo, now: datetime) -> str:
    """Return when it is probably somebody's turn, as a span on the clocks of a zone.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    >>> describe_estimate(Estimate(noon + 20 * AN_HOUR, noon, noon + 34 * AN_HOUR), ZoneInfo("UTC"), noon)
    'Probably your turn tomorrow, 08:00–22:00'
    """
    start, end = (instant.astimezone(zone) for instant in (turn.start, turn.end))
    today = now.astimezone(zone).date()
    words = {
        "start": format_clock(start),
        "end": format_clock(end),
        "day": date_format(start, "D j M"),
        "last": date_format(end, "D j M"),
    }
    if turn.end - now < AN_HOUR:
        return _("Probably your turn within an hour")
    if start.date() != end.date():
        return _("Probably your turn from %(day)s, %(start)s to %(last)s, %(end)s") % words
    if start.date() == today:
        return _("Probably your turn today, %(start)s–%(end)s") % words
    if start.date() == today + A_DAY:
        return _("Probably your turn tomorrow, %(start)s–%(end)s") % words
    return _("Probably your turn on %(day)s, %(start)s–%(end)s") % words


def format_deadline(at: datetime, zone: ZoneInfo) -> str:
    """Return an instant on the clocks of a zone: "Tue 2 Jun, 14:00".

    Where clocks show the same time twice, it has the offset from UTC.

    >>> from datetime import UTC
    >>> lord_howe = ZoneInfo("Australia/Lord_Howe")
    >>> first = datetime(2027, 4, 3, 14, 45, tzinfo=UTC)
    >>> format_deadline(first, lord_howe), format_deadline(first + timedelta(minutes=30), lord_howe)
    ('Sun 4 Apr, 01:45 (UTC+11)', 'Sun 4 Apr, 01:45 (UTC+10:30)')
    """
    local = at.astimezone(zone)
    words = {"day": date_format(local, "D j M"), "time": format_clock(local)}
    return _("%(day)s, %(time)s") % words


def format_with_zone(at: datetime, zone: ZoneInfo) -> str:
    """Return an instant on the clocks of a zone, and which: "Tue 2 Jun, 14:00 (America/New York)".

    >>> from datetime import UTC
    >>> format_with_zone(datetime(2027, 11, 7, 5, 30, tzinfo=UTC), ZoneInfo("America/New_York"))
    'Sun 7 Nov, 01:30 (America/New York, UTC−4)'
    """
    local = at.astimezone(zone)
    words = {
        "day": date_format(local, "D j M"),
        "time": time_format(local.time(), "TIME_FORMAT"),
        "zone": describe_zone(at, zone) if _is_shown_twice(local) else zone.key.replace("_", " "),
    }
    return _("%(day)s, %(time)s (%(zone)s)") % words


def describe_zone(at: datetime, zone: ZoneInfo) -> str:
    """Return the name of a zone, and its offset from UTC at an instant: "America/New York, UTC−4"."""
    offset = format_offset(at.astimezone(zone))
    return offset if zone.key == "UTC" else f"{zone.key.replace('_', ' ')}, {offset}"


def format_clock(local: datetime) -> str:
    """Return the time of day of a local time; with its offset from UTC if clocks show it twice."""
    shown = time_format(local.time(), "TIME_FORMAT")
    return f"{shown} ({format_offset(local)})" if _is_shown_twice(local) else shown


def _is_shown_twice(local: datetime) -> bool:
    """Return whether clocks show the date and time of an instant twice, because they are set back."""
    # In a gap the offsets differ too, but clocks show no instant with such a time.
    return local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()


def format_offset(local: datetime) -> str:
    """Return the offset of a local time from UTC.

    >>> format_offset(datetime(2026, 6, 1, tzinfo=ZoneInfo("Asia/Kathmandu")))
    'UTC+5:45'
    """
    minutes = round((local.utcoffset() or timedelta(0)) / A_MINUTE)
    hours, rest = divmod(abs(minutes), 60)
    sign = "" if minutes == 0 else "+" if minutes > 0 else "−"
    return f"UTC{sign}" + (f"{hours}" if minutes else "") + (f":{rest:02}" if rest else "")


def _format_time(at: time) -> str:
    return f"{at:%H:%M}"
