"""Registers Nova Luna as a title of the site."""

from collections.abc import Mapping, Sequence

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NovaLunaConfig(AppConfig):
    """The wing of Nova Luna, an app without models."""

    name = "games.novaluna"
    label = "novaluna"
    verbose_name = _("Nova Luna")

    # See `GamesConfig.bundles`.
    bundles: Mapping[str, Sequence[str]] = {
        "novaluna/game.css": (
            "novaluna/css/board.css",
            "games/css/game.css",
            "games/css/players.css",
            "games/css/history.css",
            "games/css/game_sizes.css",
            "games/css/chat.css",
            "novaluna/css/learn.css",
            "games/css/covered.css",
        ),
        "novaluna/review.css": ("novaluna/css/board.css", "games/css/review.css", "games/css/chat.css"),
        "novaluna/game.js": (
            "games/vendor/idiomorph.js",
            "games/js/fields.js",
            "games/js/morph.js",
            "games/js/drafts.js",
            "games/js/announcer.js",
            "games/js/person.js",
            "games/js/failures.js",
            "games/js/badge.js",
            "games/js/stream.js",
            "games/js/stepping.js",
            "games/js/live.js",
            "games/js/clock.js",
            "games/js/deadlines.js",
            "games/js/zone.js",
            "games/js/nonce.js",
            "novaluna/js/places.js",
            "novaluna/js/choosing.js",
            "games/js/bar.js",
            "novaluna/js/drag.js",
            "games/js/keyboard.js",
            "games/js/keys.js",
            "games/js/watch.js",
            "novaluna/js/motion.js",
            "novaluna/js/zoom.js",
            "games/js/copy.js",
            "games/js/presence.js",
            "games/js/sound.js",
            "games/js/chat.js",
            "games/js/note.js",
        ),
    }

    def ready(self) -> None:
        """Register the title."""
        from games.novaluna.pages import NovaLunaPages
        from games.novaluna.rules import NovaLunaRules
        from games.novaluna.title_bots import NovaLunaBots
        from games.titles.registry import Title, register
        from games.titles.talents import Talent

        register(
            Title("novaluna", NovaLunaRules(), NovaLunaPages(), frozenset(Talent), NovaLunaBots()),
        )
