"""The solo page and the leaderboard."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from games.forms import NewSoloForm
from games.http import SiteRequest, no_store
from games.queries import standings
from games.queries.lists import finished_solo_games, running_solo_games
from games.services.errors import Refused
from games.services.tables import open_solo

LEADERS_SHOWN = 10


@require_safe
@no_store
def solo(request: SiteRequest) -> HttpResponse:
    """Show the viewer's solo games and the top of the leaderboard."""
    return _show(request)


def _show(request: SiteRequest, error: str = "", status: int = 200) -> HttpResponse:
    leaders, _page = standings.leaderboard(request.user, size=LEADERS_SHOWN)
    context: dict[str, object] = {
        "leaders": leaders,
        "my_best": standings.personal_best(request.user),
        "solo_form": NewSoloForm(),
        "error": error,
    }
    if isinstance(request.user, User):
        context["running"] = running_solo_games(request.user)
        context["results"] = finished_solo_games(request.user)
    return render(request, "games/solo.html", context, status=status)


@no_store
def start(request: SiteRequest) -> HttpResponse:
    """Start a solo game."""
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect("games:solo")
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("games:solo"))
    form = NewSoloForm(request.POST)
    if not form.is_valid():
        return redirect("games:solo")
    try:
        game = open_solo(request.user, form.cleaned_data["request_id"])
    except Refused as refused:
        return _show(request, error=str(refused.message), status=refused.status)
    return redirect(game)


@require_safe
@no_store
def leaderboard(request: SiteRequest) -> HttpResponse:
    """Show the best solo game of each player."""
    leaders, page = standings.leaderboard(request.user, request.GET.get("page", "1"))
    context = {"leaders": leaders, "page": page, "my_best": standings.personal_best(request.user)}
    return render(request, "games/leaderboard.html", context)
