"""Replies to emails that were received."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class ReceivedReply(models.Model):
    """A reply that a person wrote. It is stored so that it counts once, and so that its sender is limited."""

    class Outcome(models.TextChoices):
        PLAYED = "played", _("played")
        # Also of replies about plans: nobody else may learn that somebody has one.
        REFUSED = "refused", _("not played, with an answer")
        LATE = "late", _("too late")
        POINTED = "pointed", _("for no turn, with an answer")
        ACCEPTED = "accepted", _("invitation accepted")
        DECLINED = "declined", _("invitation declined")
        ASKED = "asked", _("to an invitation, with an answer")
        LIMITED = "limited", _("one of too many")

    # Made from the Message-ID, the person and the turn, so it is the same each time the email arrives.
    request_id = models.UUIDField(_("request"), unique=True, editable=False)
    # Nobody, if the person was invited by an address and has no account.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="replies", verbose_name=_("player")
    )
    # Without a turn, the person wrote to an address that belongs to none.
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number of the action"), null=True)
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome)
    received_at = models.DateTimeField(_("received"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("received reply")
        verbose_name_plural = _("received replies")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game_id}#{self.number} {self.outcome}"
