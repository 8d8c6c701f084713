"""Asking for a hint on the game page, and waiting for it."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from games.forms import MALFORMED, HintForm
from games.hinting import is_late
from games.http import SiteRequest, uncached, wants_part
from games.models import Game
from games.queries import awaited_hint
from games.services import hints
from games.services.errors import Refused
from games.views.show import show, show_refusal, with_nothing_chosen


@require_http_methods(["GET", "HEAD", "POST"])
@uncached
def hint(request: SiteRequest, key: str) -> HttpResponse:
    """Ask for a hint, or show the board with the one that was asked for.

    Until it is there the page gets nothing new but once, when the hint is late: whoever has been told so asks
    with `late`.
    """
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if request.method == "POST":
        return _ask(request, game)
    if not wants_part(request):
        return redirect(game)  # somebody reloads the page of a refusal
    awaited = awaited_hint(game, request.user)
    is_told = awaited and is_late(awaited.asked_at) == ("late" in request.GET)
    return HttpResponse(status=204) if is_told else show(request, game)


def _ask(request: SiteRequest, game: Game) -> HttpResponse:
    form = HintForm(request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    try:
        hints.ask(game.key, request.user, form.cleaned_data["number"])
    except Refused as refused:
        return with_nothing_chosen(show_refusal(request, game, refused), game)
    if not wants_part(request):
        return redirect(f"{game.get_absolute_url()}#bar")
    game.refresh_from_db()
    return with_nothing_chosen(show(request, game), game)
