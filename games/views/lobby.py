"""The home page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.forms import NewSoloForm, NewTableForm
from games.http import SiteRequest, no_store
from games.queries.lists import lobby


@require_safe
@no_store
def home(request: SiteRequest) -> HttpResponse:
    """Show the viewer's games and tables, and the tables that they can join."""
    context = {"lobby": lobby(request.user), "form": NewTableForm(), "solo_form": NewSoloForm()}
    return render(request, "games/home.html", context)
