"""What is stored of a game: the facts fixed at its start, the log of actions, and projections of that log.

Only `games.services` writes these tables.
"""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models import User

KEY_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_key() -> str:
    """Return a random name for a game's address, too long to guess: who has the link may watch."""
    return "".join(secrets.choice(KEY_ALPHABET) for _i in range(12))


class Deal(models.Model):
    """A shuffled deck and a drawn start order, committed to before anybody sees the game.

    The deck stands in a table of its own so that no list of games, form or admin page ever loads it.
    """

    deck = models.JSONField(_("deck"))
    start_order = models.JSONField(_("start order"))
    salt = models.CharField(_("salt"), max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")

    def __str__(self) -> str:
        return self.commitment[:12]


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

    def listed(self) -> GameQuerySet:
        """Games that strangers may find; the others are reached by their link alone."""
        return self.filter(is_public=True)

    def rated(self) -> GameQuerySet:
        """Games that were played without hints; the others count for nothing."""
        return self.filter(is_rated=True)

    def seating(self, user: User) -> GameQuerySet:
        return self.filter(pk__in=Seat.objects.filter(user=user).values("game"))

    def waiting_for(self, user: User) -> GameQuerySet:
        """Running games in which it is this person's turn."""
        return self.running().filter(seats__user=user, seats__number=F("to_move"))


class Game(models.Model):
    """A table until it starts, a game from then on."""

    class Mode(models.TextChoices):
        MULTIPLAYER = "multiplayer", _("with others")
        SOLO = "solo", _("solo")

    class Status(models.TextChoices):
        OPEN = "open", _("open table")
        RUNNING = "running", _("running")
        OVER = "over", _("over")

    key = models.CharField(_("key"), max_length=12, unique=True, default=new_key, editable=False)
    mode = models.CharField(_("mode"), max_length=12, choices=Mode, default=Mode.MULTIPLAYER)
    seat_count = models.PositiveSmallIntegerField(_("seats"))
    goal_discs = models.PositiveSmallIntegerField(_("discs each"))
    is_public = models.BooleanField(_("public"), default=True)
    is_rated = models.BooleanField(
        _("rated"), default=True, db_default=True, help_text=_("until a player asks for a hint")
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("opened by")
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    request_id = models.UUIDField(_("request"), default=uuid.uuid4, editable=False)
    # How often somebody came or left before the start: pages of a table follow this number.
    changes = models.PositiveIntegerField(_("changes of seats"), default=0)

    deal = models.ForeignKey(Deal, models.PROTECT, null=True, related_name="games", verbose_name=_("deal"))
    rules_version = models.PositiveSmallIntegerField(_("rules version"), null=True)
    started_at = models.DateTimeField(_("started"), null=True)

    # Projections of the log, written with each action: `manage.py rebuild_games` makes them anew.
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(_("actions"), default=0)
    to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True)
    winner = models.PositiveSmallIntegerField(_("winning seat"), null=True)
    score = models.PositiveSmallIntegerField(_("solo score"), null=True)
    ending = models.CharField(_("ending"), max_length=12, blank=True)
    moved_at = models.DateTimeField(_("last action"), null=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["opened_by", "request_id"], name="game_request_once_a_person")
        ]
        indexes = [
            models.Index(fields=["status", "moved_at"], name="game_status"),
            models.Index(
                fields=["score", "moved_at"], name="game_solo_board", condition=Q(score__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("games:game", args=[self.key])

    @property
    def is_solo(self) -> bool:
        return self.mode == self.Mode.SOLO

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.OVER


class SeatQuerySet(models.QuerySet["Seat"]):
    def free(self) -> SeatQuerySet:
        return self.filter(user=None, bot="", joined_at=None)


class Seat(models.Model):
    """A place at a table: free, a person's or a bot's."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", verbose_name=_("game"))
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats", verbose_name=_("player")
    )
    bot = models.CharField(_("bot level"), max_length=12, blank=True)
    joined_at = models.DateTimeField(_("joined"), null=True)
    # When a visible page of the game was last seen by the player: holds back mails, nothing else.
    seen_at = models.DateTimeField(_("last seen"), null=True)

    # Projections of the log.
    discs = models.PositiveSmallIntegerField(_("discs left"), null=True)
    time = models.PositiveIntegerField(_("time"), null=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True)
    has_left = models.BooleanField(_("has left"), default=False)

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

    @property
    def is_free(self) -> bool:
        return self.joined_at is None

    @property
    def name(self) -> str:
        """What the others read: a user name, a bot's name, or that the seat is free or its player gone."""
        if self.user is not None:
            return self.user.get_username()
        if self.bot:
            return BOT_NAMES[self.number]
        return gettext("free seat") if self.is_free else gettext("former player")


# Astronomers who have a crater on the moon.
BOT_NAMES = ("Hypatia", "Halley", "Kepler", "Cannon")


class Action(models.Model):
    """One entry of a game's log: appended by `services.play`, never changed, never deleted."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="actions", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"), help_text=_("from 1, without gaps"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    payload = models.JSONField(_("action"), help_text=_("in the record format"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("made by")
    )
    request_id = models.UUIDField(_("request"))
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="action_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "request_id"], name="action_request_once_a_game"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"


class NotificationQuerySet(models.QuerySet["Notification"]):
    def pending(self) -> NotificationQuerySet:
        return self.filter(sent_at=None, dropped_at=None)


class Notification(models.Model):
    """A message owed to a player: a row first, written with the action that caused it, a mail second."""

    class Kind(models.TextChoices):
        TURN = "turn", _("your turn")

    game = models.ForeignKey(Game, models.CASCADE, related_name="notifications", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    version = models.PositiveIntegerField(_("actions"), help_text=_("stored when the turn began"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    error = models.TextField(_("last error"), blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True)
    dropped_at = models.DateTimeField(_("dropped"), null=True)
    why_dropped = models.CharField(_("why dropped"), max_length=20, blank=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "kind", "version"], name="notification_once_a_turn"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="notification_due", condition=Q(sent_at=None, dropped_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id}#{self.version}"


class Hint(models.Model):
    """The expert's advice on a turn, for the player who asked, thought out by a worker."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="hints", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"), help_text=_("of the action that it is for"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    payload = models.JSONField(_("action"), null=True, help_text=_("in the record format"))
    value = models.FloatField(_("value"), null=True, help_text=_("chance to win, or solo score"))

    class Meta:
        verbose_name = _("hint")
        verbose_name_plural = _("hints")
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="hint_once_a_turn")]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"


class Review(models.Model):
    """The expert's view of a finished game, which a worker writes turn by turn."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="review", verbose_name=_("game"))
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    judged_at = models.DateTimeField(_("last turn judged"), auto_now_add=True)
    turns = models.JSONField(_("turns"), default=list, help_text=_("a judgement for each action, in order"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        indexes = [
            models.Index(fields=["judged_at"], name="review_unfinished", condition=Q(finished_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.game_id}"
