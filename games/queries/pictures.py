"""Pictures of games with links to them, which are stored once for each version and the names in it."""

import logging
from contextlib import suppress
from hashlib import sha256
from io import BytesIO

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import get_language
from PIL import Image

from games.models import Game, seats_of
from games.queries.viewing import view_game
from games.titles.registry import title_named

logger = logging.getLogger(__name__)

# Lists show the picture of a link about a third as wide as it is drawn, on screens that are often dense.
SMALL = 600, 315
QUALITY = 70  # of a WebP: nobody sees its traces on a dense screen


def preview_of(game: Game, *, is_small: bool = False) -> bytes | None:
    """Return the picture of a public game as a spectator sees it; None if its title has none.

    It is a JPEG for links on other sites, or the same drawing as a small WebP for lists.
    """
    named = sha256("\n".join(seat.name for seat in seats_of(game)).encode()).hexdigest()
    stored, name = caches["previews"], f"preview-{game.key}-{game.version}-{get_language()}-{named}"
    name += "-small" if is_small else ""
    try:
        picture: bytes | None = stored.get(name)
    except Exception:
        # The file is damaged, or it has expired and can't be deleted on a read-only disk.
        logger.warning("Cannot read the stored picture %s.", name, exc_info=True)
        picture = None
    if picture is None:
        if is_small:
            picture = _small(large) if (large := preview_of(game)) else None
        else:
            view = view_game(game, AnonymousUser(), with_clocks=False)
            picture = title_named(game.title).pages.draw_preview(view)
        # The disk may be full, and the picture can still be sent.
        with suppress(OSError):
            if picture is not None:
                stored.set(name, picture)
    return picture


def _small(jpeg: bytes) -> bytes:
    """Return a picture as a WebP for lists, with about an eighth of the bytes."""
    webp = BytesIO()
    Image.open(BytesIO(jpeg)).resize(SMALL, Image.Resampling.LANCZOS).save(webp, "WEBP", quality=QUALITY)
    return webp.getvalue()
