"""What a player can check and take along: the commitment to the deal, and the record of a finished game."""

import json

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.http import SiteRequest, uncached
from games.models import Game
from games.services.deals import deal_of, opened_deal, opened_text
from games.services.records import record_of
from games.views.show import show


@require_safe
@uncached
def deal(request: SiteRequest, key: str) -> HttpResponse:
    """Explain how to check that the deal was fixed in advance, with what may be known of it now."""
    game = get_object_or_404(Game.objects.select_related("deal").exclude(status=Game.Status.OPEN), key=key)
    context = {"game": game, "commitment": deal_of(game).commitment, "text": opened_text(game)}
    return render(request, "games/deal.html", context)


@require_safe
@uncached
def record(request: SiteRequest, key: str) -> HttpResponse:
    """Hand out the record of a finished game; it holds the whole deck, so not before."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if opened_deal(game) is None:
        return show(request, game, error=_("The record can be downloaded when the game is over."), status=409)
    response = HttpResponse(json.dumps(record_of(game)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="nova-luna-{game.key}.json"'
    return response
