"""Strict readers of feeds: they refuse whatever the standards refuse, which most programs forgive."""

from pathlib import Path

from ical.calendar_stream import IcsCalendarStream
from icalendar import Calendar, Event
from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"
SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("atom.rng")))
# RFC 5545, section 3.6, and RFC 7986, section 4. Others are extensions, whose names begin with X-.
CALENDAR_PROPERTIES = {"PRODID", "VERSION", "CALSCALE", "METHOD", "NAME", "REFRESH-INTERVAL", "LAST-MODIFIED"}
LONGEST_LINE = 75  # octets, without the line break


def read_atom(body: bytes) -> etree._Element:
    """Return an Atom feed; fail if it breaks a rule of RFC 4287."""
    feed = etree.fromstring(body)
    SCHEMA.assertValid(feed)
    [self_link] = feed.findall(f"{ATOM}link[@rel='self']")
    assert self_link.get("href")
    entries = feed.findall(f"{ATOM}entry")
    for one in [feed, *entries]:
        kinds = [(link.get("rel", "alternate"), link.get("type")) for link in one.findall(f"{ATOM}link")]
        assert len(kinds) == len(set(kinds)), "two links say the same"
    ids = [one.findtext(f"{ATOM}id") for one in [feed, *entries]]
    assert len(ids) == len(set(ids)), "an id is not unique"
    return feed


def entries_of(body: bytes) -> list[tuple[str, str, str]]:
    """Return the id, the time and the title of each entry of a valid Atom feed."""
    names = ("id", "updated", "title")
    entries = read_atom(body).findall(f"{ATOM}entry")
    return [tuple(entry.findtext(f"{ATOM}{name}", "") for name in names) for entry in entries]


def read_calendar(body: bytes) -> Calendar:
    """Return a calendar; fail if it breaks a rule of RFC 5545."""
    assert body.endswith(b"\r\n")
    lines = body.removesuffix(b"\r\n").split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= LONGEST_LINE
    for line in lines:
        line.decode()  # No character is cut in two.
    IcsCalendarStream.calendar_from_ics(body.decode())
    calendar = Calendar.from_ical(body)
    names = [name for name, _value in calendar.property_items(recursive=False)]
    assert {one for one in names if not one.startswith("X-")} - {"BEGIN", "END"} <= CALENDAR_PROPERTIES
    for name in ("PRODID", "VERSION"):
        assert names.count(name) == 1
    assert calendar.subcomponents, "a calendar has at least one component"
    events = calendar.walk("VEVENT")
    for event in events:
        _check_event(event)
        assert "METHOD" not in calendar or "ORGANIZER" in event, "RFC 5546, section 3.2"
    uids = [str(event["UID"]) for event in events]
    assert len(uids) == len(set(uids))
    zones = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
    assert {event["DTSTART"].params.get("TZID", "Etc/UTC") for event in events} <= zones
    return calendar


def _check_event(event: Event) -> None:
    assert not event.errors
    assert event.walk("VEVENT")[0] is event
    for name in ("UID", "DTSTAMP", "DTSTART"):
        assert not isinstance(event[name], list), f"{name} is there more than once"
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        assert event[name].to_ical().endswith(b"Z"), f"{name} is in UTC"
    assert ("DTEND" in event) != ("DURATION" in event)
    assert event.decoded("DTSTART") < event.end
    assert int(event["SEQUENCE"]) >= 0
