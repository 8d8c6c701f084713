"""Notifications that players are owed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.models.browsers import Browser
from games.models.games import Game
from games.models.webhooks import Webhook

if TYPE_CHECKING:
    from accounts.models import User


class NotificationQuerySet(models.QuerySet["Notification"]):
    def pending(self) -> NotificationQuerySet:
        return self.filter(sent_at=None, dropped_at=None)

    def newest(self) -> NotificationQuerySet:
        """Return the latest notification for each game, user, kind and channel."""
        same = {name: OuterRef(name) for name in ("game", "user", "kind", "channel")}
        return self.exclude(Exists(Notification.objects.filter(version__gt=OuterRef("version"), **same)))

    def later_than(self, notification: Notification) -> NotificationQuerySet:
        """Return the later notifications for the same game, user, kind and channel."""
        same = {name: getattr(notification, name) for name in ("game", "user", "kind", "channel")}
        return self.filter(version__gt=notification.version, **same)


class Kind(models.TextChoices):
    TURN = "turn", _("your turn")
    STARTED = "started", _("game started")
    OVER = "over", _("game over")
    MATCH = "match", _("duplicate match over")
    TABLE = "table", _("table closes soon")
    INVITATION = "invite", _("invitation")
    LEFT = "left", _("a player leaves")
    REMINDER = "reminder", _("your time is running out")
    CARETAKER = "bot", _("a bot plays for you")
    NUDGE = "nudge", _("nudge")
    VOTE = "vote", _("proposal")
    SEAT = "seat", _("a seat changes hands")
    CHAT = "chat", _("chat")
    FOLLOWED = "followed", _("a game that you follow ends")


class Channel(models.TextChoices):
    MAIL = "mail", _("immediate email")
    DIGEST = "digest", _("daily email")
    PUSH = "push", _("push message")
    WEBHOOK = "webhook", _("webhook")


# What people get who have chosen nothing; a channel that they have set up sends them every kind of these that
# is not off.
SET_UP = frozenset({Channel.PUSH, Channel.WEBHOOK})
DEFAULT_CHANNELS: Mapping[str, frozenset[str]] = {
    Kind.TURN: frozenset({Channel.MAIL}),
    Kind.STARTED: frozenset({Channel.MAIL}),
    Kind.OVER: frozenset({Channel.MAIL}),
    Kind.MATCH: frozenset({Channel.MAIL}),
    Kind.TABLE: frozenset({Channel.MAIL}),
    Kind.INVITATION: frozenset({Channel.MAIL}),
    Kind.LEFT: frozenset({Channel.MAIL}),
    Kind.REMINDER: frozenset({Channel.MAIL}),
    Kind.CARETAKER: frozenset({Channel.MAIL}),
    Kind.NUDGE: frozenset({Channel.MAIL}),
    Kind.VOTE: frozenset({Channel.MAIL}),
    Kind.SEAT: frozenset({Channel.MAIL}),
    Kind.CHAT: frozenset({Channel.DIGEST}),
    Kind.FOLLOWED: frozenset(),
}

# Why a notification was dropped, as it is stored and as its user reads it.
REASONS = {
    "unwanted": _("you don't want it"),
    "no receiver": _("your browser or webhook took no messages any more"),
    "silent game": _("you silenced this game"),
    "apart": _("you and the other person don't play together"),
    "turn over": _("the turn was over"),
    "newer turn": _("a newer turn began"),
    "seen": _("you have seen it"),
    "over": _("the game was over"),
    "started": _("the game has started"),
    "seats changed": _("somebody joined or left"),
    "deadline moved": _("the deadline moved"),
    "seat is yours": _("you play your seat yourself"),
    "answered": _("you have answered"),
    "settled": _("the proposal had ended"),
    "offer over": _("the seat was not offered any more"),
    "handed over": _("you handed your seat over"),
    "not followed": _("you did not follow the game any more"),
    "address refused": _("your address was refused for a day"),
    "message refused": _("your browser or webhook refused this message"),
}


class Notification(models.Model):
    """A message that a player is owed on one channel.

    It is stored with the action that causes it, and sent later.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="notifications", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    channel = models.CharField(
        _("channel"), max_length=8, choices=Channel, default=Channel.MAIL, db_default=Channel.MAIL
    )
    version = models.PositiveIntegerField(_("actions"), help_text=_("stored when the turn began"))
    repeat = models.PositiveSmallIntegerField(
        _("repeat"), default=0, db_default=0, help_text=_("how often one about the same was sent before")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"))
    claimed_at = models.DateTimeField(
        _("claimed"),
        null=True,
        help_text=_("since when a worker checks or sends it"),
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    error = models.TextField(_("last error"), blank=True)
    refused_at = models.DateTimeField(
        _("refused"), null=True, help_text=_("since when the server refuses the address")
    )
    failing_since = models.DateTimeField(_("failing since"), null=True)
    sent_at = models.DateTimeField(_("sent"), null=True)
    dropped_at = models.DateTimeField(_("dropped"), null=True)
    why_dropped = models.CharField(_("why dropped"), max_length=20, blank=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "kind", "version", "channel", "repeat"],
                name="notification_once_a_channel",
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="notification_due", condition=Q(sent_at=None, dropped_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id}#{self.version}"

    @property
    def outcome(self) -> str:
        """Why the notification was dropped, in words for its user."""
        return str(REASONS.get(self.why_dropped, self.why_dropped))


class NotificationChoice(models.Model):
    """A person's answer to "do you want this kind of notification on this channel?".

    Without an answer, DEFAULT_CHANNELS counts.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="notification_choices",
        verbose_name=_("player"),
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    channel = models.CharField(_("channel"), max_length=8, choices=Channel)
    is_wanted = models.BooleanField(_("is wanted"))

    class Meta:
        verbose_name = _("choice of notifications")
        verbose_name_plural = _("choices of notifications")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="notification_choice_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} {self.channel}"


# What a person may have stored about notifications, as `games/models/facts.py` names it.
STORED = frozenset({"browsers", "webhooks", "choices"})


def channels_of(user: User, stored: Collection[str] = STORED) -> list[Channel]:
    """Return the channels that `user` has: emails, and those that they have set up.

    Nothing else than `stored` is looked up, because the caller knows that there is no more.
    """
    missing = set()
    has_key = bool(settings.PUSH_KEY) and "browsers" in stored
    if not has_key or not Browser.objects.filter(user=user, off_at=None).exists():
        missing.add(Channel.PUSH)
    if "webhooks" not in stored or not Webhook.objects.filter(user=user, off_at=None).exists():
        missing.add(Channel.WEBHOOK)
    return [one for one in Channel if one not in missing]


def wanted_channels(user: User, stored: Collection[str] = STORED) -> dict[str, set[str]]:
    """Return the channels on which `user` wants each kind of notification, among those that they have."""
    existing = channels_of(user, stored)
    set_up = SET_UP.intersection(existing)
    wanted: dict[str, set[str]] = {
        kind: {*channels, *set_up} if channels else set() for kind, channels in DEFAULT_CHANNELS.items()
    }
    choices = NotificationChoice.objects.filter(user=user, kind__in=wanted, channel__in=existing)
    for choice in choices if "choices" in stored else ():
        (wanted[choice.kind].add if choice.is_wanted else wanted[choice.kind].discard)(choice.channel)
    return wanted
