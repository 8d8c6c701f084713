"""What people report to the moderators: a line of a chat, a name, a player, or the result of a game."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.chat import LONGEST_LINE, ChatLine
from games.models.games import Game

LONGEST_WORDS = 1000  # characters: of a report, of a text to a person, of an objection


class ReportQuerySet(models.QuerySet["Report"]):
    def open(self) -> ReportQuerySet:
        return self.filter(decided_at=None)

    def like(self, report: Report) -> ReportQuerySet:
        """Return all reports about the same: one decision answers them all."""
        same = self.filter(about=report.about, subject=report.subject, line=report.line, game=report.game)
        return same.filter(quote=report.quote, subject_name=report.subject_name)

    def about_people_of(self, reports: Collection[Report]) -> ReportQuerySet:
        """Return all reports about the people of these; those about the same are among them."""
        removed = {report.subject_name for report in reports if report.subject_id is None}
        is_about = models.Q(subject__in={report.subject_id for report in reports} - {None})
        return self.filter(is_about | models.Q(subject=None, subject_name__in=removed))

    def known_to(self, reporter: int) -> list[int]:
        """Return the ids of all reports about what this person has reported."""
        own = list(self.filter(reporter=reporter))
        cases = {report.case for report in own}
        return [report.pk for report in self.about_people_of(own) if report.case in cases]


class Report(models.Model):
    """Something that one person has reported about another. Only moderators see by whom."""

    KEPT = timedelta(days=365)  # after the decision

    class About(models.TextChoices):
        LINE = "line", _("An insult or other offensive words")
        SPAM = "spam", _("Spam or advertising")
        NAME = "name", _("An offensive name")
        RESULT = "result", _("An unfair result, such as letting somebody win")
        CHEAT = "cheat", _("Cheating, such as a second account")
        LEAVING = "leaving", _("They leave games or make others wait")
        PLAYER = "player", _("Something else")

        @property
        def has_line(self) -> bool:
            """Whether a report of this is about the line of a chat from which it came."""
            return self in (Report.About.LINE, Report.About.SPAM)

    class Outcome(models.TextChoices):
        ACTED = "acted", _("Moderators have acted")
        DISMISSED = "dismissed", _("No rule was broken")
        REMOVED = "removed", _("The account was removed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="reports",
        verbose_name=_("reported by"),
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("person")
    )
    subject_name = models.CharField(
        _("name of the person"),
        max_length=150,
        blank=True,
        default="",
        db_default="",
        help_text=_("As it was when the account was removed; empty before."),
    )
    about = models.CharField(_("about"), max_length=8, choices=About)
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+", verbose_name=_("game"))
    line = models.ForeignKey(ChatLine, models.SET_NULL, null=True, related_name="+", verbose_name=_("line"))
    quote = models.CharField(
        _("quote"), max_length=LONGEST_LINE, blank=True, help_text=_("The name or line at that time.")
    )
    words = models.CharField(_("words"), max_length=LONGEST_WORDS, blank=True)
    created_at = models.DateTimeField(_("reported"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided"), null=True, db_index=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("decided by")
    )
    outcome = models.CharField(_("outcome"), max_length=9, choices=Outcome, blank=True)

    objects = ReportQuerySet.as_manager()

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def case(self) -> tuple[object, ...]:
        """What it is about: the same for all reports that `like` finds."""
        return self.about, self.subject_id, self.subject_name, self.line_id, self.game_id, self.quote

    @property
    def name(self) -> str:
        """The name of the person, or what it was when their account was removed."""
        return self.subject.username if self.subject else self.subject_name

    @property
    def is_open(self) -> bool:
        return self.decided_at is None
