"""What the feeds of a person show, and their secret addresses."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, Timezone, TimezoneStandard

from accounts.models import User
from games.models import Game
from games.queries.runs import Run, runs_of
from games.queries.summaries import GameSummary, summaries

_signer = signing.Signer(salt="games.feeds")
MOST_TURNS = 100
# How often calendar programs ask again, if they respect it.
REFRESH = timedelta(hours=1)
# Some calendar programs hide an event without a length.
EVENT_LENGTH = timedelta(minutes=15)
# Characters that neither XML 1.0 nor iCalendar can have, not even escaped, and line breaks.
NOT_IN_TITLES = re.compile("[\\x00-\\x1f\\x7f-\\x9f\ufffe\uffff]+")


class TurnsFeed(Atom1Feed):
    """Django's Atom feed; one without turns is as old as the account, not new at each request."""

    def latest_post_date(self) -> datetime:
        """Return when the newest run of turns began."""
        if not self.items:
            since: datetime = self.feed["since"]
            return since
        return super().latest_post_date()


def feed_urls(user: User) -> dict[str, str]:
    """Return the absolute URLs of the person's feeds by name; none before they have asked for feeds."""
    if not user.feed_number:
        return {}
    token = _signer.sign_object([user.pk, user.feed_number])
    return {
        name: settings.SITE_URL + reverse(f"games:feed_{name}", args=[token])
        for name in ("turns", "deadlines")
    }


def reader_of_feed(token: str) -> User | None:
    """Return the person whose feed has this token; None if it is forged or was renewed."""
    try:
        pk, number = _signer.unsign_object(token)
    except signing.BadSignature:  # The signatures are compared in constant time.
        return None
    return User.objects.filter(pk=pk, feed_number=number, is_active=True, is_guest=False).first()


def atom_of(user: User) -> bytes:
    """Return the turns of the person as an Atom feed (RFC 4287). A new run of turns is a new entry.

    The same turns give the same bytes. No id changes when the person gets new addresses.
    """
    home = settings.SITE_URL + reverse("games:home")
    feed = TurnsFeed(
        title=_("%(site)s: your turns") % {"site": settings.SITE_NAME},
        link=home,
        description="",
        language=get_language(),
        author_name=settings.SITE_NAME,
        author_link=home,
        feed_url=feed_urls(user)["turns"],
        feed_guid=f"{home}#turns-of-{user.pk}",
        since=user.date_joined,
    )
    for turn, run in _waiting_turns(user):
        url = settings.SITE_URL + turn.url
        feed.add_item(
            title=_title(turn),
            link=url,
            description=_("It is your turn."),
            unique_id=f"{url}#{run.number}",
            updateddate=run.began_at,
        )
    atom = BytesIO()
    feed.write(atom, "utf-8")
    return atom.getvalue()


def calendar_of(user: User) -> bytes:
    """Return the deadlines of the person's turns as an iCalendar file (RFC 5545).

    The same deadlines give the same bytes. It has no METHOD, because it is a copy of a calendar and invites
    nobody.
    """
    calendar = Calendar()
    name = _("%(site)s deadlines") % {"site": settings.SITE_NAME}
    calendar.add("prodid", f"-//{settings.SITE_NAME}//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    # RFC 5545 asks for at least one component. No program shows a time zone.
    calendar.add_component(_utc())
    for turn, run in _waiting_turns(user):
        if turn.deadline is not None and turn.deadline > timezone.now():
            calendar.add_component(_event_of(turn.deadline, turn, run))
    return bytes(calendar.to_ical())


def _utc() -> Timezone:
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # A local time, as RFC 5545 asks for.
    standard.add("tzoffsetfrom", timedelta(0))
    standard.add("tzoffsetto", timedelta(0))
    standard.add("tzname", "UTC")
    zone.add_component(standard)
    return zone


def _event_of(deadline: datetime, turn: GameSummary, run: Run) -> Event:
    event = Event()
    host = settings.SITE_URL.rpartition("/")[2]
    changed_at = max(turn.game.deadline_changed_at or run.began_at, run.began_at)
    start = _to_seconds(deadline)
    # The same run of turns keeps its id, so that a moved deadline moves the event.
    event.add("uid", f"{turn.key}-{run.number}@{host}")
    event.add("dtstamp", _to_seconds(changed_at))
    event.add("last-modified", _to_seconds(changed_at))
    # It grows with each change, which is all that programs need.
    event.add("sequence", int((changed_at - run.began_at).total_seconds()))
    event.add("dtstart", start)
    event.add("dtend", start + EVENT_LENGTH)
    event.add("summary", _("Deadline: %(title)s") % {"title": _title(turn)})
    event.add("url", settings.SITE_URL + turn.url)
    # A deadline does not make its person busy.
    event.add("transp", "TRANSPARENT")
    return event


def _to_seconds(moment: datetime) -> datetime:
    """Return a moment as iCalendar writes it: in UTC, without fractions of a second."""
    return moment.astimezone(UTC).replace(microsecond=0)


def _waiting_turns(user: User) -> Iterator[tuple[GameSummary, Run]]:
    """Yield the games that wait for the person, each with its run of turns, the newest first."""
    games = Game.objects.waiting_for(user).order_by("-moved_at")
    turns = summaries(Game.objects.filter(pk__in=games[:MOST_TURNS]), user)
    runs = runs_of(user, [turn.game for turn in turns])
    found = [(turn, runs[turn.game.pk]) for turn in turns if turn.game.pk in runs]
    yield from sorted(found, key=lambda one: (one[1].began_at, one[0].game.pk), reverse=True)


def _title(turn: GameSummary) -> str:
    """Return the title of a turn, such as "Your turn against Tobias"; with its game, if there are several."""
    if turn.opponents:
        text = _("Your turn against %(names)s") % {"names": turn.opponents}
    else:
        text = _("Your turn in a solo game")
    words = {"title": turn.title_name, "text": text}
    return NOT_IN_TITLES.sub(" ", _("%(title)s: %(text)s") % words if turn.title_name else text)
