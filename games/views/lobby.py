"""The home page, and the first game of a visitor."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.guests import user_or_guest
from games.forms import NewTableForm, OnceForm
from games.http import SiteRequest, no_store
from games.queries.lists import lobby
from games.services.errors import Refused
from games.services.tables import open_table


@require_safe
@no_store
def home(request: SiteRequest) -> HttpResponse:
    """Show the viewer's games and tables, and the tables that they can join."""
    context = {
        "lobby": lobby(request.user),
        "form": NewTableForm(),
        "play_form": OnceForm(),
        "solo_form": OnceForm(),
    }
    return render(request, "games/home.html", context)


@no_store
def play_now(request: SiteRequest) -> HttpResponse:
    """Start a game for two against an easy bot. A visitor plays it as a guest."""
    form = OnceForm(request.POST)
    # GET makes no guest: crawlers follow links, and people reload pages.
    if request.method != "POST" or not form.is_valid():
        return redirect("games:home")
    request_id = form.cleaned_data["request_id"]
    user = user_or_guest(request, request_id)
    try:
        game = open_table(user, 2, ["easy"], beginner=False, is_public=True, request_id=request_id)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:home")
    return redirect(game)
