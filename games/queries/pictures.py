"""Pictures of games, which are drawn once and then stored."""

import logging
from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import get_language

from games.models import Game
from games.queries.viewing import view_game
from games.titles.registry import title_named
from games.titles.view import AnyView

logger = logging.getLogger(__name__)


def preview_of(game: Game) -> bytes | None:
    """Return the picture of a public game as a spectator sees it, as a JPEG; None if its title has none."""
    pages = title_named(game.title).pages
    name = f"preview-{game.key}-{game.live_version}-{get_language()}"
    return _drawn_once(name, lambda: pages.draw_preview(view_game(game, AnonymousUser())))


def turn_picture_of(game: Game, view: AnyView) -> bytes | None:
    """Return the picture in the email about the turn of the view's player, as a PNG; None without one.

    It shows what they see, so each player has one of their own.
    """
    pages = title_named(game.title).pages
    return _drawn_once(f"turn-{game.key}-{view.version}-{view.viewer}", lambda: pages.draw_turn(view))


def _drawn_once(name: str, draw: Callable[[], bytes | None]) -> bytes | None:
    stored = caches["previews"]
    try:
        picture: bytes | None = stored.get(name)
    except Exception:
        # The file is damaged, or it has expired and can't be deleted on a read-only disk.
        logger.warning("Cannot read the stored picture %s.", name, exc_info=True)
        picture = None
    if picture is None:
        picture = draw()
        # The disk may be full, and the picture can still be sent.
        with suppress(OSError):
            if picture is not None:
                stored.set(name, picture)
    return picture
