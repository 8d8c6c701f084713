"""Who plays the seats of running games: a row for each change."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


class SeatChange(models.Model):
    """From action `number` on, a seat is played by a bot of level `bot`, or by the person `user`.

    Nothing changes or deletes a row. Before its first row, a seat is played by its player. The seat remains
    the player's while a bot plays it. Only when `former` has handed it over, it is the seat of `user`.
    """

    class Reason(models.TextChoices):
        TIME = "time", _("time was up")
        CALL = "call", _("others agreed")
        BACK = "back", _("player is back")
        HAND = "hand", _("handed over")

    game = models.ForeignKey(Game, models.CASCADE, related_name="seat_changes", verbose_name=_("game"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    number = models.PositiveIntegerField(_("number"), help_text=_("of the first action after the change"))
    bot = models.CharField(_("bot level"), max_length=12, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("player")
    )
    former = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("former player"),
    )
    reason = models.CharField(_("reason"), max_length=8, choices=Reason)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("change of a seat")
        verbose_name_plural = _("changes of seats")
        ordering = ["game", "pk"]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} #{self.number}"
