"""The clocks of turn-based games, as a library: allowance, pauses and time zones in, deadline out.

Everything is a value, and no function reads the time of day: callers pass `now`.

>>> from datetime import datetime, time, timedelta
>>> berlin = zone_named("Europe/Berlin")
>>> calendar = Calendar(Hours(berlin, Sleep(time(23), time(7)), day_off=6))
>>> clock = Clock(PACES["day"], calendar)
>>> friday = datetime(2024, 3, 29, 18, tzinfo=berlin)
>>> # 5 h on Friday, 16 h on Saturday, 3 h on Monday
>>> clock.deadline(PACES["day"].bank, friday).astimezone(berlin).isoformat()
'2024-04-01T10:00:00+02:00'
>>> saturday = datetime(2024, 3, 30, 9, tzinfo=berlin)
>>> bank = clock.bank_after([Turn(friday, saturday)])  # 24 h - 7 h + 12 h
>>> bank / timedelta(hours=1)
29.0
"""

from games.clocks.banks import LIVE_PACES, PACES, Clock, Pace, Turn
from games.clocks.calendars import BETWEEN_CHANGES, NO_PAUSES, VACATION_DAYS, Calendar, Change
from games.clocks.changes import GRACE, TurnInProgress, first_deadline, start_of_change
from games.clocks.counting import counted, deadline, deadline_after_vacation, latest_start
from games.clocks.errors import BadHours, BadVacation, ClockError, NotEnoughVacation, UnknownZone
from games.clocks.habits import MOST_ANSWERS, Estimate, Habits, estimate
from games.clocks.pauses import LONGEST_SLEEP, Hours, Kind, Pause, Sleep, Vacation, joined
from games.clocks.reliability import GAMES_COUNTED, GAMES_OF_NEWCOMERS, Attended, Reliability
from games.clocks.running import RunningClocks
from games.clocks.zones import instant_at, local_day, midnight, zone_named

__all__ = [
    "BETWEEN_CHANGES",
    "GAMES_COUNTED",
    "GAMES_OF_NEWCOMERS",
    "GRACE",
    "LIVE_PACES",
    "LONGEST_SLEEP",
    "MOST_ANSWERS",
    "NO_PAUSES",
    "PACES",
    "VACATION_DAYS",
    "Attended",
    "BadHours",
    "BadVacation",
    "Calendar",
    "Change",
    "Clock",
    "ClockError",
    "Estimate",
    "Habits",
    "Hours",
    "Kind",
    "NotEnoughVacation",
    "Pace",
    "Pause",
    "Reliability",
    "RunningClocks",
    "Sleep",
    "Turn",
    "TurnInProgress",
    "UnknownZone",
    "Vacation",
    "counted",
    "deadline",
    "deadline_after_vacation",
    "estimate",
    "first_deadline",
    "instant_at",
    "joined",
    "latest_start",
    "local_day",
    "midnight",
    "start_of_change",
    "zone_named",
]
