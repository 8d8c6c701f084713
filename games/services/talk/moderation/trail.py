"""Entries of the trail. Nothing else writes or changes them."""

from django.dispatch import receiver

from accounts.models import User
from accounts.staff.moderators import appointed
from games.models import Measure, Report, TrailEntry

Action = TrailEntry.Action


def note_report(action: Action, actor: User, report: Report) -> None:
    """Note, in the caller's transaction, what a moderator has done with a report."""
    TrailEntry.objects.create(action=action, actor=actor.pk, subject=report.subject_id, report=report.pk)


def note_measure(action: Action, actor: User, measure: Measure) -> None:
    """Note, in the caller's transaction, what somebody has done with a measure."""
    TrailEntry.objects.create(
        action=action,
        actor=actor.pk,
        subject=measure.user_id,
        report=measure.report_id,
        measure=measure.pk,
        kind=measure.kind,
        rule=measure.rule,
        ends_at=measure.ends_at,
    )


@receiver(appointed)
def note_role(user: User, by: User | None, is_moderator: bool, **_signal: object) -> None:
    """Note that somebody has become a moderator, or is none any more."""
    action = Action.APPOINT if is_moderator else Action.RELIEVE
    TrailEntry.objects.create(action=action, actor=by.pk if by else None, subject=user.pk)
