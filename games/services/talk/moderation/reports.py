"""Reports: one person asks the moderators to look at something."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import LONGEST_WORDS, ChatLine, Game, Report
from games.services.errors import Conflict, NotSeated
from games.services.rates import check_rate
from games.services.talk.moderation import letters

MOST_A_DAY = 10
A_DAY = timedelta(days=1)
# The same person can report the same thing again after this time.
REPEATED_AFTER = timedelta(days=7)


def report(
    reporter: User,
    subject: User,
    about: str,
    words: str = "",
    *,
    game: Game | None = None,
    line: ChatLine | None = None,
) -> Report:
    """Store a report and return it; return the earlier one if this person has reported the same lately.

    Raises Conflict, TooOften, and NotSeated for a guest who plays no game with the subject.
    """
    if reporter == subject:
        raise Conflict(_("You can't report yourself."))
    if reporter.is_guest and not _play_together(reporter, subject):
        raise NotSeated(_("Guests can report people with whom they have played. Sign up to report others."))
    new = Report(
        reporter=reporter,
        subject=subject,
        about=about,
        game=line.written_in if line else game,
        line=line,
        quote=_quote(subject, about, line),
        words=words[:LONGEST_WORDS],
    )
    with transaction.atomic():
        # Locked, so that simultaneous requests of one person are counted one after the other.
        User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
        now = timezone.now()
        own = Report.objects.filter(reporter=reporter)
        earlier = own.like(new).filter(created_at__gt=now - REPEATED_AFTER).order_by("-pk").first()
        if earlier is not None:
            return earlier
        check_rate(own, "created_at", MOST_A_DAY, A_DAY, _("You have reported ten things within a day."))
        new.save()
        letters.call_moderators(new)
        return new


def _play_together(one: User, other: User) -> bool:
    return Game.objects.with_seat_of(one).filter(pk__in=other.seats.values("game")).exists()


def _quote(subject: User, about: str, line: ChatLine | None) -> str:
    """Return what is reported as it is now: a line can be deleted, and a name can change."""
    if line is not None:
        return line.text
    return subject.username if about == Report.About.NAME else ""
