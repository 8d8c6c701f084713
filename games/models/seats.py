"""Seats: the places in a game, and their players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Case, Exists, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.database.statements import Statement
from games import marked
from games.models.actions import Action
from games.models.games import Game, is_awaited
from games.titles.registry import title_named

if TYPE_CHECKING:
    from accounts.models import User, Viewer

# A player counts as present for this long after they have seen a page of the game.
PRESENCE = timedelta(seconds=60)

# The names of bots without a stored name, by seat number. Their tables are from before names were stored.
OLD_BOT_NAMES = ("Hypatia", "Halley", "Kepler", "Cannon")

# The columns of an invitation, with their values in a seat to which nobody is invited.
NO_INVITATION: Mapping[str, object] = {
    "invited": None,
    "invited_address": "",
    "invited_at": None,
    "answers_to_replies": 0,
    "has_declined": False,
    "has_declined_by_reply": False,
    "was_asked_again": False,
}


class SeatQuerySet(models.QuerySet["Seat"]):
    def free(self) -> SeatQuerySet:
        """Return the seats that nobody has, with those that are kept for somebody."""
        return self.filter(user=None, bot="", joined_at=None)

    def played_by_bots(self) -> SeatQuerySet:
        """Return the seats that bots play now, their own or for a person."""
        return self.exclude(bot="", caretaker="")

    def of(self, viewer: Viewer) -> SeatQuerySet:
        """Return the seats of this viewer; a visitor has none, although bots' seats have no user either."""
        return self.filter(user=viewer.pk, user__isnull=False)

    def with_results(self) -> SeatQuerySet:
        """Return the seats whose places count: in games with others, without hints and moves taken back.

        Games that ended before everybody had moved don't count, and places that a bot reached for a person.
        """
        # Of people, on this seat: its former player may have made all of them. Actions of an account
        # that was deleted are nobody's, so such a game counts only if the new player has moved.
        moves = Action.objects.moves().filter(
            game=OuterRef("game"), seat=OuterRef("number"), made_by__isnull=False
        )
        without_move = Seat.objects.filter(~Exists(moves), game=OuterRef("game"), user__isnull=False)
        finished = self.filter(place__isnull=False, caretaker="", game__is_without_hints=True)
        return finished.filter(~Exists(without_move), game__mode=Game.Mode.MULTIPLAYER)

    def played_by_people(self) -> SeatQuerySet:
        """Return the seats that people play themselves now."""
        return self.filter(user__isnull=False, caretaker="")

    def awaited(self) -> SeatQuerySet:
        """Return the seats for which their games wait."""
        return self.filter(is_awaited())

    def here(self, now: datetime) -> SeatQuerySet:
        """Return the seats whose players have seen a page of their game within the last minute.

        A time far in the future is from before the clock was set back, so it does not count.
        """
        return self.seen_between(now - PRESENCE, now + PRESENCE)

    def seen_between(self, after: datetime, before: datetime) -> SeatQuerySet:
        return self.filter(seen_at__gt=after, seen_at__lt=before)

    def late(self, now: datetime) -> SeatQuerySet:
        """Return the seats whose clock runs and had run out by `now`."""
        # A process of the release before stores only the deadline of the game.
        deadline = Coalesce("deadline", "game__deadline")
        return self.filter(clock_started_at__isnull=False).annotate(at=deadline).filter(at__lte=now)

    def kept_for(self, user: User) -> SeatQuerySet:
        """Return the free seats that are kept for this person."""
        return self.kept().filter(invited=user)

    def kept(self) -> SeatQuerySet:
        """Return the free seats that are kept for somebody."""
        return self.free().filter(has_declined=False).exclude(invited=None, invited_address="")

    def kept_for_address(self, address: str) -> SeatQuerySet:
        """Return the free seats that are kept for the person with this email address."""
        return self.kept().filter(invited_address=address)

    def kept_before(self, moment: datetime) -> SeatQuerySet:
        """Return the seats that have been kept for somebody since before this moment."""
        since = Coalesce("invited_at", "game__opened_at")
        return self.kept().annotate(kept_since=since).filter(kept_since__lt=moment)

    def free_for_anybody(self) -> SeatQuerySet:
        """Return the free seats that are kept for nobody."""
        return self.free().filter(Q(invited=None, invited_address="") | Q(has_declined=True))

    def free_for(self, user: User, address: str = "") -> SeatQuerySet:
        """Return the free seats that this person may take, first the one to which they are invited.

        `address` is the one to which the invitation was sent by which they come; empty without one.
        """
        is_theirs = Q(invited=user)
        if address:
            is_theirs |= Q(invited_address=address)
        for_anybody = Q(invited=None, invited_address="") | Q(has_declined=True)
        seats = self.free().filter(is_theirs | for_anybody)
        by_link = When(Q(invited_address=address) & ~Q(invited_address=""), then=0)
        return seats.order_by(Case(by_link, When(is_theirs, then=1), default=2), "number")


