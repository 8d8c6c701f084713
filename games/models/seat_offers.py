"""Offers of seats: a player who must stop hands their seat to somebody else."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.keys import new_key
from games.models.outages import time_after, time_before
from games.models.seats import SeatQuerySet

# The other players can object for this long after somebody has taken an offered seat.
OBJECTION_TIME = timedelta(days=1)


class SeatOfferQuerySet(models.QuerySet["SeatOffer"]):
    def running(self) -> SeatOfferQuerySet:
        return self.filter(settled_at=None)

    def listed(self) -> SeatOfferQuerySet:
        """Return the offers to everybody that nobody has taken yet."""
        return self.running().filter(is_public=True, taken_at=None)

    def undisputed(self, now: datetime) -> SeatOfferQuerySet:
        """Return the offers that somebody has taken and to which nobody can object any more."""
        return self.running().filter(taker__isnull=False, taken_at__lte=time_before(now, OBJECTION_TIME))

    def lapse(self) -> None:
        """Settle the offers that run, because the seat can't change hands any more."""
        self.running().update(settled_at=timezone.now(), outcome=SeatOffer.Outcome.LAPSED)


class SeatOffer(models.Model):
    """The player of a seat offers it to a friend with the link, or to everybody.

    `taker` wants to play it; they get the seat when the others have had time to object.
    """

    class Outcome(models.TextChoices):
        DONE = "done", _("handed over")
        OBJECTED = "objected", _("a player objected")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey(Game, models.CASCADE, related_name="seat_offers", verbose_name=_("game"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    key = models.CharField(_("key"), max_length=12, unique=True, default=new_key, editable=False)
    is_public = models.BooleanField(_("for everybody"))
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("offered by")
    )
    offered_at = models.DateTimeField(_("offered"), auto_now_add=True)
    taker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("taken by")
    )
    taken_at = models.DateTimeField(_("taken"), null=True)
    settled_at = models.DateTimeField(_("settled"), null=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome, blank=True)

    objects = SeatOfferQuerySet.as_manager()

    class Meta:
        verbose_name = _("offer of a seat")
        verbose_name_plural = _("offers of seats")
        ordering = ["game", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat"], name="seat_offer_one_running", condition=Q(settled_at__isnull=True)
            )
        ]
        indexes = [
            models.Index(fields=["taken_at"], name="seat_offer_running", condition=Q(settled_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"

    @property
    def objectors(self) -> SeatQuerySet:
        """The seats of the other people, who can object."""
        return self.game.seats.filter(user__isnull=False, has_left=False).exclude(number=self.seat)

    @property
    def has_objection_time(self) -> bool:
        """Whether the others can object: not in live games, whose clocks would run out, or against bots."""
        return not self.game.is_live and self.objectors.exists()

    @property
    def happens_at(self) -> datetime | None:
        """When the seat changes hands; None while nobody has taken it."""
        return None if self.taken_at is None else time_after(self.taken_at, OBJECTION_TIME)
