"""Games: facts that are fixed at the start, and projections of the log."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import MARK_LENGTH, new_mark
from games.clocks import LIVE_PACES, PACES
from games.models import paces
from games.models.daily import DailyDeal, today
from games.models.deals import FIRST_TITLE, Deal
from games.models.keys import new_key
from games.ratings import Rating
from games.titles.registry import TITLES

if TYPE_CHECKING:
    from accounts.models import User, Viewer
    from games.models.duplicates import DuplicateMatch


def is_awaited(seat: str = "", game: str = "game__") -> Q:
    """Return the condition that the game waits for a seat; `seat` and `game` lead to their columns.

    A process of the release before `Seat.awaited_since` stores only `to_move`, which is then right. Games for
    which several seats are awaited are from later releases.
    """
    is_stored = Q(**{f"{seat}awaited_since__isnull": False, f"{game}projected_version": F(f"{game}version")})
    return is_stored | Q(**{f"{seat}number": F(f"{game}to_move")})


def _closed_to_others() -> Q:
    """Return the condition of `GameQuerySet.closed_to_others`."""
    played = Game.objects.played_by_people().filter(deal=OuterRef("deal"))
    in_match = Q(deal__duplicate__isnull=False) & Q(Exists(played))
    return Q(daily__day__gte=today()) | in_match


class GameQuerySet(models.QuerySet["Game"]):
    def open(self) -> GameQuerySet:
        return self.filter(status=Game.Status.OPEN)

    def running(self) -> GameQuerySet:
        return self.filter(status=Game.Status.RUNNING)

    def over(self) -> GameQuerySet:
        return self.filter(status=Game.Status.OVER)

    def multiplayer(self) -> GameQuerySet:
        return self.filter(mode=Game.Mode.MULTIPLAYER)

    def solo(self) -> GameQuerySet:
        return self.filter(mode=Game.Mode.SOLO)

    def with_bots(self) -> GameQuerySet:
        """Return the games in which a bot has a seat."""
        return self.filter(seats__bot__gt="").distinct()

    def under_known_rules(self) -> GameQuerySet:
        """Games whose log this version of the site can replay."""
        known = (Q(title=key, rules_version__in=list(title.rules.versions)) for key, title in TITLES.items())
        return self.filter(reduce(or_, known, Q(pk__in=[])))

    def listed(self) -> GameQuerySet:
        """Return the games that everybody may find. The others can be reached only by their link."""
        return self.filter(is_public=True, is_unlisted=False)

    def findable_by(self, viewer: Viewer) -> GameQuerySet:
        """Return the listed games that are not closed to others, and the viewer's own."""
        is_listed = Q(is_public=True, is_unlisted=False) & ~_closed_to_others()
        if not viewer.is_authenticated:
            return self.filter(is_listed)
        # Not `pk__in`: PostgreSQL would then scan all games, even for the list of one person.
        is_own = Exists(viewer.seats.filter(game=OuterRef("pk")))
        return self.filter(is_listed | is_own)

    def watchable_by(self, viewer: Viewer) -> GameQuerySet:
        """Return the public games of others with several players that are on no shared deal.

        Who has handed over a seat may know a hand, and can't see the game before its end.
        """
        games = self.multiplayer().listed().under_known_rules().filter(deal__duplicate=None, daily=None)
        if not viewer.is_authenticated:
            return games
        return games.exclude(seats__user=viewer.pk).exclude(seat_changes__former=viewer.pk)

    def attempts(self) -> GameQuerySet:
        """Return the games that count for their daily deal, finished or not."""
        return self.filter(daily__isnull=False, is_practice=False)

    def played_by_people(self) -> GameQuerySet:
        """Return the games, not yet over, in which a person has a seat."""
        return self.exclude(status=Game.Status.OVER).filter(seats__bot="")

    def closed_to_others(self) -> GameQuerySet:
        """Return the games that only their players may see, because others still play on the same deal.

        The deal is that of a day that is not over, or of a duplicate match that people still play.
        """
        return self.filter(_closed_to_others())

    def with_hidden_actions(self) -> GameQuerySet:
        """Return the running games whose log shows more than a spectator may know: of titles with hands."""
        is_public = [key for key, title in TITLES.items() if not title.rules.has_hands]
        return self.running().exclude(title__in=is_public)

    def finished_attempts(self, daily: DailyDeal) -> GameQuerySet:
        """Return the attempts at a daily deal that had a score when its day was over."""
        return self.attempts().filter(daily=daily, score__isnull=False, moved_at__lt=daily.ends_at)

    def with_seat_of(self, user: User) -> GameQuerySet:
        return self.filter(pk__in=user.seats.values("game"))

    def waiting_for(self, user: User) -> GameQuerySet:
        """Return the running games in which it is this person's turn, and no bot plays their seat."""
        return self.running().filter(is_awaited("seats__", ""), seats__user=user, seats__caretaker="")