class Seat(models.Model):
    """A place in a game: free, or with a person or a bot on it."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", verbose_name=_("game"))
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats", verbose_name=_("player")
    )
    # The person for whom the seat is kept while nobody has it and they have not declined. Who is invited to a
    # table by name, or by another address, is not invited again by an address: what they do as the one would
    # show the opener whose the other is.
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="invitations",
        verbose_name=_("kept for"),
    )
    # The address that the opener typed. Only the opener sees it, and nobody sees whose account has it.
    invited_address = models.EmailField(_("kept for the address"), blank=True, default="", db_default="")
    invited_at = models.DateTimeField(_("kept since"), null=True)
    has_declined = models.BooleanField(
        _("declined"),
        default=False,
        db_default=False,
        help_text=_("the person for whom it was kept does not want it"),
    )
    # The words of a reply can be read wrongly, so the opener may ask them once more.
    has_declined_by_reply = models.BooleanField(_("declined by reply"), default=False, db_default=False)
    was_asked_again = models.BooleanField(_("asked again"), default=False, db_default=False)
    # A program that answers all emails gets few.
    answers_to_replies = models.PositiveSmallIntegerField(_("answers to replies"), default=0, db_default=0)
    # Processes from before answers_to_replies still use it; a later release removes it.
    has_unclear_answer = models.BooleanField(_("unclear answer"), default=False, db_default=False)
    bot = models.CharField(_("bot level"), max_length=12, blank=True)
    bot_name = models.CharField(_("bot's name"), max_length=12, blank=True, default="", db_default="")
    joined_at = models.DateTimeField(_("joined"), null=True)
    # Public, because it was sent after the site had committed to its secret.
    nonce = models.CharField(
        _("nonce"),
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text=_("is mixed into the deal; empty for bots"),
    )
    has_own_nonce = models.BooleanField(
        _("own nonce"), default=False, db_default=False, help_text=_("the browser of the player made it")
    )
    # When the player last had a visible page of the game open. Used only for presence.
    seen_at = models.DateTimeField(_("last seen"), null=True)
    is_silent = models.BooleanField(
        _("silent"), default=False, db_default=False, help_text=_("the player gets no notifications about it")
    )

    chat_read_to = models.PositiveBigIntegerField(
        _("chat read to"), default=0, db_default=0, help_text=_("the last line that the player has read")
    )

    planned_number = models.PositiveIntegerField(
        _("planned action"), null=True, help_text=_("the latest action of the player that a plan made")
    )
    unplanned_number = models.PositiveIntegerField(
        _("action instead of a plan"),
        null=True,
        help_text=_("the latest action of the player that was the only possible one, and not in their plan"),
    )

    # Projections of the log: `Position.places` and `Position.figures`. A place has no check of its sign, for
    # which the migration would read the whole table.
    place = models.SmallIntegerField(_("place"), null=True, help_text=_("1 is best; empty without a result"))
    figures = models.JSONField(_("figures"), null=True, help_text=_("numbers that lists show"))
    # Processes of the release before read them. They are still stored; a later release removes them.
    discs = models.PositiveSmallIntegerField(_("discs left"), null=True)
    time = models.PositiveIntegerField(_("time"), null=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True)
    # Projections of the log.
    has_left = models.BooleanField(_("has left"), default=False)
    # Without a check of its sign, for which the migration would read the whole table.
    awaited_since = models.IntegerField(
        _("awaited since"),
        null=True,
        help_text=_("the action that began the turn of the seat; 0 is the start"),
    )

    # The level of the bot that plays for the person of this seat; empty while the person plays.
    caretaker = models.CharField(_("caretaker"), max_length=12, blank=True, default="", db_default="")
    # Projections of the log and of the calendar of the player: the bank with which the turn of the seat
    # started or, after it, the next one starts; since when its clock runs; and when its time is up.
    bank = models.DurationField(_("bank"), null=True)
    clock_started_at = models.DateTimeField(_("clock started"), null=True)
    deadline = models.DateTimeField(_("deadline"), null=True, help_text=_("while its clock runs"))
    # The deadline for which a reminder was stored last. It is no projection.
    reminded_of = models.DateTimeField(_("reminded of"), null=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_once_a_game"),
            models.UniqueConstraint(
                fields=["game", "user"], name="seat_one_a_player", condition=Q(user__isnull=False)
            ),
            models.CheckConstraint(condition=Q(bot="") | Q(user=None), name="seat_person_or_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    def end_invitation(self) -> None:
        """Invite nobody to the seat any more; the caller stores the columns of NO_INVITATION."""
        for column, value in NO_INVITATION.items():
            setattr(self, column, value)

    @property
    def is_free(self) -> bool:
        return self.joined_at is None

    @property
    def level(self) -> str:
        """The level of the bot that plays the seat now; empty if a person does."""
        return self.caretaker or self.bot

    def is_here(self, now: datetime) -> bool:
        """Return whether the player has seen a page of the game of late; `here` finds the same seats."""
        return self.seen_at is not None and abs(now - self.seen_at) < PRESENCE

    @property
    def is_awaited(self) -> bool:
        """Whether the game waits for the seat; `SeatQuerySet.awaited` finds the same seats."""
        return self.number == self.game.to_move or self.turn_start is not None

    @property
    def turn_start(self) -> int | None:
        """The number of the action that began the turn of the seat; None without one, or if it is unknown."""
        return self.awaited_since if self.game.projected_version == self.game.version else None

    @property
    def time_is_up_at(self) -> datetime | None:
        """When the clock of the seat has run out; None while it does not run."""
        if self.clock_started_at is None:
            return None
        # A process of the release before stores only the deadline of the game, which is the earliest.
        return max(filter(None, (self.deadline, self.game.deadline)), default=None)

    @property
    def deadline_reminded_of(self) -> datetime | None:
        """The deadline for which a reminder was stored last."""
        # Processes of the release before store it with the game.
        return self.reminded_of or self.game.reminded_of

    @property
    def is_voter(self) -> bool:
        """Whether a person plays the seat and takes part in votes; `voters` finds the same seats."""
        return self.has_clock and not self.has_left

    @property
    def has_clock(self) -> bool:
        """Whether a person plays the seat now, so that its clock runs in its turns."""
        return self.user_id is not None and not self.caretaker

    def is_kept_for(self, user: User, address: str = "") -> bool:
        """Return whether the opener has invited this person to the free seat, by name or by this address."""
        return self.invited_id == user.pk or bool(address and self.invited_address == address)

    def is_of(self, viewer: Viewer) -> bool:
        """Whether this viewer has the seat."""
        return self.user_id is not None and self.user_id == viewer.pk

    @property
    def is_of_guest(self) -> bool:
        """Whether a guest has the seat."""
        return self.user is not None and self.user.is_guest

    @property
    def name(self) -> str:
        """The name that pages show: a user name, a bot's name, "free seat" or "a former player"."""
        if self.user is not None:
            return marked.name(self.user.get_username())
        if self.bot:
            return marked.name(self.bot_name or OLD_BOT_NAMES[self.number])
        return gettext("free seat") if self.is_free else gettext("a former player")


