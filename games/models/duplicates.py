"""Duplicate matches: several tables play the same deal, and players or teams are compared."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.deals import Deal
from games.models.keys import new_key
from games.models.outages import time_before
from games.models.paces import Pace

if TYPE_CHECKING:
    from accounts.models import Viewer

FEWEST_TABLES = 2
MOST_TABLES = 16
# A match of teams has as many tables: at each, one team has the one side and the other team the other.
TEAMS = 2
# A match that has not started is closed this long after it was opened.
MATCHES_KEPT = timedelta(days=14)


def side_of_team(team: int, table: int) -> int:
    """Return which side a team of a match has at a table. All three are 0 or 1."""
    return (team + table) % TEAMS


class DuplicateMatchQuerySet(models.QuerySet["DuplicateMatch"]):
    def waiting(self) -> DuplicateMatchQuerySet:
        """Return the matches that have not started."""
        return self.filter(started_at=None)

    def shown_to(self, viewer: Viewer) -> DuplicateMatchQuerySet:
        """Return the matches that lists show this viewer: those for everybody, and those of their own.

        They have entered these, or are invited.
        """
        own = (
            rows.filter(user=viewer.pk, user__isnull=False).values("match")
            for rows in (DuplicateEntry.objects, DuplicateInvitation.objects)
        )
        return self.filter(reduce(or_, (Q(pk__in=matches) for matches in own), Q(is_public=True)))

    def late(self) -> DuplicateMatchQuerySet:
        """Return the matches that have waited for too long."""
        return self.waiting().filter(opened_at__lt=time_before(timezone.now(), MATCHES_KEPT))


class DuplicateMatch(models.Model):
    """A duplicate match: 2 to 16 games on one deal, or two games of two teams.

    People enter until there is one for each seat, or until the opener starts it with bots. Its games exist
    from its start on: they are those with its deal, in the order of the tables.
    """

    key = models.CharField(_("key"), max_length=12, unique=True, default=new_key, editable=False)
    table_count = models.PositiveSmallIntegerField(_("tables"))
    seat_count = models.PositiveSmallIntegerField(_("seats"), help_text=_("at each table"))
    pace = models.CharField(_("pace"), max_length=8, choices=Pace)
    has_teams = models.BooleanField(
        _("of teams"),
        default=False,
        db_default=False,
        help_text=_("two teams exchange the sides of two tables"),
    )
    is_public = models.BooleanField(_("public"))
    changes_ratings = models.BooleanField(
        _("rated"), help_text=_("the results of its games change the ratings of the players")
    )
    deal = models.OneToOneField(
        Deal, models.PROTECT, related_name="duplicate", editable=False, verbose_name=_("deal")
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("opened by")
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True)
    request_id = models.UUIDField(_("request"), default=uuid.uuid4, editable=False)
    # Counts what its page shows: each person who enters or leaves, the start, and each table that is over.
    changes = models.PositiveIntegerField(_("changes"), default=0, db_default=0, editable=False)

    objects = DuplicateMatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("duplicate match")
        verbose_name_plural = _("duplicate matches")
        constraints = [
            models.UniqueConstraint(
                fields=["opened_by", "request_id"], name="duplicate_request_once_a_person"
            )
        ]
        indexes = [
            models.Index(fields=["opened_at"], name="duplicate_waiting", condition=Q(started_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("games:duplicate", args=[self.key])

    @property
    def places(self) -> int:
        """How many people can enter: the seats of all tables."""
        return self.table_count * self.seat_count

    @property
    def team_size(self) -> int:
        """How many people a team of a match of teams has: as many as there are seats at one table."""
        return self.places // TEAMS

    @property
    def closes_at(self) -> datetime:
        """When the match is closed if it has not started."""
        return self.opened_at + MATCHES_KEPT


class DuplicateEntry(models.Model):
    """A person who plays in a duplicate match. From its start on, their seat counts, and not this row."""

    match = models.ForeignKey(
        DuplicateMatch, models.CASCADE, related_name="entries", verbose_name=_("duplicate match")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("player")
    )
    entered_at = models.DateTimeField(_("entered"), auto_now_add=True)
    # Counted from 0; null in a match without teams.
    team = models.PositiveSmallIntegerField(_("team"), null=True)
    # As those of seats.
    nonce = models.CharField(_("nonce"), max_length=32)
    has_own_nonce = models.BooleanField(_("own nonce"))

    class Meta:
        verbose_name = _("entry to a duplicate match")
        verbose_name_plural = _("entries to duplicate matches")
        ordering = ["match", "pk"]
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="duplicate_entry_once")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class DuplicateInvitation(models.Model):
    """A person whom the opener of a duplicate match has invited. It keeps no place for them."""

    match = models.ForeignKey(
        DuplicateMatch, models.CASCADE, related_name="invitations", verbose_name=_("duplicate match")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("player")
    )
    invited_at = models.DateTimeField(_("invited"), auto_now_add=True)

    class Meta:
        verbose_name = _("invitation to a duplicate match")
        verbose_name_plural = _("invitations to duplicate matches")
        ordering = ["match", "pk"]
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="duplicate_invitation_once")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"
