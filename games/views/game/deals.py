"""The page with the commitment to a deal, and the record of a finished game."""

import json

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.http import SiteRequest, file_named, no_store
from games.models import Game
from games.queries.access import Purpose, access_game
from games.queries.deals.public import public_deal, public_record, seat_nonces
from games.titles.registry import title_named
from games.views.game.show import show


@require_safe
@no_store
def deal(request: SiteRequest, key: str) -> HttpResponse:
    """Show the commitment to the deal, its nonces and, after its last game, the text to check it with."""
    game = access_game(request.user, key, to=Purpose.CHECK_DEAL)
    deal = public_deal(game)
    context = {
        "game": game,
        "deal": deal,
        "words": title_named(game.title).pages.deal_words,
        "nonces": seat_nonces(game, request.user) if deal.is_mixed else (),
    }
    return render(request, "games/deal.html", context)


@require_safe
@no_store
def record(request: SiteRequest, key: str) -> HttpResponse:
    """Send the record of a finished game. A running game has none, because a record has the whole deck."""
    game = access_game(request.user, key)
    record = public_record(game)
    if record is None:
        return show(request, game, error=_when_revealed(game), status=409)
    response = HttpResponse(json.dumps(record), content_type="application/json")
    response["Content-Disposition"] = file_named(f"{game.key}.json")
    return response


def _when_revealed(game: Game) -> str:
    """Return when viewers can download the record of a game whose deal is still secret."""
    if game.daily:
        return _("You can download the record when the day of this deal is over.")
    if game.duplicate:
        return _("You can download the record when all games of the duplicate match are over.")
    return _("You can download the record when the game is over.")