class Game(models.Model):
    """A table until it starts, and a game after that."""

    class Mode(models.TextChoices):
        MULTIPLAYER = "multiplayer", _("with others")
        SOLO = "solo", _("solo")

    class Status(models.TextChoices):
        OPEN = "open", _("open table")
        RUNNING = "running", _("running")
        OVER = "over", _("over")

    Pace = paces.Pace

    key = models.CharField(_("key"), max_length=12, unique=True, default=new_key, editable=False)
    mark = models.CharField(
        _("mark"), max_length=MARK_LENGTH, default=new_mark, db_default="", editable=False
    )
    title = models.CharField(_("title"), max_length=24, default=FIRST_TITLE, db_default=FIRST_TITLE)
    mode = models.CharField(_("mode"), max_length=12, choices=Mode, default=Mode.MULTIPLAYER)
    seat_count = models.PositiveSmallIntegerField(_("seats"))
    options = models.JSONField(_("options"), null=True, help_text=_("as the title writes them"))
    # Processes of the release before read and write it. It is still stored; a later release fills `options`
    # where such a process has left them empty, and removes it.
    goal_discs = models.PositiveSmallIntegerField(_("discs each"))
    is_public = models.BooleanField(_("public"), default=True)
    is_unlisted = models.BooleanField(
        _("unlisted"), default=False, db_default=False, help_text=_("Moderators keep its result from lists.")
    )
    is_without_hints = models.BooleanField(
        _("without hints"),
        db_column="is_rated",
        default=True,
        db_default=True,
        help_text=_("until a player asks for one"),
    )
    changes_ratings = models.BooleanField(
        _("rated"),
        default=False,
        db_default=False,
        help_text=_("the result changes the ratings of the players"),
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("opened by")
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    # Those who sit at an unused table see it a week before. It is no projection.
    closes_at = models.DateTimeField(_("closes"), null=True, help_text=_("if nobody joins the table"))
    request_id = models.UUIDField(_("request"), default=uuid.uuid4, editable=False)
    pace = models.CharField(
        _("pace"),
        max_length=8,
        choices=Pace,
        blank=True,
        default="",
        db_default="",
        help_text=_("or no clock"),
    )
    caretaker = models.CharField(
        _("caretaker"),
        max_length=12,
        blank=True,
        default="",
        db_default="",
        help_text=_("level of the bot that plays a seat whose time is up; empty if the seat is out"),
    )
    # Without a check of its sign, for which the migration would read the whole table.
    least_reliability = models.SmallIntegerField(
        _("least reliability"),
        default=0,
        db_default=0,
        help_text=_("in percent, of people who join without an invitation; not of newcomers"),
    )
    least_rating = models.SmallIntegerField(_("least rating"), null=True, help_text=_("of people who join"))
    most_rating = models.SmallIntegerField(_("highest rating"), null=True, help_text=_("of people who join"))
    # A finished game has at most one rematch.
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, related_name="rematch", verbose_name=_("rematch of")
    )
    # Counts the changes that are no actions, so that open pages notice them: of seats, and of the rematch.
    changes = models.PositiveIntegerField(_("changes of seats"), default=0)

    deal = models.ForeignKey(Deal, models.PROTECT, null=True, related_name="games", verbose_name=_("deal"))
    daily = models.ForeignKey(
        DailyDeal, models.PROTECT, null=True, related_name="games", verbose_name=_("daily deal")
    )
    # Only the first game of a person on a daily deal, begun on its day, is their attempt.
    is_practice = models.BooleanField(
        _("practice"), default=False, db_default=False, help_text=_("does not count for the daily deal")
    )
    rules_version = models.PositiveSmallIntegerField(_("rules version"), null=True)
    started_at = models.DateTimeField(_("started"), null=True)

    # Projections of the log, stored with each action. `manage.py rebuild_games` rebuilds them.
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(_("actions"), default=0)
    # The first awaited seat, for processes from before `Seat.awaited_since`; a later release removes it.
    to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True)
    # Processes of the release before read it. It is still stored; a later release removes it.
    winner = models.PositiveSmallIntegerField(_("winning seat"), null=True)
    score = models.PositiveSmallIntegerField(_("solo score"), null=True)
    ending = models.CharField(_("ending"), max_length=12, blank=True)
    moved_at = models.DateTimeField(_("last action"), null=True)
    # The version at which a process of this release stored all projections. Where it differs from `version`,
    # a process of the release before has stored the last action (`services/projections/healing.py`).
    projected_version = models.IntegerField(_("projected action"), null=True)

    # Until then, the turn of the bot that is to move counts as queued or running (`services/bot_queue.py`).
    # This is no projection. Each action sets it to null, because a new turn begins.
    bot_queued_until = models.DateTimeField(_("bot's turn queued until"), null=True)

    # When the first clock that runs has run out. A projection of the log and of the calendars of the players.
    deadline = models.DateTimeField(_("deadline"), null=True)
    # When the deadline last moved, for calendars. It is no projection.
    deadline_changed_at = models.DateTimeField(_("deadline moved"), null=True)
    # Processes from before `Seat.reminded_of` still use it; a later release removes it.
    reminded_of = models.DateTimeField(_("reminded of"), null=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["opened_by", "request_id"], name="game_request_once_a_person"),
            models.UniqueConstraint(
                fields=["daily", "opened_by"],
                name="game_one_attempt_a_person",
                condition=Q(daily__isnull=False, is_practice=False),
            ),
        ]
        indexes = [
            models.Index(fields=["status", "moved_at"], name="game_status"),
            models.Index(fields=["deadline"], name="game_deadline", condition=Q(deadline__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("games:game", args=[self.key])

    @property
    def live_version(self) -> int:
        """A number that changes with each change of the page of the game or table.

        It is -1 minus the number of changes at a table, and later the number of changes and actions.
        """
        return -1 - self.changes if self.is_open else self.version + self.changes

    @property
    def all_options(self) -> Mapping[str, object]:
        """The options of the title, also of a game that a process of the release before has opened."""
        options: Mapping[str, object] | None = self.options
        return {"discs": self.goal_discs} if options is None else options

    @property
    def is_solo(self) -> bool:
        return self.mode == self.Mode.SOLO

    @property
    def is_live(self) -> bool:
        """Whether all players are to be online at the same time."""
        return self.pace in LIVE_PACES

    @property
    def clocks_start_at(self) -> datetime | None:
        """When the first clock of a game with a pace starts: at the fast paces, later than the game."""
        pace = PACES.get(self.pace)
        return self.started_at + pace.head_start if pace and self.started_at else None

    @property
    def needs_account(self) -> bool:
        """Whether all people need a rating, which guests don't have."""
        return self.changes_ratings or self.least_rating is not None or self.most_rating is not None

    def admits(self, rating: Rating) -> bool:
        """Return whether the rating is in the range that the table asks for."""
        lowest, highest = self.least_rating or 0, self.most_rating or rating.number
        return lowest <= rating.number <= highest

    @property
    def duplicate(self) -> DuplicateMatch | None:
        """The duplicate match of which this is a table."""
        found: DuplicateMatch | None = getattr(self.deal, "duplicate", None)
        return found

    @property
    def is_only_practice(self) -> bool:
        """Whether it is on a daily deal and does not count: also an attempt that goes on past midnight."""
        if self.daily is None or self.is_practice:
            return self.is_practice
        return self.moved_at >= self.daily.ends_at if self.is_over and self.moved_at else self.daily.is_over

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.OVER
