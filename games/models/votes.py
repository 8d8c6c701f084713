"""Votes: the players of a running game agree on a pace, a take-back, an absent player, or to cancel it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.clocks import PACES, counted
from games.models.actions import choice_began_at, waits_since
from games.models.calendars import calendars_of
from games.models.games import Game
from games.models.outages import outages_since, time_after, time_before
from games.models.seats import Seat, SeatQuerySet

# A player is absent when a game without a clock has waited for them for this long.
ABSENCE = timedelta(days=14)
# Those who do not answer a call for this long count as agreeing, so that several people can be gone.
SILENCE = timedelta(days=7)
# The players are not asked the same again for this long. A player who says that they are back has this
# long to move.
REPEATED_AFTER = timedelta(days=3)
LIVE_REPEATED_AFTER = timedelta(minutes=2)


class VoteQuerySet(models.QuerySet["Vote"]):
    def running(self) -> VoteQuerySet:
        return self.filter(settled_at=None)

    def lapse(self) -> None:
        """Settle the votes that run, because the reason for them or those who are asked have changed."""
        self.running().update(settled_at=timezone.now(), outcome=Vote.Outcome.LAPSED)

    def ended_by(self, seat: int | None) -> VoteQuerySet:
        """Return the votes that run and end with an action of this seat: about it, and on a take-back."""
        return self.running().filter(Q(seat=seat) | Q(purpose=Vote.Purpose.TAKE_BACK))

    def calls(self) -> VoteQuerySet:
        """Return the votes on an absent player that run."""
        return self.running().filter(seat__isnull=False)

    def due(self, now: datetime) -> VoteQuerySet:
        """Return the calls that end now: after a week's silence, or because the player is on vacation."""
        absent = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"))
        on_vacation = absent.filter(user__vacations__starts_at__lte=now, user__vacations__ends_at__gt=now)
        return self.calls().filter(Q(started_at__lte=time_before(now, SILENCE)) | Exists(on_vacation))


class Vote(models.Model):
    """A question to the players of a game. When everybody who is asked has agreed, it happens.

    A vote about the absent player on `seat` is a call; that player is not asked. Bots count as agreeing, and
    so do people whose seat a bot plays now. A settled vote never changes.
    """

    class Purpose(models.TextChoices):
        PACE = "pace", _("change the pace")
        BOT = "bot", _("a bot plays for an absent player")
        OUT = "out", _("an absent player is out")
        CANCEL = "cancel", _("cancel the game")
        TAKE_BACK = "takeback", _("take back an action")

    class Outcome(models.TextChoices):
        AGREED = "agreed", _("all agreed")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdraw", _("withdrawn")
        BACK = "back", _("the absent player is back")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey(Game, models.CASCADE, related_name="votes", verbose_name=_("game"))
    purpose = models.CharField(_("purpose"), max_length=8, choices=Purpose)
    pace = models.CharField(
        _("pace"), max_length=8, choices=Game.Pace, blank=True, help_text=_("or no clock")
    )
    seat = models.PositiveSmallIntegerField(_("seat of the absent player"), null=True)
    number = models.PositiveIntegerField(_("action to take back"), null=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("started by")
    )
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    agreed = models.JSONField(_("seats that agree"), default=list)
    settled_at = models.DateTimeField(_("settled"), null=True)
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome, blank=True)

    objects = VoteQuerySet.as_manager()

    class Meta:
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        ordering = ["game", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], name="vote_one_running", condition=Q(settled_at__isnull=True)
            )
        ]
        indexes = [
            models.Index(fields=["started_at"], name="vote_running", condition=Q(settled_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.purpose}"

    @property
    def asked(self) -> SeatQuerySet:
        """The seats of the people who must agree."""
        seats = voters(self.game)
        return seats if self.seat is None else seats.exclude(number=self.seat)

    @property
    def has_reason(self) -> bool:
        """Whether the vote still has its reason: a call needs its player to be absent."""
        if self.seat is None:
            return True
        return any(seat.number == self.seat for seat in absent_seats(self.game))

    def is_same_as(self, other: Vote) -> bool:
        """Whether both ask the same players the same."""
        return all(
            getattr(self, name) == getattr(other, name) for name in ("purpose", "pace", "number", "seat")
        )

    @property
    def is_silent_from(self) -> datetime | None:
        """When those who have not answered a call count as agreeing; None if it is no call."""
        return None if self.seat is None else time_after(self.started_at, SILENCE)

    def was_back_before(self) -> bool:
        """Return whether the absent player has said in this turn that they are back, which counts once."""
        assert self.seat is not None, "the vote is no call"
        earlier = self.game.votes.filter(seat=self.seat, outcome=Vote.Outcome.BACK)
        return earlier.filter(settled_at__gt=waits_since(self.game.seats.get(number=self.seat))).exists()


def voters(game: Game) -> SeatQuerySet:
    """Return the seats of the people who play themselves; only they start and answer votes."""
    return game.seats.filter(user__isnull=False, has_left=False, caretaker="")


def repeated_after(game: Game) -> timedelta:
    """Return how long the players of a game are not asked again what somebody declined or withdrew."""
    return LIVE_REPEATED_AFTER if game.is_live else REPEATED_AFTER


def possible_paces(game: Game, people: int) -> list[str]:
    """Return the other paces that a game in which this many people play can have; "" is no clock."""
    can_lack_clock = not game.is_public or people < 2
    return [pace for pace in ("", *PACES) if pace != game.pace and (pace or can_lack_clock)]


def absent_seats(game: Game) -> list[Seat]:
    """Return the seats of the absent players for whom a game without a clock waits.

    Nobody is absent on vacation, and its days do not count. Neither does the time in which the site was down.
    """
    if game.pace or not game.is_running or game.is_solo or game.started_at is None:
        return []
    if game.started_at + ABSENCE > timezone.now():
        return []
    seats = game.seats.awaited().played_by_people().select_related("user")
    return [seat for seat in seats if _is_absent(seat)]


def _is_absent(seat: Seat) -> bool:
    now = timezone.now()
    if choice_began_at(seat) + ABSENCE > now:
        return False
    since = waits_since(seat)
    vacations = replace(calendars_of([seat.user_id])[seat.user_id], changes=(), outages=outages_since(since))
    return counted(vacations, since, now) >= ABSENCE and vacations.pause_at(now) is None
