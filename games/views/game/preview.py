"""The preview of a game: the picture that other sites show with a link to it."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games.board.board import build_board
from games.board.drawing.preview import draw_preview
from games.http import SiteRequest, no_store
from games.queries.access import access_game
from games.queries.viewing import view_game


@require_safe
@no_store
def preview(request: SiteRequest, key: str) -> HttpResponse:
    """Send a picture of a public game as a spectator sees it; for every other game, the site's picture."""
    game = access_game(request.user, key)
    if game.is_open or not game.is_public:
        return redirect(static("games/icons/link.png"))
    board = build_board(view_game(game, AnonymousUser()))
    return HttpResponse(draw_preview(board), content_type="image/png")
