"""Which moderators see and decide about what: nobody what is about themselves, or from them."""

from collections.abc import Iterator
from itertools import chain

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff.moderators import ready_moderators
from games.models import Measure, Report, Seat, SeatChange


def why_not_see(moderator: User, case: Report | Measure) -> str:
    """Return why a moderator may not open a case; empty if they may.

    A page of a case names who has reported it, and what was decided about the person.
    """
    if moderator.pk in _involved(case):
        return str(
            _("Only other moderators see and decide this, because it is about you or you reported it.")
        )
    return ""


def why_not_decide(moderator: User, case: Report | Measure) -> str:
    """Return why a moderator may not decide about a report, or again about a measure; empty if they may."""
    if why := why_not_see(moderator, case):
        return why
    players = _players(case)
    if moderator.pk in players:
        return str(_("Another moderator decides about it, because you have or had a seat in the game."))
    subject = _subject(case)
    if subject and subject.rights and not moderator.is_superuser:
        others = ready_moderators().filter(is_superuser=True).exclude(pk__in=players | _involved(case))
        # Without one, nobody would ever decide.
        if others.exists():
            return str(_("A superuser decides about it, because the person is a moderator or staff."))
    return ""


def why_not_keep(moderator: User, measure: Measure) -> str:
    """Return why a moderator may lift a measure, and not reject the objection; empty if they may do both.

    Another one than who took the measure rejects it, as long as there is another one who may decide.
    """
    if measure.taken_by_id != moderator.pk:
        return ""
    others = ready_moderators().exclude(pk=moderator.pk)
    if any(not why_not_decide(other, measure) for other in others):
        return str(_("You took this measure, so only another moderator can reject the objection."))
    return ""


def waiting_for(moderator: User) -> Iterator[Report | Measure]:
    """Yield the open reports and objections that this moderator may decide."""
    reports = Report.objects.open().select_related("subject").iterator()
    objections = Measure.objects.with_open_objection().select_related("user", "report").iterator()
    for case in chain[Report | Measure](reports, objections):
        is_kept_off = isinstance(case, Measure) and why_not_keep(moderator, case)
        if not is_kept_off and not why_not_decide(moderator, case):
            yield case


def _subject(case: Report | Measure) -> User | None:
    return case.user if isinstance(case, Measure) else case.subject


def _involved(case: Report | Measure) -> set[int]:
    """Return the ids of the person whom a case is about, and of all who have reported the same."""
    report = case.report if isinstance(case, Measure) else case
    reporters = Report.objects.like(report).values_list("reporter", flat=True) if report else ()
    subject = case.user_id if isinstance(case, Measure) else case.subject_id
    return {pk for pk in (subject, *reporters) if pk is not None}


def _players(case: Report | Measure) -> set[int]:
    """Return the ids of all who have or had a seat in the game of a case."""
    seats = Seat.objects.filter(game=case.game_id, user__isnull=False).values_list("user", flat=True)
    former = SeatChange.objects.filter(game=case.game_id, former__isnull=False)
    return {*seats, *former.values_list("former", flat=True)} if case.game_id else set()
