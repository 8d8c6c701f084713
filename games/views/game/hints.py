"""Hints on the game page: the form that asks for one, and the requests of a page that waits for it."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.forms.actions import MALFORMED, HintForm
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.viewing import awaited_hint, is_late
from games.services import hints
from games.services.errors import Refused
from games.titles.talents import Talent
from games.views.game.show import show, show_refusal, without_choice


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def hint(request: SiteRequest, key: str) -> HttpResponse:
    """Ask for a hint (POST), or show the board with the hint (GET).

    A page that waits for a hint sends GET requests repeatedly. The status is 204 while nothing changes.
    The page changes when the hint is late, and when it arrives. After the first change the page sends `late`.
    """
    game = access_game(request.user, key, needs=Talent.HINTS)
    if request.method == "POST":
        return _ask(request, game)
    if not wants_partial(request):
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect(game)
    awaited = awaited_hint(game, request.user)
    is_unchanged = awaited and is_late(awaited.asked_at) == ("late" in request.GET)
    return HttpResponse(status=204) if is_unchanged else show(request, game)


def _ask(request: SiteRequest, game: Game) -> HttpResponse:
    form = HintForm(request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    try:
        hints.ask(game.key, request.user, form.cleaned_data["number"])
    except Refused as refused:
        return without_choice(show_refusal(request, game, refused), game)
    if not wants_partial(request):
        return redirect(f"{game.get_absolute_url()}#bar")
    game.refresh_from_db()
    return without_choice(show(request, game), game)
