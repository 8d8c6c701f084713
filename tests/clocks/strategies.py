"""Random calendars and instants, most of them near a change of clocks, a leap day or New Year."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from games.clocks import LONGEST_SLEEP, Calendar, Change, Hours, Sleep, Vacation, local_day, midnight

# Zones with an instant near which something happens to their clocks or dates.
NEAR = [
    ("Europe/Berlin", datetime(2024, 3, 31, 1, tzinfo=UTC)),
    ("Europe/Berlin", datetime(2024, 10, 27, 1, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2024, 4, 6, 15, tzinfo=UTC)),  # half an hour
    ("Australia/Lord_Howe", datetime(2024, 10, 5, 15, 30, tzinfo=UTC)),
    ("Antarctica/Troll", datetime(2024, 3, 31, 1, tzinfo=UTC)),  # two hours
    ("Pacific/Apia", datetime(2011, 12, 30, 10, tzinfo=UTC)),  # skips 30 December
    ("America/Sao_Paulo", datetime(2018, 11, 4, 3, tzinfo=UTC)),  # skips midnight
    ("America/Havana", datetime(2024, 11, 3, 5, tzinfo=UTC)),  # has midnight twice
    ("America/St_Johns", datetime(2010, 11, 7, 2, 31, tzinfo=UTC)),  # from 0:01 back to the day before
    ("Africa/Casablanca", datetime(2024, 3, 10, 2, tzinfo=UTC)),  # winter time in Ramadan
    ("Asia/Kathmandu", datetime(2024, 2, 29, tzinfo=UTC)),
    ("UTC", datetime(2024, 12, 31, tzinfo=UTC)),
]
# One of them for all values of an example, so that zones and instants meet.
near = st.shared(st.sampled_from(NEAR), key="near")
zones = near.map(lambda near: ZoneInfo(near[0])) | st.sampled_from(sorted({*NEAR})).map(
    lambda near: ZoneInfo(near[0])
)
# In these zones, a local day has always had 24 hours since 1990.
steady_zones = st.sampled_from(["UTC", "Asia/Kathmandu", "America/Phoenix", "Asia/Tokyo"]).map(ZoneInfo)

allowances = st.timedeltas(timedelta(0), timedelta(days=14))
local_times = st.builds(time, st.integers(0, 23), st.sampled_from([0, 1, 15, 30, 59]))


@st.composite
def instants(draw: st.DrawFn) -> datetime:
    """Draw an instant within twelve days of the special one of this example."""
    _, special = draw(near)
    whole_minutes = timedelta(minutes=draw(st.integers(-12 * 1440, 12 * 1440)))
    return special + whole_minutes + timedelta(microseconds=draw(st.sampled_from([0, 0, 1, 59_999_999])))


@st.composite
def sleeps(draw: st.DrawFn) -> Sleep:
    """Draw sleeping hours."""
    start = draw(local_times)
    length = timedelta(minutes=draw(st.integers(1, LONGEST_SLEEP // timedelta(minutes=1))))
    return Sleep(start, (datetime.combine(datetime.min, start) + length).time())


def hours(zones: st.SearchStrategy[ZoneInfo]) -> st.SearchStrategy[Hours]:
    """Return a strategy for the hours of a person."""
    return st.builds(Hours, zones, st.none() | sleeps(), st.none() | st.integers(0, 6))


@st.composite
def vacations(draw: st.DrawFn, zones: st.SearchStrategy[ZoneInfo]) -> Vacation:
    """Draw a vacation that starts at any instant and ends at midnight."""
    zone = draw(zones)
    start = draw(instants())
    return Vacation(
        start, midnight(local_day(start, zone) + timedelta(days=draw(st.integers(1, 10))), zone), zone
    )


@st.composite
def calendars(draw: st.DrawFn, zones: st.SearchStrategy[ZoneInfo] = zones) -> Calendar:
    """Draw a calendar with up to three changes and three vacations, which may overlap."""
    starts = sorted(draw(st.lists(instants(), max_size=3)))
    return Calendar(
        draw(hours(zones)),
        tuple(Change(start, draw(hours(zones))) for start in starts),
        tuple(draw(st.lists(vacations(zones), max_size=3))),
        automatic_vacation=draw(st.booleans()),
    )
