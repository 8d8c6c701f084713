"""The board that an open page of a player gets in its stream, as if the page had asked for it."""

from django.http import Http404
from django.utils import timezone, translation
from django_htmx.middleware import HtmxDetails

from accounts.clock import zone_name_of, zone_of
from accounts.languages import language_of
from games.http import SiteRequest
from games.live import Drawn
from games.queries.access import NotYet, access_game
from games.titles.rules import UnknownRules
from games.views.game.catching_up import boards_between
from games.views.game.show import show


def draw_board(request: SiteRequest, key: str, user_id: int, since: int | None = None) -> Drawn | None:
    """Return the part of the page of a game that its player `user_id` may see now.

    `request` is what htmx would send for this part; it has passed no middleware. `since` is the live
    version that the page shows, and the boards between have what it has missed. Returns None if the page
    has to send such a request: because its session is over or belongs to somebody else, because its person
    is suspended, because its browser has no CSRF token, or because the answer is no board.
    """
    has_token = "CSRF_COOKIE" in request.META and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
    if request.user.pk != user_id or request.user.is_suspended or not has_token:
        return None
    request.htmx = HtmxDetails(request)
    language = language_of(request.user) or translation.get_language_from_request(request)
    with translation.override(language), timezone.override(zone_of(zone_name_of(request))):
        try:
            game = access_game(request.user, key)
            if game.is_open:
                return None
            html = show(request, game).content.decode()
            between = boards_between(request, game, since)
        except (Http404, NotYet, UnknownRules):
            return None
    return Drawn(game.live_version, html, between)
