"""When a person was last here, in words that name no time."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from accounts.models import User, Viewer
from games.marked import gettext as _
from games.models import Game, Seat, apart_from

WEEK, MONTH = timedelta(days=7), timedelta(days=31)


def last_seen(person: User, viewer: Viewer) -> str:
    """Return what `last_seen_of` returns of one person."""
    return last_seen_of([person.pk], viewer)[person.pk]


def last_seen_of(people: Collection[int], viewer: Viewer) -> Mapping[int, str]:
    """Return whether people were here today, this week or this month; empty if not, or if it is not shown.

    Only others with an account read it, no guests, unless one of the two has blocked the other, and only from
    games that they may find. It needs one query.
    """
    if not isinstance(viewer, User) or viewer.is_guest:
        return defaultdict(str)
    others = {*people} - {viewer.pk}
    seats = Seat.objects.filter(user__in=others, game__in=Game.objects.findable_by(viewer))
    rows = seats.exclude(user__in=apart_from(viewer.pk)).order_by().values_list("user")
    return defaultdict(str, {person: _in_words(latest) for person, latest in rows.annotate(Max("seen_at"))})


def _in_words(seen_at: datetime | None) -> str:
    if seen_at is None:
        return ""
    if timezone.localdate(seen_at) >= timezone.localdate():
        return _("Seen today")
    since = timezone.now() - seen_at
    return _("Seen this week") if since < WEEK else _("Seen this month") if since < MONTH else ""