def seats_of(game: Game) -> list[Seat]:
    """Return the seats of a game with their players, in their order; read once for each object `game`.

    `refresh_from_db` lets them be read again.
    """
    kept = game.__dict__.setdefault("_prefetched_objects_cache", {})
    if "seats" not in kept:
        seats = game.seats.all()
        seats._result_cache = _seats.rows(game.pk)
        for seat in seats:
            seat.game = game
        kept["seats"] = seats
    return list(kept["seats"])


_seats = Statement(lambda game: Seat.objects.filter(game=game).select_related("user"))


def has_stand_in(seats: Iterable[Seat]) -> bool:
    """Return whether a bot plays for a person, who has no vote now and can return at any time."""
    return any(seat.user_id is not None and seat.caretaker and not seat.has_left for seat in seats)


def needs_agreement(seats: Iterable[Seat]) -> bool:
    """Return whether several people take part in votes, so that none of them decides alone."""
    return sum(seat.is_voter for seat in seats) > 1


def allows_take_backs(game: Game, seats: Collection[Seat]) -> bool:
    """Return whether actions of this game may be taken back: it is not rated, and everybody can be asked."""
    return (
        not (game.is_solo or game.changes_ratings or game.duplicate)
        and not has_stand_in(seats)
        and title_named(game.title).counts_reveals
    )


def deadline_for(game: Game, viewer: Viewer) -> datetime | None:
    """Return when the clock of the viewer has run out or, while it does not run, the first of the others."""
    if game.deadline is None:
        return None
    own = next((seat.time_is_up_at for seat in seats_of(game) if seat.is_of(viewer)), None)
    return own or game.deadline
