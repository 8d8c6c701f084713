"""Deals: what is random in games, such as a shuffled deck."""

from collections.abc import Mapping

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

# The title of all games and deals from before there were several.
FIRST_TITLE = "novaluna"

# The columns of what is dealt.
DEALT = ("dealt", "deck", "start_order")


class Deal(models.Model):
    """What is random in the games on it, with a commitment that is published before anybody sees it.

    Deals have their own table, so that no list of games, form or admin page loads one.
    """

    class Rule(models.IntegerChoices):
        """How a deal was made, and to what the site has committed."""

        # The commitment is to the salt and what is dealt.
        DRAWN = 1, _("drawn by the site")
        # The commitment is to the secret, which is stored as the salt. Nothing is dealt until the game
        # starts; then the deal follows from the secret and the nonces.
        MIXED = 2, _("mixed with the players")

    # Without a check of its sign, for which the migration would read the whole table.
    rule = models.SmallIntegerField(_("rule"), choices=Rule, default=Rule.DRAWN, db_default=Rule.DRAWN)
    title = models.CharField(_("title"), max_length=24, default=FIRST_TITLE, db_default=FIRST_TITLE)
    dealt = models.JSONField(_("dealt"), null=True, help_text=_("as the title writes it"))
    # Processes of the release before read and write these two. They are still stored; a later release fills
    # `dealt` where such a process has left it empty, and removes them.
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
        """Whether everything in the deal is fixed."""
        return self.contents is not None

    @property
    def contents(self) -> Mapping[str, object] | None:
        """What is dealt, as JSON of the title; None until it is fixed."""
        if self.dealt is None and self.deck:
            return {"deck": self.deck, "start_order": self.start_order}
        dealt: Mapping[str, object] | None = self.dealt
        return dealt

    def fix(self, dealt: Mapping[str, object]) -> None:
        """Fix what is dealt; the caller stores the columns of DEALT."""
        self.dealt = dealt
        self.deck, self.start_order = dealt.get("deck", []), dealt.get("start_order", [])
