"""The preview of a game: the picture that other sites show with a link to it."""

import logging
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.board.board import build_board
from games.board.drawing.preview import draw_preview
from games.http import SiteRequest
from games.models import Game
from games.queries.access import access_game
from games.queries.viewing import view_game

logger = logging.getLogger(__name__)

A_DAY = 24 * 60 * 60  # seconds


@require_safe
def preview(request: SiteRequest, key: str) -> HttpResponse:
    """Send a picture of a public game as a spectator sees it; for every other game, the site's picture."""
    game = access_game(request.user, key)
    if game.is_open or not game.is_public:
        response: HttpResponse = redirect(static("games/icons/link.png"))
    else:
        response = HttpResponse(_picture_of(game), content_type="image/png")
    if game.is_over and game.is_public:
        patch_cache_control(response, public=True, max_age=A_DAY)
    else:
        patch_cache_control(response, private=True, no_store=True)
    return response


def _picture_of(game: Game) -> bytes:
    """Return the picture of a game, which is drawn once for each version and language and then stored."""
    stored = caches["previews"]
    name = f"{game.key}-{game.version}-{get_language()}"
    try:
        picture: bytes | None = stored.get(name)
    except Exception:
        # The file is damaged, or it has expired and can't be deleted on a read-only disk.
        logger.warning("Cannot read the stored preview of game %s.", game.key, exc_info=True)
        picture = None
    if picture is None:
        picture = draw_preview(build_board(view_game(game, AnonymousUser())))
        # The disk may be full, and the picture can still be sent.
        with suppress(OSError):
            stored.set(name, picture)
    return picture
