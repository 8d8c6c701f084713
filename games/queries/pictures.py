"""Pictures of games, which are drawn once and then stored."""

import logging
from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import get_language

from games.models import Game
from games.novaluna.board.board import build_board
from games.novaluna.board.drawing.preview import draw_preview
from games.novaluna.board.drawing.turn_picture import draw_turn
from games.novaluna.board.game_view import GameView
from games.queries.viewing import view_game

logger = logging.getLogger(__name__)


def preview_of(game: Game) -> bytes:
    """Return the picture of a public game as a spectator sees it, as a JPEG."""
    name = f"preview-{game.key}-{game.version}-{get_language()}"
    return _drawn_once(name, lambda: draw_preview(build_board(view_game(game, AnonymousUser()))))


def turn_picture_of(game: Game, view: GameView) -> bytes:
    """Return the picture in the email about the turn of the view's player, as a PNG. It has no words."""
    name = f"turn-{game.key}-{len(view.steps)}-{view.viewer}"
    return _drawn_once(name, lambda: draw_turn(build_board(view)))


def _drawn_once(name: str, draw: Callable[[], bytes]) -> bytes:
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
            stored.set(name, picture)
    return picture
