"""Registers LUNAR as a title of the site."""

from collections.abc import Mapping, Sequence

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LunarConfig(AppConfig):
    """The wing of LUNAR, an app without models."""

    name = "games.lunar"
    label = "lunar"
    verbose_name = _("LUNAR")

    bundles: Mapping[str, Sequence[str]] = {"lunar/learn.css": ("games/css/learn.css", "lunar/css/learn.css")}
    extended_bundles: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]] = {
        "games/base.css": ("games/base.css", {"games/css/base.css": ("lunar/css/base.css",)}),
        "lunar/game.css": (
            "games/game.css",
            {
                "": (
                    "lunar/css/cards.css",
                    "lunar/css/felt.css",
                    "lunar/css/track.css",
                ),
                "games/css/game_sizes.css": (
                    "games/css/plain.css",
                    "lunar/css/sizes.css",
                    "lunar/css/phones.css",
                    "lunar/css/plan.css",
                    "lunar/css/past.css",
                    "lunar/css/tips.css",
                    "lunar/css/questions.css",
                ),
            },
        ),
        "lunar/game.js": (
            "games/game.js",
            {
                "games/js/nonce.js": ("lunar/js/choosing.js",),
                "games/js/bar.js": ("games/js/dragging.js", "lunar/js/drag.js"),
                "games/js/badge.js": ("lunar/js/last_trick.js", "lunar/js/hands.js"),
                "games/js/keys.js": ("lunar/js/arrows.js",),
                "games/js/watch.js": ("lunar/js/held.js", "lunar/js/motion.js"),
            },
        ),
    }

    def ready(self) -> None:
        """Register the title."""
        from games.lunar.board.title_words import LunarWords
        from games.lunar.pages import LunarPages
        from games.lunar.rules import LunarRules
        from games.lunar.title_bots import LunarBots
        from games.titles.registry import Title, register
        from games.titles.talents import Talent

        rules = LunarRules()
        talents = frozenset({Talent.DUPLICATE, Talent.LESSONS, Talent.PLANS, Talent.RULES, Talent.TEAMS})
        register(Title("lunar", rules, LunarPages(rules, LunarWords()), talents, LunarBots()))
