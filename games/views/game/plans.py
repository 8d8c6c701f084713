"""The form on the game page that makes, changes and removes the viewer's plan for their next turn."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.forms.actions import MALFORMED, PlanForm
from games.http import SiteRequest, no_store, wants_partial
from games.queries.access import access_game
from games.services import plans
from games.services.errors import Refused
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.views.game.show import show, show_refusal


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def plan(request: SiteRequest, key: str) -> HttpResponse:
    """Store the posted plan, and show the board with it."""
    game = access_game(request.user, key, needs=Talent.PLANS)
    here = f"{game.get_absolute_url()}?plan=1"
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect(here)
    form = PlanForm(title_named(game.title).pages, request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    try:
        plans.change(key, request.user, *form.plan)
    except Refused as refused:
        response = show_refusal(request, game, refused)
    else:
        if not wants_partial(request):
            return redirect(f"{here}#plan")
        game.refresh_from_db()
        response = show(request, game)
    # The new board has no choice.
    response["HX-Replace-Url"] = here
    return response
