"""When a person was last here, in words that name no time."""

from datetime import timedelta

from django.db.models import Max
from django.utils import timezone

from accounts.models import User, Viewer
from games.marked import gettext as _
from games.models import Game, Seat, apart_from

WEEK, MONTH = timedelta(days=7), timedelta(days=31)


def last_seen(person: User, viewer: Viewer) -> str:
    """Return whether a person was here today, this week or this month; empty if not, or if it is not shown.

    Only others with an account read it, no guests, unless one of the two has blocked the other, and only from
    games that they may find.
    """
    if not isinstance(viewer, User) or viewer.is_guest or viewer.pk == person.pk:
        return ""
    seats = Seat.objects.filter(user=person, game__in=Game.objects.findable_by(viewer))
    seats = seats.exclude(user__in=apart_from(viewer.pk))
    seen_at = seats.aggregate(latest=Max("seen_at"))["latest"]
    if seen_at is None:
        return ""
    if timezone.localdate(seen_at) >= timezone.localdate():
        return _("Seen today")
    since = timezone.now() - seen_at
    return _("Seen this week") if since < WEEK else _("Seen this month") if since < MONTH else ""
