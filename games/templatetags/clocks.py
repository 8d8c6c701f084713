"""Template tags for clocks: the deadline of a game, the pace of its table, and how long answers take."""

from datetime import datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template import RequestContext
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.clock import zone_of
from accounts.models import User, Viewer
from games.models import DuplicateMatch, Game, deadline_for, seats_of
from games.queries.summaries import GameSummary
from games.shown.clocks import (
    PACE_FACTS,
    clock_face,
    describe_time_left,
    describe_timeout,
    describe_zone,
    format_clock,
    format_deadline,
    format_with_zone,
)
from games.shown.kept import keep_latest
from games.shown.reliability import describe_answer
from games.shown.words import BOT_LEVELS

A_SECOND, A_MINUTE, A_WEEK = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=7)
KEPT_DEADLINES = 2048  # each is smaller than 1 kB

register = template.Library()
register.filter("answer_words", describe_answer)
register.filter("clock_face", clock_face)


@register.simple_tag(takes_context=True)
def deadline(context: RequestContext, game: Game | GameSummary, names: str = "") -> SafeString:
    """Show how much time the players to move have left, and the deadline in the viewer's zone.

    `names` are those of the players to move; empty if the viewer is one of them. A script counts down. In a
    live game it is a clock that ticks.
    """
    at = _deadline_of(game, context["user"])
    if at is None:
        return SafeString()
    row = game.game if isinstance(game, GameSummary) else game
    if row.is_live:
        values = {"at": at, "left": _left(row, at), "starts_at": row.clocks_start_at, "names": names}
        return render_to_string("games/_live_deadline.html", values)
    return _show_deadline(at, describe_time_left(at - timezone.now()), moment(at, context["user"]), names)


def _deadline_of(game: Game | GameSummary, viewer: Viewer) -> datetime | None:
    return game.deadline if isinstance(game, GameSummary) else deadline_for(game, viewer)


def _left(game: Game, at: datetime) -> timedelta:
    """Return how much time is left until a deadline of a game, whose clock perhaps starts later than now."""
    now = timezone.now()
    return at - max(now, game.clocks_start_at or now)


# Kept, because a home page may show a hundred deadlines.
@keep_latest(KEPT_DEADLINES)
def _show_deadline(at: datetime, left: str, when: str, name: str) -> SafeString:
    """Return a deadline with the time that is left, in words."""
    values = {"at": at.isoformat(), "left": left, "when": when, "name": name}
    return render_to_string("games/_deadline.html", values)


@register.simple_tag
def page_zone() -> str:
    """Return the time zone of the times on a page, in words.

    >>> page_zone()
    'UTC'
    """
    zone = timezone.get_current_timezone()
    return describe_zone(timezone.now(), zone) if isinstance(zone, ZoneInfo) else str(zone)


@register.simple_tag
def page_minutes() -> int:
    """Return how many minutes the clocks of the time zone of a page are ahead of UTC."""
    offset = timezone.localtime().utcoffset()
    return round(offset / A_MINUTE) if offset else 0


@register.filter
def ago(at: datetime) -> str:
    r"""Return how long ago an instant was, in words and without seconds.

    >>> ago(timezone.now() - timedelta(seconds=59)), ago(timezone.now() - timedelta(minutes=2))
    ('just now', '2\xa0minutes ago')
    """
    return str(naturaltime(at)) if timezone.now() - at >= A_MINUTE else _("just now")


@register.filter
def ago_or_day(at: datetime) -> str:
    r"""Return how long ago an instant was or, a week later, its day in the time zone of the page.

    >>> ago_or_day(timezone.now() - timedelta(days=6))
    '6\xa0days ago'
    >>> ago_or_day(datetime(2026, 6, 1, 12, tzinfo=ZoneInfo("UTC")))
    '1 Jun 2026'
    """
    if timezone.now() - at < A_WEEK:
        return ago(at)
    return date_format(timezone.localtime(at), "j M Y")


@register.inclusion_tag("games/_countdown.html")
def countdown(at: datetime) -> dict[str, object]:
    """Show how long it is until an instant. A script counts down."""
    return {"at": at.isoformat(), "left": describe_time_left(at - timezone.now())}


