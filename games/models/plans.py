"""Plans: what players want to do when their turn comes."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.titles.registry import title_named
from games.titles.rules import AnyPosition

MOST_WISHES = 5


class Plan(models.Model):
    """What a player wants to do when their turn comes; no other viewer may learn that it exists.

    `services.plans` stores it. `services.play` removes it with the player's next action, which may be one of
    its wishes.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="plans", verbose_name=_("game"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("player")
    )
    wishes = models.JSONField(_("wishes"), help_text=_("actions in the record format, the best one first"))
    known = models.PositiveSmallIntegerField(
        _("known"),
        db_column="revealed_count",
        help_text=_("what was revealed when the player made it, as the title counts"),
    )
    outlasts_reveals = models.BooleanField(
        _("also if something is revealed"), db_column="outlasts_refill", default=False
    )

    class Meta:
        verbose_name = _("plan")
        verbose_name_plural = _("plans")
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="plan_one_a_player")]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.user_id}"

    @property
    def actions(self) -> list[Any]:
        """The wishes as actions of the title, the best one first."""
        return [title_named(self.game.title).rules.action_from_json(wish) for wish in self.wishes]

    def holds_in(self, position: AnyPosition) -> bool:
        """Return whether the player knew all that is revealed in `position`, or allows more."""
        return self.outlasts_reveals or self.known == position.known

    def action_for(self, position: AnyPosition) -> Any | None:
        """Return the first legal wish; None if there is none or if the plan does not hold any more."""
        if not self.holds_in(position):
            return None
        # Unlike `is_legal`, these are no actions of the house, such as resigning.
        return next((action for action in self.actions if action in position.legal(action.seat)), None)
