"""What moderators decide: about reports, and about objections to measures. Each decision is in the trail."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Measure, Report, TrailEntry
from games.services.errors import Conflict, NotSeated
from games.services.tables import lock_people
from games.services.talk.moderation import effects, letters, trail
from games.services.talk.moderation.who_decides import why_not_decide, why_not_keep

Action = TrailEntry.Action
Kind = Measure.Kind
# What each kind needs of its report.
NEEDS_LINE, NEEDS_GAME = frozenset({Kind.HIDE_LINE}), frozenset({Kind.UNLIST_RESULT})


def kinds_for(report: Report) -> list[Kind]:
    """Return the measures that a report can lead to."""
    missing = set() if report.line_id else set(NEEDS_LINE)
    missing |= set() if report.game and report.game.is_over else NEEDS_GAME
    return [kind for kind in Kind if kind not in missing]


def dismiss(report_id: int, moderator: User) -> None:
    """Decide that no rule was broken, and tell who has reported it. Raises Conflict and NotSeated."""
    with transaction.atomic():
        report, same = _lock(report_id, moderator)
        trail.note_report(Action.DISMISS, moderator, report)
        _settle(same, moderator, Report.Outcome.DISMISSED)


def take(
    report_id: int, moderator: User, kind: str, rule: str, text: str, *, days: int | None = None
) -> Measure:
    """Take a measure because of a report, and tell the person and who has reported it.

    A lasting measure ends after so many days, or not by itself. Raises Conflict and NotSeated.
    """
    with transaction.atomic():
        report, same = _lock(report_id, moderator)
        if kind not in kinds_for(report):
            raise Conflict(_("This is not possible for this report."))
        assert report.subject is not None, "the lock refuses such a report"
        measure = Measure.objects.create(
            user=report.subject,
            kind=kind,
            rule=rule,
            text=text,
            report=report,
            game=report.game,
            line=report.line,
            quote=report.quote,
            taken_by=moderator,
            ends_at=timezone.now() + timedelta(days=days) if days and kind in Measure.LASTING else None,
        )
        effects.carry_out(measure)
        trail.note_measure(Action.TAKE, moderator, measure)
        letters.tell_of_measure(measure)
        _settle(same, moderator, Report.Outcome.ACTED)
        return measure


def object_to(measure_id: int, user: User, text: str) -> None:
    """Store the objection of a person to a measure, and call moderators.

    Raises Conflict if they have objected, or it is over.
    """
    with transaction.atomic():
        measure = Measure.objects.select_for_update().filter(pk=measure_id, user=user).first()
        if measure is None or not measure.is_in_force:
            raise Conflict(_("This is over, so there is nothing to object to."))
        if measure.objected_at is not None:
            raise Conflict(_("You have objected already. You can do so once."))
        measure.objection, measure.objected_at = text, timezone.now()
        measure.save(update_fields=["objection", "objected_at"])
        trail.note_measure(Action.OBJECT, user, measure)
        letters.call_moderators(measure)


def keep(measure_id: int, moderator: User, answer: str) -> None:
    """Keep a measure in spite of an objection, and tell the person why. Raises Conflict and NotSeated."""
    with transaction.atomic():
        measure = _lock_measure(measure_id, moderator)
        if not measure.has_open_objection:
            raise Conflict(_("There is no objection to answer."))
        if why := why_not_keep(moderator, measure):
            raise NotSeated(why)
        _answer(measure, answer)
        trail.note_measure(Action.KEEP, moderator, measure)
        letters.tell_of_answer(measure)


def lift(measure_id: int, moderator: User, answer: str) -> None:
    """End a measure, after an objection or without one, and tell the person. Raises Conflict, NotSeated."""
    with transaction.atomic():
        measure = _lock_measure(measure_id, moderator)
        measure.lifted_at = timezone.now()
        measure.save(update_fields=["lifted_at"])
        _answer(measure, answer)
        effects.undo(measure)
        trail.note_measure(Action.LIFT, moderator, measure)
        letters.tell_of_answer(measure)


def _answer(measure: Measure, answer: str) -> None:
    measure.answer, measure.answered_at = answer, timezone.now()
    measure.save(update_fields=["answer", "answered_at"])


def _lock(report_id: int, moderator: User) -> tuple[Report, Sequence[Report]]:
    """Return an open report that this moderator may decide about, and all of the same, with locked rows.

    The rows of all who are told of the decision are locked first.
    """
    found = Report.objects.filter(pk=report_id).first()
    same: Sequence[Report] = []
    if found is not None:
        is_open = Report.objects.open().like(found)
        lock_people([found.subject_id, *is_open.values_list("reporter", flat=True)])
        same = list(is_open.select_for_update().order_by("pk"))
    report = next((each for each in same if each.pk == report_id), None)
    if report is None or report.subject is None:
        raise Conflict(_("Somebody has decided about this report in the meantime."))
    _check(moderator, report)
    return report, same


def _lock_measure(measure_id: int, moderator: User) -> Measure:
    lock_people(Measure.objects.filter(pk=measure_id).values_list("user", flat=True))
    measure = Measure.objects.select_for_update().filter(pk=measure_id).first()
    if measure is None or not measure.can_be_decided:
        raise Conflict(_("This measure is over."))
    _check(moderator, measure)
    return measure


def _check(moderator: User, case: Report | Measure) -> None:
    if not moderator.moderates:
        raise NotSeated(_("Only moderators decide about reports."))
    if why := why_not_decide(moderator, case):
        raise NotSeated(why)


def _settle(same: Sequence[Report], moderator: User, outcome: Report.Outcome) -> None:
    """Decide about locked reports of the same, and tell who has reported it."""
    now = timezone.now()
    for each in same:
        each.decided_at, each.decided_by, each.outcome = now, moderator, outcome
        each.save(update_fields=["decided_at", "decided_by", "outcome"])
        letters.tell_of_decision(each)
