"""What moderators decide about a person: a measure has a reason, an end and a text to the person."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.chat import LONGEST_LINE, ChatLine
from games.models.games import Game
from games.models.reports import LONGEST_WORDS, Report

# The end of what has no end, in columns of users that compare times.
NEVER = datetime(9000, 1, 1, tzinfo=UTC)


class MeasureQuerySet(models.QuerySet["Measure"]):
    def in_force(self) -> MeasureQuerySet:
        has_time = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
        return self.filter(has_time, lifted_at=None)

    def with_open_objection(self) -> MeasureQuerySet:
        return self.filter(objected_at__isnull=False, answered_at=None)


class Measure(models.Model):
    """One decision about a person, who can object to it once."""

    class Kind(models.TextChoices):
        WARN = "warn", _("a warning")
        HIDE_LINE = "hide_line", _("a hidden line in a chat")
        RENAME = "rename", _("another name")
        MUTE = "mute", _("no writing in chats")
        NO_PUBLIC_TABLES = "no_public", _("no public tables")
        UNLIST_RESULT = "unlist", _("a result that is not listed")
        SUSPEND = "suspend", _("suspension of the account")

    class Rule(models.TextChoices):
        NAMES = "names", _("Names")
        CHAT = "chat", _("Chat")
        FAIR_PLAY = "fair-play", _("Fair play")

    # The others are over as soon as they are done.
    LASTING = frozenset({Kind.MUTE, Kind.NO_PUBLIC_TABLES, Kind.SUSPEND})

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="measures", verbose_name=_("person")
    )
    kind = models.CharField(_("kind"), max_length=9, choices=Kind)
    rule = models.CharField(_("rule"), max_length=9, choices=Rule)
    text = models.CharField(_("text to the person"), max_length=LONGEST_WORDS)
    report = models.ForeignKey(
        Report, models.SET_NULL, null=True, related_name="measures", verbose_name=_("report")
    )
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+", verbose_name=_("game"))
    line = models.ForeignKey(ChatLine, models.SET_NULL, null=True, related_name="+", verbose_name=_("line"))
    quote = models.CharField(
        _("quote"), max_length=LONGEST_LINE, blank=True, help_text=_("The line, or the name before.")
    )
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("taken by")
    )
    taken_at = models.DateTimeField(_("taken"), default=timezone.now)
    ends_at = models.DateTimeField(_("end"), null=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True)

    objection = models.CharField(_("objection"), max_length=LONGEST_WORDS, blank=True)
    objected_at = models.DateTimeField(_("objected"), null=True, db_index=True)
    answer = models.CharField(_("answer"), max_length=LONGEST_WORDS, blank=True)
    answered_at = models.DateTimeField(_("answered"), null=True)

    objects = MeasureQuerySet.as_manager()

    class Meta:
        verbose_name = _("measure")
        verbose_name_plural = _("measures")

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def is_in_force(self) -> bool:
        """Whether it still has an effect, or can have one again."""
        return self.lifted_at is None and (self.ends_at is None or self.ends_at > timezone.now())

    @property
    def has_open_objection(self) -> bool:
        return self.objected_at is not None and self.answered_at is None

    @property
    def can_be_decided(self) -> bool:
        """Whether a moderator can lift it; an objection is answered also after the end."""
        return self.lifted_at is None and (self.is_in_force or self.has_open_objection)

    @property
    def has_lost_name(self) -> bool:
        """Whether the person could not have their name again, because somebody else has it."""
        return self.kind == self.Kind.RENAME and self.lifted_at is not None and self.user.chooses_name

    @property
    def is_for_good(self) -> bool:
        return self.ends_at is None and self.kind in self.LASTING
