"""Deals: shuffled decks and start orders."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Deal(models.Model):
    """A shuffled deck and a start order, with a commitment that is published before anybody sees them.

    Deals have their own table, so that no list of games, form or admin page loads a deck.
    """

    class Rule(models.IntegerChoices):
        """How a deal was made, and to what the site has committed."""

        # The commitment is to the salt, the deck and the start order.
        DRAWN = 1, _("drawn by the site")
        # The commitment is to the secret, which is stored as the salt. The deck and the start order are
        # empty until the game starts; then they follow from the secret and the nonces.
        MIXED = 2, _("mixed with the players")

    # Without a check of its sign, for which the migration would read the whole table.
    rule = models.SmallIntegerField(_("rule"), choices=Rule, default=Rule.DRAWN, db_default=Rule.DRAWN)
    deck = models.JSONField(_("deck"))
    start_order = models.JSONField(_("start order"))
    salt = models.CharField(_("salt"), max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)
    nonces = models.JSONField(
        _("nonces"), null=True, help_text=_("of the seats in their order, when the game started")
    )

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints = [
            # A secret that the end of a game has revealed must not make another deal.
            models.UniqueConstraint(fields=["commitment"], name="deal_secret_once", condition=Q(rule=2)),
        ]

    def __str__(self) -> str:
        return self.commitment[:12]

    @property
    def is_dealt(self) -> bool:
        """Whether the deck and the start order are fixed."""
        return bool(self.deck)
