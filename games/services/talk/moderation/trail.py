"""Entries of the trail. Nothing else writes or changes them."""

from django.dispatch import receiver

from accounts.models import User
from accounts.staff.rights import changed
from games.models import ChatLine, Measure, Report, TrailEntry

Action = TrailEntry.Action
NOBODY = 0  # The id of the author of a line whose account was removed.
# What is noted when somebody gets a right, and when they lose it.
ROLES = {
    "is_moderator": (Action.APPOINT, Action.RELIEVE),
    "is_staff": (Action.STAFF, Action.NO_STAFF),
    "is_superuser": (Action.SUPER, Action.NO_SUPER),
}


def note_report(action: Action, actor: User, report: Report) -> None:
    """Note, in the caller's transaction, what a moderator has done with a report."""
    assert report.subject_id is not None, "nobody decides about a removed account"
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


def note_deleted_line(actor: User, line: ChatLine) -> None:
    """Note, in the caller's transaction, that somebody deletes a line in the admin."""
    TrailEntry.objects.create(action=Action.DELETE_LINE, actor=actor.pk, subject=line.author_id or NOBODY)


@receiver(changed)
def note_rights(
    user: User, by: User | None, before: frozenset[str], now: frozenset[str], **_signal: object
) -> None:
    """Note each right that somebody has got or lost."""
    for name, (gained, lost) in ROLES.items():
        if name in before ^ now:
            action = gained if name in now else lost
            TrailEntry.objects.create(action=action, actor=by.pk if by else None, subject=user.pk)
