"""Deals: shuffled decks and start orders."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Deal(models.Model):
    """A shuffled deck and a start order, with a commitment to both that is published when the game starts.

    Deals have their own table, so that no list of games, form or admin page loads a deck.
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
