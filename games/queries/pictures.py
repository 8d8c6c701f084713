"""Pictures of games with links to them, which are stored once for each version and the names in it."""

import logging
from contextlib import suppress
from hashlib import sha256

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import get_language

from games.models import Game, seats_of
from games.queries.viewing import view_game
from games.titles.registry import title_named

logger = logging.getLogger(__name__)


def preview_of(game: Game) -> bytes | None:
    """Return the picture of a public game as a spectator sees it, as a JPEG; None if its title has none."""
    named = sha256("\n".join(seat.name for seat in seats_of(game)).encode()).hexdigest()
    stored, name = caches["previews"], f"preview-{game.key}-{game.version}-{get_language()}-{named}"
    try:
        picture: bytes | None = stored.get(name)
    except Exception:
        # The file is damaged, or it has expired and can't be deleted on a read-only disk.
        logger.warning("Cannot read the stored picture %s.", name, exc_info=True)
        picture = None
    if picture is None:
        view = view_game(game, AnonymousUser(), with_clocks=False)
        picture = title_named(game.title).pages.draw_preview(view)
        # The disk may be full, and the picture can still be sent.
        with suppress(OSError):
            if picture is not None:
                stored.set(name, picture)
    return picture
