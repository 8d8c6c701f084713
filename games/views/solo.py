"""The solo page and the leaderboard."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms import OnceForm
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
        "solo_form": OnceForm(),
        "error": error,
    }
    if isinstance(request.user, User):
        context["running"] = running_solo_games(request.user)
        context["results"] = finished_solo_games(request.user)
    return render(request, "games/solo.html", context, status=status)


@no_store
def start(request: SiteRequest) -> HttpResponse:
    """Start a solo game. A visitor plays it as a guest."""
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect("games:solo")
    form = OnceForm(request.POST)
    if not form.is_valid():
        return redirect("games:solo")
    request_id = form.cleaned_data["request_id"]
    user = user_or_guest(request, request_id)
    try:
        game = open_solo(user, request_id)
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
