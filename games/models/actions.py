"""Actions: the entries of each game's log."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game

if TYPE_CHECKING:
    from games.models.seats import Seat


class ActionQuerySet(models.QuerySet["Action"]):
    def moves(self) -> ActionQuerySet:
        """Return what players have moved, not that somebody left, cancelled or took back."""
        return self.exclude(payload__do__in=["resign", "take_back", "cancel"])

    def ending_choices_of(self, seat: Seat) -> ActionQuerySet:
        """Return the actions after which a seat chooses again.

        They are its own, those of players who leave, and take-backs.
        """
        return self.filter(Q(seat=seat.number) | Q(payload__do__in=["resign", "take_back"]))


class Action(models.Model):
    """One entry of a game's log. `services.play` appends it; only `made_by` ever changes."""

    # The constraints and the index of the class begin with these two, so they need none of their own.
    game = models.ForeignKey(
        Game, models.PROTECT, related_name="actions", db_index=False, verbose_name=_("game")
    )
    number = models.PositiveIntegerField(_("number"), help_text=_("from 1, without gaps"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    payload = models.JSONField(_("action"), help_text=_("in the record format"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,
        verbose_name=_("made by"),
    )
    request_id = models.UUIDField(_("request"))
    at = models.DateTimeField(_("time"), auto_now_add=True)

    objects = ActionQuerySet.as_manager()

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["game", "number"]
        # For the estimate of a turn, which reads a person's latest actions.
        indexes = [models.Index(fields=["made_by", "-at"], name="action_latest_of_a_person")]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="action_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "request_id"], name="action_request_once_a_game"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"


def is_current(seat: Seat, number: int) -> bool:
    """Return whether an action of a seat still counts that was chosen as action `number` of the log.

    It is the next action, or others with the same turn have acted meanwhile.
    """
    version, start = seat.game.version, seat.turn_start
    if start is None or not start < number <= version:
        return number == version + 1
    since = Action.objects.filter(game=seat.game_id, number__gte=number)
    return not since.ending_choices_of(seat).exists()


def waits_since(seat: Seat) -> datetime:
    """Return since when a game waits for an awaited seat, as it is now and with the player that it has."""
    changed_at = seat.game.seat_changes.filter(seat=seat.number).values_list("at", flat=True)
    return max([choice_began_at(seat), *changed_at])


def choice_began_at(seat: Seat) -> datetime:
    """Return since when an awaited seat can choose its next action."""
    game, start = seat.game, seat.turn_start
    assert game.moved_at is not None, "the game has not started"
    if start is None or start == game.version:
        return game.moved_at
    actions = Action.objects.filter(game=game, number__gt=start).ending_choices_of(seat)
    begun = actions | Action.objects.filter(game=game, number=start)
    newest = begun.order_by("number").last()
    return newest.at if newest else game.started_at or game.moved_at
