"""The trail: everything that moderators do, in rows that the site never changes or deletes.

It names people, reports and measures by their ids only. So the names of removed accounts are in no row, and
no deletion of theirs reaches one. The database refuses changes too (migrations `trail_is_append_only` and
`trail_is_not_emptied`); who runs the server and owns the database can remove its triggers.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.reports import Report


class TrailError(Exception):
    """Somebody has tried to change the trail."""


class TrailQuerySet(models.QuerySet["TrailEntry"]):
    def shown_to(self, moderator: int) -> TrailQuerySet:
        """Return the entries that a moderator sees.

        All but what others have decided about them, and what came of what they have reported.
        """
        action = TrailEntry.Action
        decisions = [action.DISMISS, action.TAKE, action.LIFT, action.KEEP, action.DELETE_LINE]
        others = self.exclude(subject=moderator, action__in=decisions)
        return others.exclude(report__in=Report.objects.known_to(moderator))

    def update(self, **columns: Any) -> NoReturn:
        raise TrailError

    def delete(self) -> NoReturn:
        raise TrailError


class TrailEntry(models.Model):
    """One thing that a moderator has done, or one right that somebody got or lost."""

    class Action(models.TextChoices):
        DISMISS = "dismiss", _("dismissed a report")
        TAKE = "take", _("took a measure")
        LIFT = "lift", _("lifted a measure")
        KEEP = "keep", _("kept a measure after an objection")
        DELETE_LINE = "del_line", _("deleted a line of a chat in the admin")
        OBJECT = "object", _("objected to a measure")
        APPOINT = "appoint", _("made somebody a moderator")
        RELIEVE = "relieve", _("ended somebody's role as a moderator")
        STAFF = "staff", _("made somebody staff, who reach the admin")
        NO_STAFF = "no_staff", _("ended somebody's access to the admin")
        SUPER = "super", _("made somebody a superuser, who may do everything")
        NO_SUPER = "no_super", _("ended somebody's role as a superuser")

    at = models.DateTimeField(_("time"), auto_now_add=True)
    action = models.CharField(_("action"), max_length=8, choices=Action)
    # Ids without a reference, so that no deletion changes a row. None: a command on the server.
    actor = models.BigIntegerField(_("id of who did it"), null=True)
    subject = models.BigIntegerField(_("id of the person"))
    report = models.BigIntegerField(_("id of the report"), null=True)
    measure = models.BigIntegerField(_("id of the measure"), null=True)
    kind = models.CharField(_("kind of the measure"), max_length=9, blank=True)
    rule = models.CharField(_("rule"), max_length=9, blank=True)
    ends_at = models.DateTimeField(_("end"), null=True)

    objects = TrailQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry of the trail")
        verbose_name_plural = _("entries of the trail")

    def __str__(self) -> str:
        return f"{self.pk}"

    def save(self, *args: Any, **options: Any) -> None:
        """Store a new entry. Raises TrailError for one that is stored already."""
        if self.pk is not None:
            raise TrailError
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TrailError
