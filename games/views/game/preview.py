"""The preview of a game: the picture that other sites show with a link to it, and a small one for lists."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from games.http import SiteRequest
from games.queries.access import access_game, is_closed_to_others
from games.queries.pictures import preview_of

# In seconds. A name that its owner has changed or removed stays in other caches no longer.
AN_HOUR = 60 * 60


@require_safe
def preview(request: SiteRequest, key: str) -> HttpResponse:
    """Send a picture of a public game as a spectator sees it.

    Every other game, and a title without such pictures, has the picture of the site. So has a game on a deal
    that others still play, because caches would send its picture to everybody.
    """
    return _send(request, key, is_small=False)


@require_safe
def small_preview(request: SiteRequest, key: str) -> HttpResponse:
    """Send the same picture for a list, small."""
    return _send(request, key, is_small=True)


def _send(request: SiteRequest, key: str, *, is_small: bool) -> HttpResponse:
    game = access_game(request.user, key)
    is_secret = is_closed_to_others(game)
    picture = None if game.is_open or not game.is_public or is_secret else preview_of(game, is_small=is_small)
    if picture is None:
        response: HttpResponse = redirect(static("games/icons/link.png"))
    else:
        response = HttpResponse(picture, content_type="image/webp" if is_small else "image/jpeg")
    if game.is_over and game.is_public and not is_secret:
        patch_cache_control(response, public=True, max_age=AN_HOUR)
    elif picture is not None and request.GET.get("v") == str(game.live_version):
        # The next version has another address. Only the browser keeps this one.
        patch_cache_control(response, private=True, max_age=AN_HOUR)
    else:
        patch_cache_control(response, private=True, no_store=True)
    return response
