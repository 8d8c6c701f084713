"""What the feeds of a person show, and their secret addresses."""

from datetime import timedelta
from io import BytesIO

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from accounts.models import User
from games.models import Game
from games.queries.summaries import GameSummary, summaries

_signer = signing.Signer(salt="games.feeds")
MOST_TURNS = 100
# How often calendar programs ask again, if they respect it.
REFRESH = timedelta(hours=1)


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
    """Return the turns of the person as an Atom feed (RFC 4287). A new turn in a game is a new entry."""
    home = settings.SITE_URL + reverse("games:home")
    feed = Atom1Feed(title=_("Nova Luna: your turns"), link=home, description="")
    for turn in _waiting_turns(user):
        url = settings.SITE_URL + turn.url
        feed.add_item(
            title=_title(turn),
            link=url,
            description=_("It is your turn."),
            unique_id=f"{url}#{turn.game.version}",
            updateddate=turn.game.moved_at,
        )
    atom = BytesIO()
    feed.write(atom, "utf-8")
    return atom.getvalue()


def calendar_of(user: User) -> bytes:
    """Return the deadlines of the person's turns as an iCalendar file (RFC 5545)."""
    calendar = Calendar()
    calendar.add("prodid", "-//Nova Luna//deadlines//")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", _("Nova Luna deadlines"))
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    for turn in _waiting_turns(user):
        if turn.game.deadline is not None and turn.game.deadline > timezone.now():
            calendar.add_component(_event_of(turn))
    return bytes(calendar.to_ical())


def _event_of(turn: GameSummary) -> Event:
    event = Event()
    host = settings.SITE_URL.rpartition("/")[2]
    # The same turn keeps its id, so that a moved deadline moves the event.
    event.add("uid", f"{turn.key}-{turn.game.version}@{host}")
    event.add("dtstamp", turn.game.moved_at or timezone.now())
    event.add("dtstart", turn.game.deadline)
    event.add("summary", _("Move before now: %(title)s") % {"title": _title(turn)})
    event.add("url", settings.SITE_URL + turn.url)
    return event


def _waiting_turns(user: User) -> list[GameSummary]:
    """Return the games that wait for the person, the newest turn first."""
    games = Game.objects.waiting_for(user).order_by("-moved_at")
    return summaries(Game.objects.filter(pk__in=games[:MOST_TURNS]).order_by("-moved_at"), user)


def _title(turn: GameSummary) -> str:
    """Return the title of a turn, such as "Your turn against Tobias"."""
    if not turn.opponents:
        return _("Your turn in a solo game")
    return _("Your turn against %(names)s") % {"names": turn.opponents}
