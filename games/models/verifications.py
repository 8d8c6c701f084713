"""Comparisons of what is stored about games with their logs."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Verification(models.Model):
    """A comparison of games with their logs: those that changed since an instant, or all. The latest stay."""

    started_at = models.DateTimeField(_("started"))
    changed_since = models.DateTimeField(_("games changed since"), null=True, help_text=_("empty: all games"))
    after_game = models.BigIntegerField(_("compared up to the game"), default=0)
    finished_at = models.DateTimeField(_("finished"), null=True)
    games = models.PositiveIntegerField(_("games"), default=0)
    wrong = models.PositiveIntegerField(_("wrong"), default=0, help_text=_("games, players and ratings"))
    first_problem = models.TextField(_("first problem"), blank=True)

    class Meta:
        verbose_name = _("comparison with the logs")
        verbose_name_plural = _("comparisons with the logs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.started_at}"