@register.filter
def seconds_until(at: datetime) -> int:
    """Return how many seconds are left until an instant, the last of which has begun."""
    return max(ceil((at - timezone.now()) / A_SECOND), 0)


@register.filter
def counts_until(game: Game) -> datetime | None:
    """Return when the day of a running attempt at a daily deal ends; None for other games."""
    is_attempt = game.daily is not None and game.is_running and not game.is_only_practice
    return game.daily.ends_at if game.daily is not None and is_attempt else None


@register.simple_tag
def time_back(game: Game, user: Viewer) -> str:
    """Return what the clock of a player says who takes their seat back from a bot; empty without a clock."""
    own = next((seat for seat in seats_of(game) if seat.user_id == user.pk), None)
    if not game.pace or own is None or own.bank is None:
        return ""
    return clock_face(own.bank) if game.is_live else describe_time_left(own.bank)


@register.simple_tag(takes_context=True)
def time_left(context: RequestContext, game: Game) -> str:
    """Return how much time a player who is to move has left; empty without a deadline."""
    at = _deadline_of(game, context["user"])
    if at is None:
        return ""
    left = _left(game, at)
    return clock_face(left) if game.is_live else describe_time_left(left)


@register.filter
def moment(at: datetime, user: Viewer) -> str:
    """Return an instant on the clocks of a person, or in UTC if they have not chosen a zone.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    >>> moment(noon, User(time_zone="Asia/Tokyo")), moment(noon, User(time_zone=""))
    ('Mon 1 Jun, 21:00', 'Mon 1 Jun, 12:00 (UTC)')
    """
    zone = _zone(user)
    return format_with_zone(at, zone) if zone.key == "UTC" else format_deadline(at, zone)


@register.filter
def full_moment(at: datetime, user: Viewer) -> str:
    """Return an instant with its year on the clocks of a person, or in UTC if they have not chosen a zone.

    >>> from datetime import UTC
    >>> late = datetime(2026, 6, 1, 20, tzinfo=UTC)
    >>> full_moment(late, User(time_zone="Asia/Tokyo")), full_moment(late, User(time_zone=""))
    ('2 June 2026, 05:00', '1 June 2026, 20:00 (UTC)')
    """
    zone = _zone(user)
    local = at.astimezone(zone)
    words = {"day": date_format(local, "DATE_FORMAT"), "time": format_clock(local), "zone": zone.key}
    return (_("%(day)s, %(time)s (%(zone)s)") if zone.key == "UTC" else _("%(day)s, %(time)s")) % words


@register.filter
def day(at: datetime, user: Viewer) -> str:
    """Return the date of an instant in the zone of a person.

    >>> from datetime import UTC
    >>> late = datetime(2026, 6, 1, 20, tzinfo=UTC)
    >>> day(late, User(time_zone="Asia/Tokyo")), day(late, User(time_zone=""))
    ('2 June 2026', '1 June 2026')
    """
    return date_format(at.astimezone(_zone(user)), "DATE_FORMAT")


@register.filter
def moment_in_mail(at: datetime, user: User) -> str:
    """Return an instant on the clocks of a person, with their zone: an email can be read anywhere.

    >>> from datetime import UTC
    >>> moment_in_mail(datetime(2026, 6, 1, 12, tzinfo=UTC), User(time_zone="Asia/Tokyo"))
    'Mon 1 Jun, 21:00 (Asia/Tokyo)'
    """
    return format_with_zone(at, zone_of(user.time_zone))


@register.filter
def pace_fact(game: Game | DuplicateMatch) -> str:
    """Return the pace of a game, or of the games of a duplicate match, in a few words."""
    return str(PACE_FACTS[game.pace])


@register.filter
def timeout_fact(game: Game) -> str:
    """Return what happens to players of a game whose time is up; empty in a game without a clock."""
    return describe_timeout(game.caretaker, BOT_LEVELS) if game.pace else ""


def _zone(user: Viewer) -> ZoneInfo:
    """Return the time zone of a person; visitors have the zone of the page."""
    if user.is_authenticated:
        return zone_of(user.time_zone)
    zone = timezone.get_current_timezone()
    return zone if isinstance(zone, ZoneInfo) else zone_of("")
