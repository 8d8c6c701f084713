"""Registers Nova Luna as a title of the site."""

from collections.abc import Mapping, Sequence

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NovaLunaConfig(AppConfig):
    """The wing of Nova Luna, an app without models."""

    name = "games.novaluna"
    label = "novaluna"
    verbose_name = _("Nova Luna")

    bundles: Mapping[str, Sequence[str]] = {
        "novaluna/review.css": (
            "novaluna/css/board.css",
            "games/css/chart.css",
            "games/css/review.css",
            "games/css/chat.css",
        ),
    }
    extended_bundles: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]] = {
        "games/base.css": ("games/base.css", {"games/css/base.css": ("novaluna/css/base.css",)}),
        "novaluna/game.css": (
            "games/game.css",
            {
                "": ("novaluna/css/board.css",),
                "games/css/chat.css": (
                    "games/css/learn.css",
                    "novaluna/css/learn.css",
                    "games/css/chart.css",
                    "novaluna/css/past.css",
                    "novaluna/css/phones.css",
                    "novaluna/css/tablets.css",
                ),
            },
        ),
        "novaluna/game.js": (
            "games/game.js",
            {
                "games/js/nonce.js": ("novaluna/js/places.js", "novaluna/js/choosing.js"),
                "games/js/bar.js": ("games/js/dragging.js", "novaluna/js/drag.js"),
                "games/js/keys.js": ("novaluna/js/arrows.js",),
                "games/js/watch.js": ("novaluna/js/motion.js", "novaluna/js/zoom.js", "novaluna/js/goals.js"),
            },
        ),
    }

    def ready(self) -> None:
        """Register the title."""
        from games.novaluna.pages import NovaLunaPages
        from games.novaluna.rules import NovaLunaRules
        from games.novaluna.title_bots import NovaLunaBots
        from games.titles.registry import Title, register
        from games.titles.talents import Talent

        talents = frozenset(Talent) - {Talent.TEAMS}
        register(Title("novaluna", NovaLunaRules(), NovaLunaPages(), talents, NovaLunaBots()))
