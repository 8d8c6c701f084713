"""The picture that other sites show beside a link to a game."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games.http import SiteRequest, uncached
from games.models import Game
from games.preview import preview as draw
from games.viewing import board_for


@require_safe
@uncached
def preview(request: SiteRequest, key: str) -> HttpResponse:
    """Draw a public game as everybody may see it; for any other show the site's own picture."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if game.is_open or not game.is_public:
        return redirect(static("games/icons/link.png"))
    return HttpResponse(draw(board_for(game, AnonymousUser())), content_type="image/png")
