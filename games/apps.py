from collections.abc import Mapping, Sequence

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    # Style sheets and scripts that a page loads as one file, joined from these. Titles extend them by files
    # of their own (see `novaluna_site/bundles.py`).
    bundles: Mapping[str, Sequence[str]] = {
        "games/base.css": ("games/css/tokens.css", "games/css/base.css"),
        "games/game.css": (
            "games/css/game.css",
            "games/css/players.css",
            "games/css/history.css",
            "games/css/game_sizes.css",
            "games/css/votes.css",
            "games/css/chat.css",
            "games/css/covered.css",
        ),
        "games/site.js": (
            "games/vendor/idiomorph.js",
            "games/js/fields.js",
            "games/js/morph.js",
            "games/js/drafts.js",
            "games/js/announcer.js",
            "games/js/person.js",
            "games/js/failures.js",
            "games/js/webapp.js",
            "games/js/subscription.js",
            "games/js/badge.js",
            "games/js/stream.js",
            "games/js/clock.js",
            "games/js/deadlines.js",
            "games/js/zone.js",
            "games/js/nonce.js",
        ),
        "games/game.js": (
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
            "games/js/anchoring.js",
            "games/js/boards.js",
            "games/js/live.js",
            "games/js/queued.js",
            "games/js/clock.js",
            "games/js/deadlines.js",
            "games/js/zone.js",
            "games/js/nonce.js",
            "games/js/bar.js",
            "games/js/keyboard.js",
            "games/js/keys.js",
            "games/js/watch.js",
            "games/js/copy.js",
            "games/js/presence.js",
            "games/js/sound.js",
            "games/js/starting.js",
            "games/js/chat.js",
            "games/js/note.js",
        ),
    }

    def ready(self) -> None:
        """Register what notes changes of rights, also those by commands."""
        from games.services.talk.moderation import trail  # noqa: F401 - importing registers its receiver
