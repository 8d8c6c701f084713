"""The paces of games, as they are stored."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Pace(models.TextChoices):
    """How fast a game is. One without a clock has no pace."""

    LIVE = "live", _("live, 10 minutes")
    LIVE_5 = "live5", _("live, 5 minutes")
    LIVE_3 = "live3", _("live, 3 minutes")
    DAY = "day", _("a day")
    SLOW = "slow", _("slow")
