"""Offers to change the pace of a running game."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class PaceOffer(models.Model):
    """A player's offer to change the pace. It is accepted when everybody who plays has agreed."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="pace_offers", verbose_name=_("game"))
    pace = models.CharField(
        _("pace"), max_length=8, choices=Game.Pace, blank=True, help_text=_("or no clock")
    )
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("offered by")
    )
    offered_at = models.DateTimeField(_("offered"), auto_now_add=True)
    agreed = models.JSONField(_("seats that agree"), default=list)
    settled_at = models.DateTimeField(_("settled"), null=True)
    is_accepted = models.BooleanField(_("is accepted"), default=False)

    class Meta:
        verbose_name = _("offer of a pace")
        verbose_name_plural = _("offers of paces")
        ordering = ["game", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], name="pace_offer_one_open", condition=Q(settled_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.pace}"
