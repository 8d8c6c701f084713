"""Pictures of games, which are drawn once for each version and the names in it, and then stored."""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import get_language

from games.models import Game, seats_of
from games.queries.viewing import view_game
from games.titles.registry import title_named
from games.titles.view import AnyView

logger = logging.getLogger(__name__)


def preview_of(game: Game) -> bytes | None:
    """Return the picture of a public game as a spectator sees it, as a JPEG; None if its title has none."""
    pages = title_named(game.title).pages
    key = f"preview-{game.key}-{game.version}-{get_language()}"
    names = [seat.name for seat in seats_of(game)]
    return _drawn_once(key, names, lambda: pages.draw_preview(view_game(game, AnonymousUser())))


def turn_picture_of(game: Game, view: AnyView) -> bytes | None:
    """Return the picture in the email about the turn of the view's player, as a JPEG; None without one.

    It shows what they see, so each player has one of their own.
    """
    pages = title_named(game.title).pages
    key = f"mail-{game.key}-{view.version}-{view.viewer}"
    return _drawn_once(key, [person.name for person in view.people], lambda: pages.draw_turn(view))


def _drawn_once(key: str, names: Iterable[str], draw: Callable[[], bytes | None]) -> bytes | None:
    """Return the stored picture with these names, or the one that `draw` returns."""
    named = sha256("\n".join(names).encode()).hexdigest()
    stored, name = caches["previews"], f"{key}-{named}"
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
